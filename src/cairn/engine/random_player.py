"""An engine that plays random legal tokens."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from cairn.engine.engine import Analysis, Engine, Line, Played, require_decision
from cairn.engine.limits import NO_LIMIT, Limit
from cairn.engine.score import Score
from cairn.engine.stopper import Stopper
from cairn.game import Game


def turn_chance(game: Game, seed: int) -> random.Random:
    """A random number generator that depends only on the turn so far and the seed."""
    position, tokens = game.last_turn
    return random.Random(" ".join((str(seed), position, *map(str, tokens))))


class RandomEngine(Engine):
    """Plays a random legal token. The same seed gives the same token at the same moment.

    >>> game = Game.start("beginner", seed=1)
    >>> RandomEngine(5).play(game, Limit()) == RandomEngine(5).play(game, Limit())
    True
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed: Final = seed

    @property
    def name(self) -> str:
        """Always ``random``."""
        return "random"

    def play(self, game: Game, limit: Limit = NO_LIMIT, stopper: Stopper | None = None) -> Played:
        """Choose a random token."""
        require_decision(game)
        token = turn_chance(game, self._seed).choice(game.legal_moves)
        return Played(token, Score(0), depth=0, nodes=0, line=(token,))

    def search(
        self, game: Game, limit: Limit, lines: int, stopper: Stopper, report: Callable[[Analysis], object]
    ) -> None:
        """Report random legal tokens, all with score 0."""
        require_decision(game)
        tokens = list(game.legal_moves)
        turn_chance(game, self._seed).shuffle(tokens)
        report(Analysis(0, 0, 0, tuple(Line(Score(0), (token,)) for token in tokens[:lines])))
