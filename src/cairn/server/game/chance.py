"""Set-up tosses and draws: the interface, and the one that everybody can check (``cairn.fairness``).

Everything follows from one secret key per game: the seed itself in a local game, and in an online one a key made of the
seed and the numbers of the seats. What was drawn tells nothing about what will be; a restart changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from cairn import fairness
from cairn.vocabulary import Megalith, Tribe, Variant

SEED_BYTES: Final = fairness.SEED_BYTES


class Chance(Protocol):
    """Decides what nobody chooses."""

    def new_seed(self) -> bytes:
        """The secret of a new game."""

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        """The start of a game, as text; without ``first`` it is tossed who begins (S1-S5)."""

    def draw(self, seed: bytes, number: int, tiles: Sequence[Megalith]) -> Megalith:
        """Which of the ``tiles`` turns up at that draw of a game, counted from 0."""


class SecretChance:
    """Everything from HMAC-SHA-256, keyed by the secret.

    >>> chance = SecretChance()
    >>> seed = bytes(32)
    >>> chance.deal(seed, Variant.BEGINNER, None) == chance.deal(seed, Variant.BEGINNER, None)
    True
    """

    def new_seed(self) -> bytes:
        """256 bits that nobody can guess."""
        return fairness.new_seed()

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        """The start of a game, as text."""
        return fairness.deal(seed, variant, first)

    def draw(self, seed: bytes, number: int, tiles: Sequence[Megalith]) -> Megalith:
        """Which of the tiles turns up."""
        return fairness.draw(seed, number, tiles)
