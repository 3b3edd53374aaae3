"""Random mutations of texts, for machines without atheris."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

MOST_CHANGES: Final = 4


def mutated(data: bytes, others: Sequence[bytes], words: Sequence[bytes], chance: random.Random) -> bytes:
    """Return ``data`` after a few mutations with random bytes, ``words``, and pieces of ``data`` or ``others``."""
    for _ in range(chance.randint(1, MOST_CHANGES)):
        if chance.random() < 0.3:
            data = _with_a_piece_of(data if chance.random() < 0.5 else chance.choice(others), data, chance)
        else:
            data = _with_a_stretch_replaced(data, others, words, chance)
    return data


def _with_a_piece_of(source: bytes, data: bytes, chance: random.Random) -> bytes:
    """Replace one space-separated piece of ``data`` with one from ``source``."""
    pieces = data.split(b" ")
    pieces[chance.randrange(len(pieces))] = chance.choice(source.split(b" "))
    return b" ".join(pieces)


def _with_a_stretch_replaced(
    data: bytes, others: Sequence[bytes], words: Sequence[bytes], chance: random.Random
) -> bytes:
    begin = chance.randint(0, len(data))
    end = min(len(data), begin + chance.choice((0, 0, 1, 2, 8)))
    other = chance.choice(others)
    cut = chance.randint(0, len(other))
    match chance.randrange(6):
        case 0:
            return data[:begin] + bytes([chance.randrange(256)]) + data[end:]
        case 1:
            return data[:begin] + bytes([chance.randrange(32, 127)]) + data[end:]
        case 2:
            return data[:begin] + data[end:]
        case 3:
            return data[:begin] + data[begin : begin + chance.randint(0, 40)] + data[begin:]
        case 4:
            return data[:begin] + other[cut:]
        case _:
            return data[:begin] + chance.choice(words) + data[end:]
