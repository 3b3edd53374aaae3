"""Set-up tosses and draws, derived from one secret seed per game.

The seed is stored with the game and never shown. What will be drawn follows from it, so that a restart changes nothing;
what was drawn tells nothing about what will be.
"""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import random
import secrets
from collections.abc import Sequence
from typing import Final, Protocol

from cairn.notation import write_position
from cairn.rulebook import deal
from cairn.vocabulary import Megalith, Tribe, Variant

SEED_BYTES: Final = 32


class Chance(Protocol):
    """Decides what nobody chooses."""

    def new_seed(self) -> bytes:
        """The secret of a new game."""

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        """The start of a game, as text; without ``first`` it is tossed who begins (S1-S5)."""

    def draw(self, seed: bytes, number: int, tiles: Sequence[Megalith]) -> Megalith:
        """Which of the ``tiles`` turns up at that draw of a game, counted from 0."""


class SecretChance:
    """Everything from HMAC-SHA-256, keyed by the seed.

    >>> chance = SecretChance()
    >>> seed = bytes(32)
    >>> chance.deal(seed, Variant.BEGINNER, None) == chance.deal(seed, Variant.BEGINNER, None)
    True
    """

    def new_seed(self) -> bytes:
        """256 bits that nobody can guess."""
        return secrets.token_bytes(SEED_BYTES)

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        """The start of a game, as text."""
        setup = deal(variant, _KeyedRandom(seed, "deal"))
        return write_position(dataclasses.replace(setup, active=first or setup.active))

    def draw(self, seed: bytes, number: int, tiles: Sequence[Megalith]) -> Megalith:
        """Which of the tiles turns up."""
        return _KeyedRandom(seed, f"draw {number}").choice(tiles)


class _KeyedRandom(random.Random):
    """Bits from a keyed hash in counter mode: the same on every machine, and no way back to the key."""

    def __init__(self, key: bytes, purpose: str) -> None:
        super().__init__(0)
        self._key = key
        self._purpose = purpose
        self._blocks = 0

    def getrandbits(self, k: int, /) -> int:
        """The first bits of the next block; ``choice`` and ``shuffle`` are made of these."""
        block = hmac.digest(self._key, f"{self._purpose} {self._blocks}".encode(), hashlib.sha256)
        self._blocks += 1
        if k > 8 * len(block):
            raise ValueError(f"at most {8 * len(block)} bits at a time, not {k}")
        return int.from_bytes(block) >> (8 * len(block) - k)
