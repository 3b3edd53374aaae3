"""Compute the deal, the toss for tribes and every draw from the key of a game."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import random
from collections.abc import MutableSequence, Sequence
from typing import Any, TypeVar

from cairn.fairness.seeds import key_of
from cairn.notation import write_position
from cairn.rulebook import deal as deal_setup
from cairn.vocabulary import TRIBES, Megalith, Tribe, Variant

Item = TypeVar("Item")


def deal(key: bytes, variant: Variant, first: Tribe | None) -> str:
    """Deal the starting position of a game (S1-S5) and return its text. Without ``first``, a toss decides who begins.

    >>> deal(bytes(32), Variant.BEGINNER, None)
    'S1S1S/5/5/5/F1F1F b3CG,d3CD CSMD (ADDRPSSA) bofe 0-0 F'
    """
    setup = deal_setup(variant, KeyedRandom(key, "deal"))
    return write_position(dataclasses.replace(setup, active=first or setup.active))


def toss_tribes(seed: bytes, challengers_number: bytes, opponents_number: bytes, game: str) -> Tribe:
    """Toss for the challenger's tribe, if neither player chose one.

    Neither player has a tribe yet, so the challenger's number takes the place of Forest's number in the key.

    >>> toss_tribes(bytes(32), bytes(16), bytes(16), "abc")
    <Tribe.SEA: 'sea'>
    """
    return KeyedRandom(key_of(seed, challengers_number, opponents_number, game), "tribes").choice(TRIBES)


def draw(key: bytes, number: int, tiles: Sequence[Megalith]) -> Megalith:
    """Choose the tile for draw ``number``, counted from 0.

    ``tiles`` are the possible tiles, ordered by code; see :meth:`cairn.vocabulary.Deck.draws`.
    """
    return KeyedRandom(key, f"draw {number}").choice(tiles)


class KeyedRandom(random.Random):
    """Random bits from HMAC-SHA-256 in counter mode. They are the same on every machine and do not reveal the key.

    Stored games depend on how bits are turned into numbers, choices and shuffles, so this class defines these methods
    itself. All other methods of ``random.Random`` use ``random()``, which raises ``NotImplementedError``.
    """

    def __init__(self, key: bytes, purpose: str) -> None:
        super().__init__(0)
        self._key = key
        self._purpose = purpose
        self._blocks = 0

    def getrandbits(self, k: int, /) -> int:
        """The first ``k`` bits of the next block."""
        block = hmac.digest(self._key, f"{self._purpose} {self._blocks}".encode(), hashlib.sha256)
        self._blocks += 1
        if k > 8 * len(block):
            raise ValueError(f"expected at most {8 * len(block)} bits at a time, not {k}")
        return int.from_bytes(block) >> (8 * len(block) - k)

    def random(self) -> float:
        """Not available, because all draws use whole numbers."""
        raise NotImplementedError("a keyed generator gives whole numbers only")

    def below(self, bound: int) -> int:
        """A uniformly distributed number from 0 to ``bound - 1``. A larger number is rejected and drawn again."""
        if bound < 1:
            raise ValueError(f"the bound must be at least 1, not {bound}")
        while (number := self.getrandbits(bound.bit_length())) >= bound:
            pass
        return number

    def choice(self, seq: Sequence[Item]) -> Item:  # type: ignore[override]  # our sequences all have a length
        """Choose an item."""
        if not seq:
            raise IndexError("cannot choose from an empty sequence")
        return seq[self.below(len(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle in place by Fisher-Yates, from the last position down to the second."""
        for last in range(len(x) - 1, 0, -1):
            other = self.below(last + 1)
            x[last], x[other] = x[other], x[last]
