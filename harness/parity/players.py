"""Chooses random tokens with a bias towards rare events."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from cairn import Board
from cairn.vocabulary import Copy, Phase, Stop, Token, Travel

STEADINESS: Final = 0.85
"""The probability that a player follows its inclination; otherwise it plays a random token."""

Inclination = Callable[[Board, Token], bool]
"""Returns whether a player prefers a token. The function may push to the board, but must pop before it returns."""


def seeks_chains(board: Board, token: Token) -> bool:
    """Prefers tokens that continue a chain of powers."""
    return not isinstance(token, Stop) and _next_phase(board, token) is Phase.POWER


def seeks_points(board: Board, token: Token) -> bool:
    """Prefers exits, transformations and tokens that end the game."""
    return _next_phase(board, token) in (Phase.BUILD, Phase.TRANSFORM, Phase.OVER)


def seeks_the_end(board: Board, token: Token) -> bool:
    """Prefers tokens that end the game, by score or by leaving the opponent without an action."""
    return _next_phase(board, token) is Phase.OVER


def seeks_repetition(board: Board, token: Token) -> bool:
    """Prefers moving a shaman back to where it came from, which leads to repetitions (G3)."""
    if not isinstance(token, Travel) or token.target is None:
        return False
    return Travel(token.target, token.origin) in board.history[-3:]


def seeks_copies(board: Board, token: Token) -> bool:
    """Prefers powers copied by the Shifting Stone, and tokens that continue a chain of powers."""
    return isinstance(token, Copy) or seeks_chains(board, token)


def seeks_nothing(board: Board, token: Token) -> bool:
    """No preference."""
    return True


INCLINATIONS: Final[tuple[Inclination, ...]] = (
    seeks_nothing,
    seeks_chains,
    seeks_chains,
    seeks_copies,
    seeks_points,
    seeks_the_end,
    seeks_repetition,
)


def choose(rng: random.Random, board: Board, legal: Sequence[Token], inclination: Inclination) -> Token:
    """Choose a legal token, usually a preferred one."""
    if inclination is not seeks_nothing and rng.random() < STEADINESS:
        liked = [token for token in legal if inclination(board, token)]
        if liked:
            return rng.choice(liked)
    return rng.choice(legal)


def _next_phase(board: Board, token: Token) -> Phase:
    board.push(token)
    phase = board.phase
    board.pop()
    return phase
