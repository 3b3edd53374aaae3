"""Positions as text: seven fields separated by single spaces.

S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Final

from cairn._native import core
from cairn.notation.faults import encode, faults_of
from cairn.vocabulary import (
    FOREST,
    MEGALITHS,
    SEA,
    SPACES,
    TRIBES,
    AddFace,
    Deck,
    Faces,
    JumpFace,
    MalformedError,
    Megalith,
    MoveFace,
    Setup,
    Space,
    TransformationFace,
    Tribe,
    space_of,
    tribe_of,
)
from cairn.vocabulary.spaces import SIZE

EMPTY_SLOT: Final = "--"
MOST_FIELDS: Final = 2_048
"""The maximum number of entries in each cache. Caching helps, because a token changes few of the fields."""


def read_position(text: str) -> Setup:
    """Read and check a position. Raises :class:`~cairn.MalformedError` with every fault in every field."""
    return _read(text, whole=True)


def read_setup(text: str) -> Setup:
    """Read a set-up that need not be a valid position, for example in the middle of a turn or after the game.

    Raises :class:`~cairn.MalformedError` with a fault for every field that cannot be read.
    """
    return _read(text, whole=False)


def _read(text: str, *, whole: bool) -> Setup:
    if faults := core.position_faults(encode(text), whole):
        raise MalformedError(faults_of(faults))
    return setup_of(text)


def setup_of(text: str) -> Setup:
    """The set-up for a text without faults."""
    fields = text.split(" ")
    return Setup(
        _shamans_in(fields[0]),
        dict(_megaliths_in(fields[1])),
        _upcoming_in(fields[2]),
        _deck_in(fields[3]),
        _faces_in(fields[4]),
        {FOREST: int(fields[5][0]), SEA: int(fields[5][2])},
        tribe_of(fields[6]),
    )


def write_position(setup: Setup) -> str:
    """Write the canonical text. Equal set-ups give equal texts."""
    return " ".join(
        (
            "/".join(_write_row(setup, row) for row in range(SIZE, 0, -1)),
            ",".join(f"{space}{setup.megaliths[space]}" for space in SPACES if space in setup.megaliths) or "-",
            "".join(tile.code if tile else EMPTY_SLOT for tile in setup.upcoming),
            _write_deck(setup.deck),
            str(setup.faces),
            "-".join(str(setup.scores[tribe]) for tribe in TRIBES),
            setup.active.letter,
        )
    )


def _shamans_in(text: str) -> dict[Space, Tribe]:
    fifth, fourth, third, second, first = map(_row_in, range(SIZE, 0, -1), text.split("/"))
    return {**fifth, **fourth, **third, **second, **first}


@functools.cache  # there are few distinct rows
def _row_in(row_number: int, row: str) -> Mapping[Space, Tribe]:
    places = "".join("." * int(letter) if letter.isdigit() else letter for letter in row)
    return {
        Space(column, row_number): tribe_of(letter) for column, letter in enumerate(places, start=1) if letter != "."
    }


def _write_row(setup: Setup, row: int) -> str:
    places = (setup.shamans.get(Space(column, row)) for column in range(1, SIZE + 1))
    letters = "".join(tribe.letter if tribe else "." for tribe in places)
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), letters)


@functools.lru_cache(MOST_FIELDS)
def _megaliths_in(text: str) -> Mapping[Space, Megalith]:
    entries = () if text == "-" else text.split(",")
    return {space_of(entry[:2]): MEGALITHS[entry[2:]] for entry in entries}


def _tiles_in(text: str) -> tuple[Megalith, ...]:
    return tuple(MEGALITHS[text[index : index + 2]] for index in range(0, len(text), 2))


@functools.lru_cache(MOST_FIELDS)
def _upcoming_in(text: str) -> tuple[Megalith | None, Megalith | None]:
    first, second = (None if slot == EMPTY_SLOT else MEGALITHS[slot] for slot in (text[:2], text[2:]))
    return first, second


@functools.lru_cache(MOST_FIELDS)
def _deck_in(text: str) -> Deck:
    unknown, _, known = text.strip("(-").rpartition(")")
    return Deck(frozenset(_tiles_in(unknown)), _tiles_in(known))


def _write_deck(deck: Deck) -> str:
    unknown = f"({''.join(map(str, sorted(deck.unknown)))})" if deck.unknown else ""
    return unknown + "".join(map(str, deck.known)) or "-"


@functools.cache
def _faces_in(text: str) -> Faces:
    return Faces(AddFace(text[0]), MoveFace(text[1]), JumpFace(text[2]), TransformationFace(text[3]))
