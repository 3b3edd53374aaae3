"""The proof of a game, stored in the headers of its record."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Final

from cairn.fairness import draws
from cairn.fairness.seeds import HEX, commitment_of, key_of, number_fault, read_number
from cairn.vocabulary import FOREST, Fault, MalformedError, Tribe, Variant, tribe_of

VERSION: Final = 2
"""The version of new proofs. In version 1, the key did not cover the variant, ``First`` or ``Tossed``."""


@dataclasses.dataclass(frozen=True, slots=True)
class Proof:
    """Everything that determines the draws of a game. Until the game ends, only the server knows the seed.

    >>> proof = Proof.begin(bytes(32), "abc", Variant.BEGINNER, first=None)
    >>> proof.hidden().seed is None
    True
    """

    commitment: bytes
    seed: bytes | None = dataclasses.field(repr=False)
    """``None`` until the seed is revealed. ``repr`` leaves the seed out, so that it never gets into a log."""
    forest_number: bytes
    sea_number: bytes
    game: str
    """The game's id."""
    variant: Variant
    first: Tribe | None
    """The tribe that begins, if it was chosen; ``None`` if it was tossed."""
    tossed: Tribe | None = None
    """The challenger's tribe, decided by the toss; ``None`` if the tribes were chosen."""
    version: int = VERSION

    @classmethod
    def begin(
        cls,
        seed: bytes,
        game: str,
        variant: Variant,
        first: Tribe | None,
        *,
        tossed: Tribe | None = None,
        version: int = VERSION,
    ) -> Proof:
        """The proof for a new game, before any player adds a number."""
        return cls(commitment_of(seed, game), seed, b"", b"", game, variant, first, tossed, version)

    def with_number(self, tribe: Tribe, number: bytes) -> Proof:
        """The proof with a tribe's number. Raises ``ValueError`` if it is not valid or the tribe has one already."""
        if fault := number_fault(number):
            raise ValueError(fault)
        name = "forest_number" if tribe is FOREST else "sea_number"
        if getattr(self, name):
            raise ValueError(f"{tribe.value.capitalize()} has already added its number")
        return dataclasses.replace(self, **{name: number})  # type: ignore[arg-type]  # one of the two names above

    def hidden(self) -> Proof:
        """The public part of the proof during the game, without the seed."""
        return dataclasses.replace(self, seed=None)

    @property
    def key(self) -> bytes:
        """The key for all draws. Keep it as secret as the seed. Raises ``ValueError`` if the seed is not revealed."""
        if self.seed is None:
            raise ValueError("the seed is not revealed")
        terms = [self.variant.value, *(tribe.letter if tribe else "" for tribe in (self.first, self.tossed))]
        covered = terms if self.version > 1 else None
        return key_of(self.seed, self.forest_number, self.sea_number, self.game, covered)

    def deal(self) -> str:
        """The start of the game."""
        return draws.deal(self.key, self.variant, self.first)

    def toss_tribes(self) -> Tribe:
        """Recompute the toss for the challenger's tribe. The challenger's number is the number of the tossed tribe."""
        if self.seed is None or self.tossed is None:
            raise ValueError("the seed is not revealed, or the tribes were not tossed")
        numbers = (self.forest_number, self.sea_number)
        challengers, opponents = numbers if self.tossed is FOREST else numbers[::-1]
        return draws.toss_tribes(self.seed, challengers, opponents, self.game)

    def headers(self) -> dict[str, str]:
        """The record headers of the proof, except ``Variant``. Includes ``Seed`` only once the seed is revealed."""
        headers = {"Game": self.game, "Commitment": self.commitment.hex()}
        if self.seed is not None:
            headers["Seed"] = self.seed.hex()
        headers |= {"ForestNumber": self.forest_number.hex(), "SeaNumber": self.sea_number.hex()}
        if self.first:
            headers["First"] = self.first.letter
        if self.tossed:
            headers["Tossed"] = self.tossed.letter
        if self.version > 1:
            headers["Proof"] = str(self.version)
        return headers

    @classmethod
    def from_headers(cls, headers: Mapping[str, str]) -> Proof | None:
        """The proof in the headers of a record, if any. Raises :class:`~cairn.MalformedError` with every fault."""
        if not {"Commitment", "Seed", "ForestNumber", "SeaNumber"} & headers.keys():
            return None
        if faults := list(_header_faults(headers)):
            raise MalformedError(faults)
        return cls(
            commitment=bytes.fromhex(headers["Commitment"]),
            seed=bytes.fromhex(headers["Seed"]) if "Seed" in headers else None,
            forest_number=read_number(headers["ForestNumber"]),
            sea_number=read_number(headers["SeaNumber"]),
            game=headers["Game"],
            variant=Variant(headers["Variant"]),
            first=tribe_of(headers["First"]) if "First" in headers else None,
            tossed=tribe_of(headers["Tossed"]) if "Tossed" in headers else None,
            version=int(headers.get("Proof", "1")),
        )


def _header_faults(headers: Mapping[str, str]) -> Iterator[Fault]:
    for name in ("Game", "Commitment", "ForestNumber", "SeaNumber", "Variant"):
        if name not in headers:
            yield Fault("missing-header", name, "this header is missing")
    if headers.get("Game") == "":
        yield Fault("bad-game", "Game", "this header is empty")
    for name in ("Commitment", "Seed"):
        text = headers.get(name)
        if text is not None and not (HEX.fullmatch(text) and len(text) == 64):
            yield Fault("bad-bytes", name, "not 32 bytes in hexadecimal: expected 64 digits from 0-9 and a-f")
    for name in ("ForestNumber", "SeaNumber"):
        try:
            read_number(headers.get(name, ""))
        except ValueError as error:
            yield Fault("bad-number", name, str(error))
    variants = [each.value for each in Variant]
    if headers.get("Variant", variants[0]) not in variants:
        yield Fault("bad-variant", "Variant", f"{headers['Variant']!r} is not one of {' '.join(variants)}")
    for name in ("First", "Tossed"):
        yield from _tribe_faults(name, headers.get(name, "F"))
    yield from _version_faults(headers.get("Proof", "1"))


def _version_faults(version: str) -> Iterator[Fault]:
    if version not in ("1", "2"):
        yield Fault("bad-proof", "Proof", f"expected 1 or 2, not {version!r}")


def _tribe_faults(name: str, letter: str) -> Iterator[Fault]:
    if letter not in ("F", "S"):
        yield Fault(f"bad-{name.lower()}", name, f"{letter!r} is neither F nor S")
