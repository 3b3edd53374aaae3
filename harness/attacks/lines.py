"""Long token sequences for the API to replay."""

from __future__ import annotations

import random

from cairn.game import Game

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


def long_line(length: int, seed: int = 1) -> list[str]:
    """Return ``length`` tokens, played from the starting position, that do not end the game."""
    rng, game, tokens = random.Random(seed), Game(START), list[str]()
    while len(tokens) < length:
        moves = [str(move) for move in game.board.legal_moves]
        rng.shuffle(moves)
        for move in moves:
            game.push(move)
            if game.outcome is None:
                tokens.append(move)
                break
            game.pop()
        else:  # a dead end: back up a little and try another continuation
            for _ in range(min(10, len(tokens))):
                game.pop()
                tokens.pop()
    return tokens
