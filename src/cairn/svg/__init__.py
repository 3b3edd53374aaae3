"""Drawings of the game as SVG, for notebooks and documents.

All artwork is drawn in code, on a design grid of 100 x 100 units per piece. It has its own colours, so it looks the
same on light and dark pages. This package contains no rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cairn.svg import words
from cairn.svg.elements import at, document, group, title
from cairn.svg.field import coordinates as coordinate_labels
from cairn.svg.field import land, spaces, totems
from cairn.svg.layout import (
    MARGIN,
    MEGALITH,
    PIECE_HEIGHT,
    SHAMAN,
    SHAMAN_ON_MEGALITH,
    TABLE_HEIGHT,
    TABLE_WIDTH,
    TILE_HEIGHT,
    TILE_WIDTH,
    on_space,
)
from cairn.svg.marks import caller_marks, over, under
from cairn.svg.megaliths import stone
from cairn.svg.panel import panel
from cairn.svg.shamans import figure
from cairn.svg.tiles import WORDS, tile
from cairn.svg.villages import village
from cairn.vocabulary import (
    FOREST,
    SPACES,
    TRIBES,
    AddFace,
    JumpFace,
    Megalith,
    MoveFace,
    Setup,
    Space,
    Token,
    TransformationFace,
    Tribe,
)


def board(
    setup: Setup,
    *,
    orientation: Tribe = FOREST,
    last: Sequence[Token] = (),
    marks: Mapping[Space, str] | None = None,
    size: int = 480,
    coordinates: bool = True,
) -> str:
    """Draw the whole table for a position.

    ``orientation`` is the tribe at the bottom. ``last`` lists the tokens to show as just played, with a dashed frame
    where a piece left, brackets where a piece arrived, and a cross where a shaman was banished. ``marks`` highlights
    spaces with a ``"dot"``, ``"ring"``, ``"cross"`` or ``"star"``, or with any other text of up to four letters as a
    badge. ``size`` is the width in pixels.
    """
    drawing = group(
        land(orientation),
        *(village(setup, tribe, orientation) for tribe in TRIBES),
        spaces(setup, orientation),
        totems(setup, orientation, covered=False),
        coordinate_labels(orientation) if coordinates else "",
        under(setup, last, orientation),
        *(_standing(setup, space, orientation) for space in SPACES),
        totems(setup, orientation, covered=True),
        over(setup, last, orientation),
        caller_marks(marks or {}, orientation),
        panel(setup, last),
        transform=f"translate({MARGIN} {MARGIN})",
    )
    width, height = TABLE_WIDTH + 2 * MARGIN, TABLE_HEIGHT + 2 * MARGIN
    return document(width, height, size, words.name(setup), words.description(setup), drawing)


def _standing(setup: Setup, space: Space, orientation: Tribe) -> str:
    """Draw the pieces on a space: a megalith, a shaman, or a shaman on a megalith."""
    standing, tribe = setup.megaliths.get(space), setup.shamans.get(space)
    if not (standing or tribe):
        return ""
    drawn = [title(words.space(setup, space))]
    if standing:
        place = on_space(space, orientation, MEGALITH)
        carved = stone(standing, occupied=tribe is not None)
        drawn.append(at(*place, carved, class_=f"megalith {standing.code}", data_space=str(space)))
    if tribe:
        place = on_space(space, orientation, SHAMAN_ON_MEGALITH if standing else SHAMAN)
        drawn.append(at(*place, figure(tribe), class_=f"shaman {tribe.value}", data_space=str(space)))
    return group(*drawn)


def megalith(megalith: Megalith, size: int = 100) -> str:
    """One megalith tile."""
    return document(100, PIECE_HEIGHT, size, megalith.name, megalith.powers["en"], stone(megalith))


def shaman(tribe: Tribe, size: int = 100) -> str:
    """One shaman."""
    return document(100, PIECE_HEIGHT, size, f"{tribe.value.capitalize()}'s shaman", "A playing piece.", figure(tribe))


def action_tile(face: AddFace | MoveFace | JumpFace, size: int = 172) -> str:
    """An action tile with this face up, and its back drawn small in the corner."""
    return document(TILE_WIDTH, TILE_HEIGHT, size, WORDS[face], "An action tile.", tile(face))


def transformation_tile(face: TransformationFace, size: int = 172) -> str:
    """The transformation tile with this face up, and its back drawn small in the corner."""
    return document(TILE_WIDTH, TILE_HEIGHT, size, WORDS[face], "The transformation tile.", tile(face))


__all__ = ["action_tile", "board", "megalith", "shaman", "transformation_tile"]
