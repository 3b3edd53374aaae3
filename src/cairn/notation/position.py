"""Positions as text: seven fields separated by single spaces.

S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from cairn.vocabulary import (
    FOREST,
    MEGALITHS,
    SEA,
    SPACES,
    TRIBES,
    AddFace,
    Deck,
    Faces,
    Fault,
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

FIELDS: Final = ("shamans", "megaliths", "upcoming", "deck", "faces", "scores", "active")
EMPTY_SLOT: Final = "--"
LONGEST_POSITION: Final = 300
"""In characters, with some margin. Longer texts are rejected without being parsed or cached."""
MOST_FIELDS: Final = 2_048
"""The size of each cache. Caching helps because most fields stay the same from one moment to the next."""
NO_UPCOMING: Final[tuple[Megalith | None, Megalith | None]] = (None, None)
NO_DECK: Final = Deck()
FRONT_FACES: Final = Faces(AddFace.WHITE, MoveFace.ORTHOGONAL, JumpFace.FRIEND, TransformationFace.MIDDLE)

Value = TypeVar("Value")


class _Unreadable(Exception):
    """The text of a field is not valid; becomes a :class:`Fault` in that field, or in ``place`` if given."""

    def __init__(self, kind: str, sentence: str, place: str | None = None, **details: str) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence
        self.place = place
        self.details = details


def read_position(text: str) -> Setup:
    """Read and check a position; raises :class:`~cairn.MalformedError` with every fault in every field."""
    setup, faults, unreadable = _read_fields(text)
    # An unreadable field was replaced by an empty one; do not report faults that only this causes.
    excused = unreadable | ({"upcoming"} if "deck" in unreadable else set())
    faults += [fault for fault in setup.faults() if fault.field not in excused]
    if faults:
        places = (*FIELDS, "tiles")
        raise MalformedError(sorted(faults, key=lambda fault: places.index(fault.field)))
    return setup


def read_setup(text: str) -> Setup:
    """Read a set-up that need not be a valid position: a moment in the middle of a turn, or after the end of the game.

    Raises :class:`~cairn.MalformedError` with every field that cannot be read.
    """
    setup, faults, _ = _read_fields(text)
    if faults:
        raise MalformedError(faults)
    return setup


def _read_fields(text: str) -> tuple[Setup, list[Fault], set[str]]:
    """The set-up, its faults, and the names of the unreadable fields, which are left empty."""
    if len(text) > LONGEST_POSITION:
        sentence = f"a position has at most {LONGEST_POSITION} characters; this text has {len(text)}"
        raise MalformedError([Fault("field-count", "fields", sentence)])
    fields = text.split(" ")
    if len(fields) != len(FIELDS) or "" in fields:
        found = sum(1 for field in fields if field)
        empty = "; put one space between two fields" if found and "" in fields else ""
        sentence = f"a position has seven fields ({', '.join(FIELDS)}); this text has {found or 'none'}{empty}"
        raise MalformedError([Fault("field-count", "fields", sentence)])

    try:
        setup = Setup(
            _read_shamans(fields[0]),
            _read_megaliths(fields[1]),
            _read_upcoming(fields[2]),
            _read_deck(fields[3]),
            _read_faces(fields[4]),
            _read_scores(fields[5]),
            _read_active(fields[6]),
        )
    except _Unreadable:
        return _read_with_faults(fields)
    return setup, [], set()


def _read_with_faults(fields: Sequence[str]) -> tuple[Setup, list[Fault], set[str]]:
    """Read seven fields, at least one of which is not valid."""
    faults: list[Fault] = []
    unreadable: set[str] = set()

    def field(number: int, read: Callable[[str], Value], fallback: Value) -> Value:
        try:
            return read(fields[number])
        except _Unreadable as error:
            name = FIELDS[number]
            unreadable.add(name)
            faults.append(Fault(error.kind, error.place or name, error.sentence, error.details))
            return fallback

    setup = Setup(
        shamans=field(0, _read_shamans, {}),
        megaliths=field(1, _read_megaliths, {}),
        upcoming=field(2, _read_upcoming, NO_UPCOMING),
        deck=field(3, _read_deck, NO_DECK),
        faces=field(4, _read_faces, FRONT_FACES),
        scores=field(5, _read_scores, {FOREST: 0, SEA: 0}),
        active=field(6, _read_active, FOREST),
    )
    return setup, faults, unreadable


def write_position(setup: Setup) -> str:
    """Write the canonical text: equal set-ups give equal text."""
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


def _read_shamans(text: str) -> dict[Space, Tribe]:
    rows = text.split("/")
    if len(rows) != SIZE:
        raise _Unreadable("row-count", f"expected five rows, found {len(rows)}")
    fifth, fourth, third, second, first = map(_read_row, range(SIZE, 0, -1), rows)
    return {**fifth, **fourth, **third, **second, **first}


@functools.cache  # there are few distinct rows
def _read_row(row_number: int, row: str) -> Mapping[Space, Tribe]:
    if bad := re.search("[^FS1-5]", row):
        raise _Unreadable(
            "bad-letter",
            f"{bad[0]!r} in row {row_number}; a row is written with F, S and 1-5",
            what=bad[0],
            row=str(row_number),
        )
    if re.search("[1-5]{2}", row):
        raise _Unreadable(
            "two-digits", f"two digits side by side in row {row_number}; write their sum", row=str(row_number)
        )
    places = "".join("." * int(letter) if letter.isdigit() else letter for letter in row)
    if len(places) != SIZE:
        raise _Unreadable(
            "row-length", f"row {row_number} has {len(places)} spaces; expected five", row=str(row_number)
        )
    return {
        Space(column, row_number): tribe_of(letter) for column, letter in enumerate(places, start=1) if letter != "."
    }


def _write_row(setup: Setup, row: int) -> str:
    places = (setup.shamans.get(Space(column, row)) for column in range(1, SIZE + 1))
    letters = "".join(tribe.letter if tribe else "." for tribe in places)
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), letters)


def _read_megaliths(text: str) -> dict[Space, Megalith]:
    return dict(_megaliths_in(text))


@functools.lru_cache(MOST_FIELDS)
def _megaliths_in(text: str) -> Mapping[Space, Megalith]:
    if text == "-":
        return {}
    megaliths: dict[Space, Megalith] = {}
    for entry in text.split(","):
        if not re.fullmatch("[a-e][1-5]..", entry):
            raise _Unreadable("bad-entry", f"{entry!r} is not a space followed by a tile, such as b3CG", what=entry)
        space = space_of(entry[:2])
        if space in megaliths:
            raise _Unreadable("space-twice", f"{space} appears twice; a space holds one megalith", space=str(space))
        if megaliths and SPACES.index(space) < SPACES.index(list(megaliths)[-1]):
            raise _Unreadable("order", f"{space} is out of order: a1 b1 ... e1 a2 ... e5", space=str(space))
        megaliths[space] = _read_tile(entry[2:])
    return megaliths


def _read_tile(code: str) -> Megalith:
    if code not in MEGALITHS:
        raise _Unreadable("unknown-code", f"{code!r} is not the code of a megalith", what=code)
    return MEGALITHS[code]


def _read_tiles(text: str) -> tuple[Megalith, ...]:
    if len(text) % 2:
        raise _Unreadable("odd-length", f"{text!r} is not a list of two-letter codes", what=text)
    return tuple(_read_tile(text[index : index + 2]) for index in range(0, len(text), 2))


@functools.lru_cache(MOST_FIELDS)
def _read_upcoming(text: str) -> tuple[Megalith | None, Megalith | None]:
    if len(text) != 4:
        raise _Unreadable(
            "slots", f"{text!r} is not two slots of two letters; an empty slot is {EMPTY_SLOT}", what=text
        )
    first, second = (None if slot == EMPTY_SLOT else _read_tile(slot) for slot in (text[:2], text[2:]))
    return first, second


@functools.lru_cache(MOST_FIELDS)
def _read_deck(text: str) -> Deck:
    if text == "-":
        return Deck()
    match = re.fullmatch(r"(?:\(([^()]*)\))?([^()]*)", text)
    if not match:
        raise _Unreadable("parentheses", "expected at most one pair of parentheses, at the beginning")
    known = _read_tiles(match[2])
    if match[1] is None:
        return Deck(known=known)
    unknown = _read_tiles(match[1])
    if len(unknown) < 2:
        raise _Unreadable("single-unknown", "parentheses hold two tiles or more; write a single tile without them")
    if list(unknown) != sorted(unknown):
        raise _Unreadable("order", "tiles of unknown order must be in alphabetical order")
    if len(set(unknown)) < len(unknown):
        # A set cannot hold a tile twice, so check for it here.
        twice = next(tile for tile in unknown if unknown.count(tile) > 1)
        raise _Unreadable(
            "tile-twice", f"{twice} ({twice.name}) appears twice in the deck", "tiles", megalith=twice.code
        )
    return Deck(frozenset(unknown), known)


def _write_deck(deck: Deck) -> str:
    unknown = f"({''.join(map(str, sorted(deck.unknown)))})" if deck.unknown else ""
    return unknown + "".join(map(str, deck.known)) or "-"


@functools.cache
def _read_faces(text: str) -> Faces:
    match = re.fullmatch("([wb])([od])([fe])([me])", text)
    if not match:
        raise _Unreadable("faces", f"{text!r} is not four faces: w or b, o or d, f or e, m or e", what=text)
    return Faces(AddFace(match[1]), MoveFace(match[2]), JumpFace(match[3]), TransformationFace(match[4]))


def _read_scores(text: str) -> dict[Tribe, int]:
    return dict(_scores_in(text))


@functools.cache  # there are few distinct scores
def _scores_in(text: str) -> Mapping[Tribe, int]:
    match = re.fullmatch("([0-9])-([0-9])", text)
    if not match:
        raise _Unreadable("scores", f"{text!r} is not two scores, Forest's and Sea's, such as 0-2", what=text)
    return {FOREST: int(match[1]), SEA: int(match[2])}


def _read_active(text: str) -> Tribe:
    if text not in ("F", "S"):
        raise _Unreadable("active", f"{text!r} is not a tribe; the active player is F or S", what=text)
    return tribe_of(text)
