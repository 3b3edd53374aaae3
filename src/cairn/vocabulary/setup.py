"""The seven fields of a position, which may or may not be valid."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterator, Mapping

from cairn.vocabulary.errors import Fault, MalformedError
from cairn.vocabulary.megaliths import Megalith
from cairn.vocabulary.spaces import Space
from cairn.vocabulary.tiles import Faces
from cairn.vocabulary.tribes import POINTS_TO_WIN, SHAMANS_PER_TRIBE, TRIBES, Tribe


@dataclasses.dataclass(frozen=True, slots=True)
class Deck:
    """The face-down tiles. Those in unknown order are on top; below them are those in known order, top first."""

    unknown: frozenset[Megalith] = frozenset()
    known: tuple[Megalith, ...] = ()

    @classmethod
    def of(cls, unknown: frozenset[Megalith], known: tuple[Megalith, ...]) -> Deck:
        """A deck in canonical form: a single tile in ``unknown`` must be the top tile, so it is moved to ``known``."""
        return cls(frozenset(), (*unknown, *known)) if len(unknown) == 1 else cls(unknown, known)

    def __len__(self) -> int:
        return len(self.unknown) + len(self.known)

    def draws(self) -> tuple[Megalith, ...]:
        """The tiles that may be drawn next, each equally likely."""
        return tuple(sorted(self.unknown)) or self.known[:1]

    def without(self, tile: Megalith) -> Deck:
        """The deck after drawing ``tile`` from it."""
        if self.unknown:
            return Deck.of(self.unknown - {tile}, self.known)
        return Deck(frozenset(), self.known[1:])

    def with_at_bottom(self, tile: Megalith) -> Deck:
        """The deck after putting ``tile`` at its bottom."""
        return Deck(self.unknown, (*self.known, tile))


@dataclasses.dataclass(frozen=True, slots=True)
class Setup:
    """The seven fields of a position. They may be invalid; :meth:`faults` lists the problems."""

    shamans: Mapping[Space, Tribe]
    megaliths: Mapping[Space, Megalith]
    upcoming: tuple[Megalith | None, Megalith | None]
    deck: Deck
    faces: Faces
    scores: Mapping[Tribe, int]
    active: Tribe

    def village(self, tribe: Tribe) -> int:
        """The number of shamans in a tribe's village."""
        return SHAMANS_PER_TRIBE - sum(1 for owner in self.shamans.values() if owner is tribe)

    def faults(self) -> list[Fault]:
        """Everything that makes the position invalid, in field order."""
        return [*self._shaman_faults(), *self._megalith_faults(), *self._upcoming_faults(), *self._deck_faults(),
                *self._score_faults(), *self._tile_faults()]  # fmt: skip

    def check(self) -> None:
        """Raise :class:`~cairn.MalformedError` with all faults, if any."""
        if faults := self.faults():
            raise MalformedError(faults)

    def _shaman_faults(self) -> Iterator[Fault]:
        for space in self.shamans:
            if not space.on_field:
                yield Fault("not-a-space", "shamans", f"{space} is not a space of the field", {"space": str(space)})
        for tribe in TRIBES:
            count = SHAMANS_PER_TRIBE - self.village(tribe)
            if count > SHAMANS_PER_TRIBE:
                sentence = f"{count} {tribe.value} shamans; a tribe has five"
                yield Fault("too-many-shamans", "shamans", sentence, {"tribe": tribe.value})

    def _megalith_faults(self) -> Iterator[Fault]:
        for space in self.megaliths:
            if not space.on_field:
                yield Fault("not-a-space", "megaliths", f"{space} is not a space of the field", {"space": str(space)})

    def _upcoming_faults(self) -> Iterator[Fault]:
        if None in self.upcoming and len(self.deck) > 0:
            yield Fault("empty-slot", "upcoming", "a slot can only be empty if the deck is empty")

    def _deck_faults(self) -> Iterator[Fault]:
        if len(self.deck.unknown) == 1:
            yield Fault("single-unknown", "deck", "a single tile has a known order; write it without parentheses")

    def _score_faults(self) -> Iterator[Fault]:
        for tribe in TRIBES:
            if not 0 <= self.scores[tribe] < POINTS_TO_WIN:
                sentence = f"{tribe.value} has {self.scores[tribe]}; a score is 0, 1 or 2"
                yield Fault("bad-score", "scores", sentence, {"tribe": tribe.value})

    def _tile_faults(self) -> Iterator[Fault]:
        everywhere = [*self.megaliths.values(), *self.upcoming, *self.deck.unknown, *self.deck.known]
        for tile, count in collections.Counter(everywhere).items():
            if tile is not None and count > 1:
                sentence = f"{tile} ({tile.name}) appears {count} times; each tile exists once"
                yield Fault("tile-twice", "tiles", sentence, {"megalith": tile.code})
