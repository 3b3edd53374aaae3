"""An engine that looks one token ahead: a baseline for benchmarks, and a simple example of an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cairn.engine.engine import Analysis, Engine, Line, Played, require_decision
from cairn.engine.limits import NO_LIMIT, Limit
from cairn.engine.network import RELEASED, open_network
from cairn.engine.score import Score
from cairn.engine.stopper import Stopper
from cairn.game import Game
from cairn.vocabulary import TRIBES


class GreedyEngine(Engine):
    """Plays the token after which the network's evaluation is best for the decider. Limits do not matter.

    Of several best tokens, it plays the first in ASCII order. It does not see what the next token of a turn brings.

    >>> game = Game("F1S1S/5/5/5/2F1F - DRMD - wofm 2-0 F", ["a5-out"])
    >>> str(GreedyEngine().play(game).token)  # both megaliths win
    '=DR'
    """

    def __init__(self, network: str = RELEASED) -> None:
        self._network: Final = open_network(network)

    @property
    def name(self) -> str:
        """Always ``greedy``."""
        return "greedy"

    def play(self, game: Game, limit: Limit = NO_LIMIT, stopper: Stopper | None = None) -> Played:
        """Choose the token that looks best."""
        best, *_ = self._lines(game)
        return Played(best.token, best.score, depth=1, nodes=len(game.legal_moves), line=best.tokens)

    def search(
        self, game: Game, limit: Limit, lines: int, stopper: Stopper, report: Callable[[Analysis], object]
    ) -> None:
        """Report the tokens that look best."""
        found = self._lines(game)
        report(Analysis(1, len(found), 0, tuple(found[:lines])))

    def _lines(self, game: Game) -> list[Line]:
        """All tokens with their scores, the best first."""
        require_decision(game)
        board = game.board.copy(history=False)
        decider = board.decider_number
        lines = []
        for token in game.legal_moves:
            board.push(token)
            if board.is_over:
                score = Score.win(1) if board.winner_number == decider + 1 else Score.loss(1)
            else:
                points = board.estimate(self._network)
                score = Score(points if board.active is TRIBES[decider] else -points)
            board.pop()
            lines.append(Line(score, (token,)))
        return sorted(lines, key=lambda each: each.score, reverse=True)
