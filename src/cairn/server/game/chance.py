"""Random set-ups and draws: the interface, and the implementation that players can verify (``cairn.fairness``).

Everything follows from one secret key per game: the seed in a local game; in an online game, a key derived from the
seed and both players' random numbers. Past draws reveal nothing about future ones, and a restart changes nothing. The
core makes the draws, for the server and for devices that play without one.
"""

from __future__ import annotations

from typing import Final, Protocol

from cairn import fairness
from cairn.vocabulary import Tribe, Variant

SEED_BYTES: Final = fairness.SEED_BYTES


class Chance(Protocol):
    """The source of randomness for all games."""

    def new_seed(self) -> bytes:
        """A secret seed for a new game."""

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        """The starting position as text (S1-S5); without ``first``, the first tribe is also random."""

    def draw_key(self, key: bytes) -> bytes:
        """The key of the draws in a game with this key."""


class SecretChance:
    """Derives everything from the seed with HMAC-SHA-256.

    >>> chance = SecretChance()
    >>> seed = bytes(32)
    >>> chance.deal(seed, Variant.BEGINNER, None) == chance.deal(seed, Variant.BEGINNER, None)
    True
    """

    def new_seed(self) -> bytes:
        """256 random bits."""
        return fairness.new_seed()

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        """The starting position, as text."""
        return fairness.deal(seed, variant, first)

    def draw_key(self, key: bytes) -> bytes:
        """The key itself. Tests replace it."""
        return key
