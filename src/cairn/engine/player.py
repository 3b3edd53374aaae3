"""The computer player. So far it knows the rules and nothing else: it plays any legal token."""

from __future__ import annotations

import random

from cairn.game import Game
from cairn.vocabulary import Token


def choose_at_random(game: Game, seed: int) -> Token:
    """Any legal token, the same one whenever the same is asked: the same turn so far, the same seed.

    A game that is over has no token to choose: ``IndexError``.
    """
    position, tokens = game.last_turn
    chance = random.Random(" ".join((str(seed), position, *map(str, tokens))))
    return chance.choice(game.legal_moves)
