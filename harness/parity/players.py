"""How tokens are chosen: at random, with a bias towards what rarely happens by chance alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from cairn import Board
from cairn.vocabulary import Copy, Phase, Stop, Token, Travel

STEADINESS: Final = 0.85
"""How often a player follows its inclination; otherwise it plays any legal token."""

Inclination = Callable[[Board, Token], bool]
"""Whether a token is to a player's liking. It may push to the board if it pops again."""


def seeks_chains(board: Board, token: Token) -> bool:
    """Onto megaliths, and on from there for as long as the chain goes."""
    return not isinstance(token, Stop) and _next_phase(board, token) is Phase.POWER


def seeks_points(board: Board, token: Token) -> bool:
    """Off the field, into transformations, towards the end."""
    return _next_phase(board, token) in (Phase.BUILD, Phase.TRANSFORM, Phase.OVER)


def seeks_the_end(board: Board, token: Token) -> bool:
    """Whatever ends the game, by a third point or by leaving the other without an action."""
    return _next_phase(board, token) is Phase.OVER


def seeks_repetition(board: Board, token: Token) -> bool:
    """Back where a shaman just came from (G3)."""
    if not isinstance(token, Travel) or token.target is None:
        return False
    return Travel(token.target, token.origin) in board.history[-3:]


def seeks_copies(board: Board, token: Token) -> bool:
    """Through the Shifting Stone, and onto megaliths to come there."""
    return isinstance(token, Copy) or seeks_chains(board, token)


def seeks_nothing(board: Board, token: Token) -> bool:
    """Any token is as good as any other."""
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
    """One of the legal tokens, most often one that the inclination likes."""
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
