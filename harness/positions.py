"""Random positions: starting positions of all variants, and crowded boards on which rare events are common."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from cairn import rulebook
from cairn.notation import write_position
from cairn.vocabulary import (
    FOREST,
    MEGALITHS,
    SEA,
    SHAMANS_PER_TRIBE,
    SPACES,
    TRIBES,
    AddFace,
    Deck,
    Faces,
    JumpFace,
    Megalith,
    MoveFace,
    Setup,
    Space,
    TransformationFace,
    Tribe,
    Variant,
    totem,
)

CHAIN_TILES: Final = tuple(MEGALITHS[code] for code in ("CD", "CS", "DR", "MD", "FC", "HP", "SH"))
"""The megaliths whose power can bring a shaman onto another megalith."""

Thing = TypeVar("Thing")
Positions = Callable[[random.Random], Setup]


def start(rng: random.Random) -> Setup:
    """The starting position of a random variant."""
    return rulebook.deal(rng.choice(list(Variant)), rng)


def crowded(rng: random.Random) -> Setup:
    """Megaliths and shamans all over the field."""
    megaliths = dict(zip(rng.sample(SPACES, rng.randint(2, 15)), _shuffled(MEGALITHS.values(), rng), strict=False))
    return table(rng, shamans(rng, SPACES), megaliths)


def chains(rng: random.Random) -> Setup:
    """Chain tiles close together, with shamans on and next to them, so that powers trigger further powers."""
    centre = rng.choice(SPACES)
    around = sorted(SPACES, key=lambda space: _distance(space, centre) + rng.random())
    tiles = _shuffled(CHAIN_TILES, rng) + _shuffled(set(MEGALITHS.values()) - set(CHAIN_TILES), rng)
    count = rng.randint(2, 12)
    megaliths = dict(zip(_shuffled(around[:count], rng), tiles, strict=False))
    return table(rng, shamans(rng, around[: count + 8]), megaliths)


def copies(rng: random.Random) -> Setup:
    """The Shifting Stone among shamans, with a random upcoming tile for it to copy."""
    stone = rng.choice(SPACES)
    tiles = [tile for tile in _shuffled(MEGALITHS.values(), rng) if tile.code != "SH"]
    copied, tiles = tiles[0], tiles[1:]
    others = [space for space in SPACES if space != stone]
    megaliths = {stone: MEGALITHS["SH"]} | dict(zip(rng.sample(others, rng.randint(1, 6)), tiles, strict=False))
    standing = shamans(rng, others)
    standing |= dict.fromkeys(rng.sample(stone.neighbours(), 2), rng.choice(TRIBES))
    if any(list(standing.values()).count(tribe) > SHAMANS_PER_TRIBE for tribe in TRIBES):
        return copies(rng)
    return table(rng, standing, megaliths, upcoming_first=copied)


def last_points(rng: random.Random) -> Setup:
    """Both tribes near the exit and their third point, with few tiles left. Leads to exits, wins and empty slots."""
    near_exit = {tribe: [space for space in SPACES if _rows_to_exit(tribe, space) <= 2] for tribe in TRIBES}
    standing: dict[Space, Tribe] = {}
    for tribe in TRIBES:
        standing |= dict.fromkeys(rng.sample(near_exit[tribe], rng.randint(1, 5)), tribe)
    megaliths = dict(zip(rng.sample(SPACES, rng.randint(0, 9)), _shuffled(MEGALITHS.values(), rng), strict=False))
    return table(rng, standing, megaliths, tiles_left=rng.choice((0, 0, 1, 2, 3)))


def nearly_blocked(rng: random.Random) -> Setup:
    """A tribe that blocks its own totem spaces and is hemmed in by its enemy, so that it soon has no action (T1)."""
    victim = rng.choice(TRIBES)
    standing = {totem(victim, colour): victim for colour in rng.sample(list(AddFace), rng.randint(1, 2))}
    around = sorted({near for space in standing for near in space.neighbours()} - standing.keys())
    standing |= dict.fromkeys(rng.sample(around, min(len(around), rng.randint(3, 5))), victim.enemy)
    free = [space for space in SPACES if space not in standing]
    megaliths = dict(zip(rng.sample(free, rng.randint(0, 3)), _shuffled(MEGALITHS.values(), rng), strict=False))
    return table(rng, standing, megaliths)


KINDS: Final[dict[str, Positions]] = {
    "start": start,
    "crowded": crowded,
    "chains": chains,
    "copies": copies,
    "last points": last_points,
    "nearly blocked": nearly_blocked,
}


def text_of(setup: Setup) -> str:
    """Return a position as text. Raises an error if it is invalid; the functions above return only valid positions."""
    setup.check()
    return write_position(setup)


def shamans(rng: random.Random, spaces: Sequence[Space]) -> dict[Space, Tribe]:
    """One to five shamans of each tribe on some of the spaces."""
    numbers = {tribe: rng.randint(1, 5) for tribe in TRIBES}
    owners = [tribe for tribe in TRIBES for _ in range(numbers[tribe])]
    return dict(zip(rng.sample(spaces, min(len(owners), len(spaces))), _shuffled(owners, rng), strict=False))


def table(
    rng: random.Random,
    standing: dict[Space, Tribe],
    megaliths: dict[Space, Megalith],
    tiles_left: int | None = None,
    upcoming_first: Megalith | None = None,
) -> Setup:
    """Return a position with the given shamans and megaliths. Everything else is random.

    ``tiles_left`` is the number of tiles in the upcoming slots and the deck; by default it is random. Part of the deck
    may be in known order. ``upcoming_first`` is a tile that is always upcoming.
    """
    rest = _shuffled(set(MEGALITHS.values()) - set(megaliths.values()), rng)
    if upcoming_first:
        rest.remove(upcoming_first)
        rest.insert(0, upcoming_first)
    rest = rest[: rng.randint(1 if upcoming_first else 0, len(rest)) if tiles_left is None else tiles_left]
    upcoming: list[Megalith | None] = [*rest[:2], None, None][:2]
    rng.shuffle(upcoming)  # a single tile may be in either slot
    deck = rest[2:]
    unknown = rng.choice((0, len(deck), rng.randint(0, len(deck))))
    return Setup(
        shamans=standing,
        megaliths=megaliths,
        upcoming=(upcoming[0], upcoming[1]),
        deck=Deck.of(frozenset(deck[:unknown]), tuple(deck[unknown:])),
        faces=Faces(
            rng.choice(list(AddFace)),
            rng.choice(list(MoveFace)),
            rng.choice(list(JumpFace)),
            rng.choice(list(TransformationFace)),
        ),
        scores={FOREST: rng.randint(0, 2), SEA: rng.randint(0, 2)},
        active=rng.choice(TRIBES),
    )


def _shuffled(things: Iterable[Thing], rng: random.Random) -> list[Thing]:
    """Shuffle in a way that depends only on ``rng`` and not on the iteration order of sets."""
    ordered = sorted(things, key=str)
    rng.shuffle(ordered)
    return ordered


def _distance(space: Space, other: Space) -> int:
    return max(abs(space.column - other.column), abs(space.row - other.row))


def _rows_to_exit(tribe: Tribe, space: Space) -> int:
    return abs(tribe.enemy.first_row - space.row) + 1
