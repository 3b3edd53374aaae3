"""The proof that a game's draws were fair, stored in the headers of its record."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Final

from cairn.fairness import draws
from cairn.fairness.links import LINK_BYTES, link_before, links_to
from cairn.fairness.seeds import HEX, commitment_of, key_of, number_fault, read_number
from cairn.vocabulary import FOREST, Fault, MalformedError, Tribe, Variant, tribe_of

VERSION: Final = 2
"""The version of new proofs without sealed draws. Version 1 keys did not cover the variant, ``First`` or ``Tossed``."""
SEALED_VERSION: Final = 3
"""The version of proofs for sealed draws. Each number is the anchor of a chain, and each draw has its own key."""
UNKNOWN_START: Final = "S1S1S/5/5/5/F1F1F - ---- - wofm 0-0 F"
"""The position in a game with sealed draws until its start is drawn. It has no megaliths."""


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
    """The tribe that was chosen to begin; ``None`` if a toss decided who begins."""
    tossed: Tribe | None = None
    """The challenger's tribe, decided by the toss; ``None`` if the tribes were chosen."""
    version: int = VERSION
    forest_links: tuple[bytes, ...] = ()
    """With sealed draws, the links that Forest has revealed, in order."""
    sea_links: tuple[bytes, ...] = ()

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
        """The proof with a tribe's number. Raises ``ValueError`` if it is invalid or the tribe already has a number."""
        if fault := number_fault(number):
            raise ValueError(fault)
        name = "forest_number" if tribe is FOREST else "sea_number"
        if getattr(self, name):
            raise ValueError(f"{tribe.value.capitalize()} has already added its number")
        return dataclasses.replace(self, **{name: number})  # type: ignore[arg-type]  # one of the two names above

    @property
    def is_sealed(self) -> bool:
        """Whether each draw needs a link from both seats."""
        return self.version == SEALED_VERSION

    def links(self, tribe: Tribe) -> tuple[bytes, ...]:
        """The links that a tribe has revealed, in order."""
        return self.forest_links if tribe is FOREST else self.sea_links

    @property
    def rounds(self) -> int:
        """With sealed draws, how many times both seats have revealed a link, for the starting position or a draw."""
        return min(len(self.forest_links), len(self.sea_links))

    def with_link(self, tribe: Tribe, link: bytes) -> Proof:
        """The proof with a tribe's next link. Raises ``ValueError`` if its hash is not the tribe's previous link."""
        number = self.forest_number if tribe is FOREST else self.sea_number
        links = self.links(tribe)
        if link_before(link, self.game) != (links[-1] if links else number):
            raise ValueError("the hash of this link is not the link before it")
        name = "forest_links" if tribe is FOREST else "sea_links"
        return dataclasses.replace(self, **{name: (*links, link)})  # type: ignore[arg-type]  # one of the two names

    def hidden(self) -> Proof:
        """The public part of the proof during the game, without the seed and the links."""
        return dataclasses.replace(self, seed=None, forest_links=(), sea_links=())

    @property
    def key(self) -> bytes:
        """The key for all draws. Keep it as secret as the seed. Raises ``ValueError`` if the seed is not revealed."""
        if self.is_sealed:
            raise ValueError("there is no single key: with sealed draws, each draw has its own key")
        return self._key(None)

    def key_of_round(self, number: int) -> bytes:
        """The key for the starting position (0) or for a random draw, counted from 1.

        Without sealed draws, all of them share one key. Raises ``ValueError`` if the seed or a link is not revealed.
        """
        if not self.is_sealed:
            return self.key
        if number >= self.rounds:
            raise ValueError(f"the seats have revealed links for {self.rounds} rounds, not for round {number}")
        return self._key((self.forest_links[number], self.sea_links[number]))

    def _key(self, links: tuple[bytes, bytes] | None) -> bytes:
        if self.seed is None:
            raise ValueError("cannot compute the key: the seed is not revealed")
        terms = [self.variant.value, *(tribe.letter if tribe else "" for tribe in (self.first, self.tossed))]
        covered = terms if self.version > 1 else None
        return key_of(self.seed, self.forest_number, self.sea_number, self.game, covered, links)

    def deal(self) -> str:
        """The starting position; with sealed draws, :data:`UNKNOWN_START` until both seats have revealed a link."""
        if self.is_sealed and not self.rounds:
            return UNKNOWN_START
        return draws.deal(self.key_of_round(0), self.variant, self.first)

    def toss_tribes(self) -> Tribe:
        """Recompute the toss for the challenger's tribe. The challenger's number is that of the tribe in ``tossed``."""
        if self.seed is None or self.tossed is None:
            raise ValueError("cannot recompute the toss: the seed is not revealed, or the tribes were not tossed")
        numbers = (self.forest_number, self.sea_number)
        challengers, opponents = numbers if self.tossed is FOREST else numbers[::-1]
        return draws.toss_tribes(self.seed, challengers, opponents, self.game)

    def headers(self) -> dict[str, str]:
        """The record headers of the proof, except ``Variant``. Includes ``Seed`` only once the seed is revealed."""
        headers = {"Game": self.game, "Commitment": self.commitment.hex()}
        if self.seed is not None:
            headers["Seed"] = self.seed.hex()
        headers |= {"ForestNumber": self.forest_number.hex(), "SeaNumber": self.sea_number.hex()}
        for name, links in (("ForestLink", self.forest_links), ("SeaLink", self.sea_links)):
            if links:
                headers[name] = links[-1].hex()
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
            forest_links=_read_links(headers, "Forest"),
            sea_links=_read_links(headers, "Sea"),
        )


def _read_links(headers: Mapping[str, str], seat: str) -> tuple[bytes, ...]:
    """The links of a seat. The record has only the last one, because hashing it repeatedly gives the others."""
    last = headers.get(f"{seat}Link")
    if last is None:
        return ()
    return links_to(bytes.fromhex(last), bytes.fromhex(headers[f"{seat}Number"]), headers["Game"])


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
    yield from _link_faults(headers)


def _version_faults(version: str) -> Iterator[Fault]:
    if version not in ("1", "2", "3"):
        yield Fault("bad-proof", "Proof", f"expected 1, 2 or 3, not {version!r}")


def _link_faults(headers: Mapping[str, str]) -> Iterator[Fault]:
    sealed = headers.get("Proof") == str(SEALED_VERSION)
    for seat in ("Forest", "Sea"):
        number, last = headers.get(f"{seat}Number", ""), headers.get(f"{seat}Link")
        if sealed and not _is_link(number):
            sentence = "with sealed draws, a number is an anchor: 32 bytes, so 64 digits from 0-9 and a-f"
            yield Fault("bad-number", f"{seat}Number", sentence)
        elif last is not None and not sealed:
            yield Fault("bad-link", f"{seat}Link", "only a proof of version 3 has links")
        elif last is not None and not _is_link(last):
            yield Fault("bad-link", f"{seat}Link", "not 32 bytes in hexadecimal: expected 64 digits from 0-9 and a-f")
        elif last is not None and headers.get("Game"):
            try:
                _read_links(headers, seat)
            except ValueError as error:
                yield Fault("bad-link", f"{seat}Link", str(error))


def _is_link(text: str) -> bool:
    return HEX.fullmatch(text) is not None and len(text) == 2 * LINK_BYTES


def _tribe_faults(name: str, letter: str) -> Iterator[Fault]:
    if letter not in ("F", "S"):
        yield Fault(f"bad-{name.lower()}", name, f"{letter!r} is neither F nor S")
