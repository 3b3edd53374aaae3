"""The start position and the draws of a game. They depend only on the seed and the number of the pair."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from cairn.game import Game
from cairn.vocabulary import Token, Variant

VARIANTS: Final = tuple(Variant)
ATTEMPTS: Final = 100


def variant_of(pair: int) -> Variant:
    """The variant of a pair. The pairs cycle through all variants."""
    return VARIANTS[pair % len(VARIANTS)]


def start(seed: int, pair: int, opening_plies: int = 0) -> Game:
    """The start of both games in a pair, after ``opening_plies`` random tokens. The returned game is not over.

    >>> first, second = start(1, 7, opening_plies=6), start(1, 7, opening_plies=6)
    >>> first.start_text == second.start_text, first.tokens == second.tokens, len(first.tokens)
    (True, True, 6)
    """
    deal = random.Random(f"{seed}:{pair}:start").getrandbits(63)
    for attempt in range(ATTEMPTS):
        game = Game.start(variant_of(pair), deal)
        chance = random.Random(f"{seed}:{pair}:opening:{attempt}")
        while game.outcome is None and len(game.tokens) < opening_plies:
            game.push(chance.choice(game.legal_moves))
        if game.outcome is None:
            return game
    raise ValueError(f"{opening_plies} random tokens are too many: the game ends during the opening")


class Draws:
    """Draws tiles. The n-th draw in both games of a pair uses the same random number.

    >>> draws, again = Draws(1, 7), Draws(1, 7)
    >>> [draws.number() for _ in range(9)] == [again.number() for _ in range(9)]
    True
    """

    def __init__(self, seed: int, pair: int) -> None:
        self._chance: Final = random.Random(f"{seed}:{pair}:draws")

    def number(self) -> float:
        """The next random number, at least 0 and below 1."""
        return self._chance.random()

    def draw(self, possible: Sequence[Token]) -> Token:
        """Choose a token at random."""
        return possible[int(self.number() * len(possible))]
