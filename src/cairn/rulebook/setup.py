"""Setup (S): dealing the start of a game."""

from __future__ import annotations

import random
from typing import Final

from cairn.vocabulary import (
    FOREST,
    SEA,
    STONE_CIRCLES,
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
    space_of,
)

STARTING_SPACES: Final[dict[Tribe, tuple[Space, ...]]] = {
    FOREST: (space_of("a1"), space_of("c1"), space_of("e1")),
    SEA: (space_of("a5"), space_of("c5"), space_of("e5")),
}
"""S1: each tribe's shamans start on the spaces of its first row that are not totem spaces."""


def deal(variant: Variant, rng: random.Random) -> Setup:
    """Deal a random start position for a variant. The set-up contains the tiles in the deck, but not their order."""
    tiles = list(variant.megaliths)
    rng.shuffle(tiles)  # S2
    on_circles = _megaliths_on_stone_circles(variant, tiles)
    rest = [tile for tile in tiles if tile not in on_circles.values()]
    first, second, *face_down = rest  # S3
    return Setup(
        shamans={space: tribe for tribe in TRIBES for space in STARTING_SPACES[tribe]},  # S1
        megaliths=on_circles,
        upcoming=(first, second),
        deck=Deck.of(frozenset(face_down), ()),
        faces=_tossed_faces(rng),
        scores={FOREST: 0, SEA: 0},
        active=rng.choice(TRIBES),  # S5
    )


def _megaliths_on_stone_circles(variant: Variant, tiles: list[Megalith]) -> dict[Space, Megalith]:
    """S2: two fixed tiles in the beginner variant, the first two shuffled tiles in the others."""
    if variant is Variant.BEGINNER:
        return {space: tile for space in STONE_CIRCLES for tile in tiles if tile.beginner_start == space}
    return dict(zip(STONE_CIRCLES, tiles[:2], strict=True))


def _tossed_faces(rng: random.Random) -> Faces:
    """S4: a fair toss for each of the four tiles."""
    return Faces(
        add=rng.choice(list(AddFace)),
        move=rng.choice(list(MoveFace)),
        jump=rng.choice(list(JumpFace)),
        transformation=rng.choice(list(TransformationFace)),
    )
