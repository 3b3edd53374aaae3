"""Counting token sequences (perft) in portions, so that a long count can be interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cairn.board import Board
from cairn.vocabulary import Token

PORTION: Final = 6
"""The core counts so deep at a time, some hundredths of a second; Python hears an interruption only in between."""


def perft(board: Board, depth: int) -> int:
    """The number of token sequences of that length from here, draws by repetition ignored.

    >>> perft(Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"), 4)
    2442
    """
    return board.perft(depth) if depth <= PORTION else sum(count for _, count in divide(board, depth))


def divide(board: Board, depth: int) -> Iterator[tuple[Token, int]]:
    """For each legal token how many of the sequences begin with it; none for depth 0."""
    if depth < 0:
        raise ValueError("a depth is zero or more")
    if depth == 0:
        return
    after = board.copy(history=False)
    for token in board.legal_moves:
        after.push(token)
        yield token, perft(after, depth - 1)
        after.pop()
