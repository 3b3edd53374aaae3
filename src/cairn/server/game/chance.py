"""Random set-ups and draws: the interface, and the implementation that players can verify (``cairn.fairness``).

The set-up and the draws of a game are derived from one secret key. In a local game, the key is the seed; in an online
game, it is derived from the seed and both players' random numbers. If the draws are sealed, however, each of them has
its own key. Past draws reveal nothing about future draws, and the draws stay the same if the server restarts. The core
makes the draws, both for the server and for devices that play without a server.
"""

from __future__ import annotations

from typing import Final, Protocol

from cairn import fairness
from cairn.vocabulary import FOREST, Tribe, Variant

SEED_BYTES: Final = fairness.SEED_BYTES


class Chance(Protocol):
    """The source of randomness for all games."""

    def new_seed(self) -> bytes:
        """A secret seed for a new game."""

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        """The starting position as text (S1-S5). If ``first`` is ``None``, the first tribe is random too."""

    def draw_key(self, key: bytes) -> bytes:
        """Return the key for the draws, derived from the game's key."""


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
        """Return the game's key itself. Tests override this method."""
        return key


class Seal:
    """The links that both players have revealed in a game with sealed draws, and those that they still owe."""

    def __init__(self, proof: fairness.Proof) -> None:
        self.proof = proof

    def add(self, tribe: Tribe, link: str) -> None:
        """Add a player's link. Raises ``ValueError`` if it is not the next one."""
        self.proof = self.proof.with_link(tribe, bytes.fromhex(link))

    def owed_for_start(self) -> list[Tribe]:
        """The tribes that have not revealed their link for the starting position."""
        return self._owed(1, self.proof.first or FOREST)

    def owed_for_draw(self, decided: Tribe, start: str, now: str) -> list[Tribe]:
        """The tribes that have not revealed their link for the next draw, beginning with the one that decided last.

        Nobody owes a link if only one tile can be drawn.
        """
        # Only random draws take tiles whose order is unknown, so the number that is left shows how many random
        # draws there have been.
        left = _unknown_tiles(now)
        return self._owed(2 + _unknown_tiles(start) - left, decided) if left else []

    def _owed(self, links: int, first: Tribe) -> list[Tribe]:
        return [tribe for tribe in (first, first.enemy) if len(self.proof.links(tribe)) < links]

    @property
    def key(self) -> bytes:
        """The key derived from both players' last links."""
        return self.proof.key_of_round(self.proof.rounds - 1)

    def deal(self, chance: Chance) -> str:
        """The starting position. Both players must have revealed their first link."""
        return chance.deal(self.key, self.proof.variant, self.proof.first)


def _unknown_tiles(position: str) -> int:
    """The number of tiles in the deck whose order is unknown.

    >>> _unknown_tiles("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    4
    """
    return len(position.partition("(")[2].partition(")")[0]) // 2
