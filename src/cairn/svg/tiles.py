"""The action tiles and the transformation tile, as diagrams, each with its back drawn small in a corner."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from typing import Final

from cairn.svg.elements import arrow, at, box, disc, group, head, path, squares, stroke, title
from cairn.svg.layout import TILE_HEIGHT, TILE_WIDTH, Placement
from cairn.svg.palette import CREAM, INK, SHADOW, SLATE, STONES, WOOD
from cairn.svg.shamans import pawn
from cairn.vocabulary import AddFace, JumpFace, MoveFace, TransformationFace, Variant
from cairn.vocabulary.tiles import other_side

Face = AddFace | MoveFace | JumpFace | TransformationFace

FRONT_DIAGRAM: Final = Placement(7, 6, 100)
BACK_DIAGRAM: Final = Placement(115, 56, 46)

WORDS: Final[Mapping[Face, str]] = {
    AddFace.WHITE: "Add on the white totem",
    AddFace.BLACK: "Add on the black totem",
    MoveFace.ORTHOGONAL: "Move orthogonally",
    MoveFace.DIAGONAL: "Move diagonally",
    JumpFace.FRIEND: "Jump over a friend",
    JumpFace.ENEMY: "Jump over an enemy",
    TransformationFace.MIDDLE: "Transform an enemy in the middle",
    TransformationFace.END: "Transform an enemy at the end",
}
"""The meaning of each face in words."""


@functools.cache
def tile(face: Face, *, used: bool = False) -> str:
    """A whole tile: the face that is up, and the face underneath drawn small in the corner."""
    back = underneath(face)
    return group(
        title(f"{WORDS[face]}; the other side: {WORDS[back].lower()}"),
        body(face, at(*FRONT_DIAGRAM, diagram(face)), at(*BACK_DIAGRAM, diagram(back)), used=used),
        class_="tile",
    )


def body(face: Face, front: str, back: str, *, used: bool = False) -> str:
    """A tile with the diagrams of both faces: wood for an action tile, slate for the transformation tile."""
    colours = _material(face)
    rim, rim_width = (INK, 4.0) if used else (colours["edge"], 2.5)
    return (
        box(3, 6, TILE_WIDTH - 4, TILE_HEIGHT - 6, 15, SHADOW, opacity=0.28)
        + box(2, 2, TILE_WIDTH - 4, TILE_HEIGHT - 5, 15, colours["face"], stroke=rim, stroke_width=rim_width)
        + box(112, 53, 52, 52, 10, colours["back"], stroke=colours["edge"], stroke_width=1.5)
        + front
        + back
        + stroke("M126 42A13 13 0 1 1 149 40" + head(149.5, 42, 78, 8), colours["edge"], 4)
        + (disc(137.5, 33.5, 3, INK) if used else "")
    )


def underneath(face: Face) -> Face:
    """The face on the other side."""
    match face:
        case AddFace():
            return other_side(face)
        case MoveFace():
            return other_side(face)
        case JumpFace():
            return other_side(face)
        case TransformationFace():
            return other_side(face)


def _material(face: Face) -> Mapping[str, str]:
    return SLATE if isinstance(face, TransformationFace) else WOOD


def diagram(face: Face) -> str:
    """The diagram of a face, on the 100 x 100 design grid."""
    match face:
        case AddFace():
            return _add(face)
        case MoveFace():
            return _move(face)
        case JumpFace():
            return _jump(face)
        case TransformationFace():
            return _transformation(face)


def _cells(places: Iterable[tuple[float, float]], width: float, colours: Mapping[str, str]) -> str:
    return path(squares(places, width, width / 5), fill=CREAM, stroke=colours["grid"], stroke_width=2)


def _add(face: AddFace) -> str:
    """An arrow from the village to the totem on the right (white) or on the left (black) of the first row."""
    x = 70 if face is AddFace.WHITE else 30
    other = 100 - x
    fills = {x: CREAM if face is AddFace.WHITE else INK, other: INK if face is AddFace.WHITE else CREAM}
    return group(
        _cells(((1 + 20 * column, 14) for column in range(5)), 18, WOOD),
        disc(other, 23, 5, fills[other], stroke=INK, stroke_width=1.6, opacity=0.35),
        disc(x, 23, 14, fills[x], stroke=INK, stroke_width=3),
        path("M2 72Q50 64 98 72V90Q98 96 90 96H10Q2 96 2 90Z", fill=WOOD["grid"], opacity=0.75),
        stroke(arrow(x, 62, x, 45, 9), INK, 4.5),
        pawn(x, 78, friend=True, colour=INK, ground=CREAM, scale=0.85),
    )


def _move(face: MoveFace) -> str:
    """Arrows for one step, orthogonal or diagonal."""
    first = 0 if face is MoveFace.ORTHOGONAL else 45
    lines = []
    for degrees in range(first, 360, 90):
        reach = 41 if face is MoveFace.ORTHOGONAL else 54
        x, y = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        start = 24 if face is MoveFace.ORTHOGONAL else 26
        lines.append(arrow(50 + start * x, 50 + start * y, 50 + reach * x, 50 + reach * y, 10))
    return group(
        _cells(((2 + 33 * column, 2 + 33 * row) for column in range(3) for row in range(3)), 30, WOOD),
        stroke("".join(lines), INK, 4.8),
        pawn(50, 49, friend=True, colour=INK, ground=CREAM, scale=0.9),
    )


def _jump(face: JumpFace) -> str:
    """An arrow over a neighbour to the space behind it."""
    return group(
        _cells(((2 + 33 * column, 52) for column in range(3)), 30, WOOD),
        pawn(17, 65, friend=True, colour=INK, ground=CREAM, scale=0.9),
        pawn(50, 65, friend=face is JumpFace.FRIEND, colour=INK, ground=CREAM, scale=0.9),
        disc(83, 67, 9, "none", stroke=INK, stroke_width=2.6, stroke_dasharray="4 4"),
        stroke("M17 42C26 12 74 10 82 42" + head(82.5, 45, 76, 11), INK, 4.8),
    )


def _transformation(face: TransformationFace) -> str:
    """Three shamans in a row, with the enemy turning into a stone."""
    enemy = 1 if face is TransformationFace.MIDDLE else 2
    stone = STONES[Variant.BEGINNER]
    x = 17 + 33 * enemy
    menhir = f"M{x - 11} 33q-2 -14 4 -23q5 -9 11 -6q6 4 7 14q1 7 2 15Z"
    return group(
        _cells(((2 + 33 * column, 62) for column in range(3)), 30, SLATE),
        *(pawn(17 + 33 * column, 76, friend=column != enemy, colour=INK, ground=CREAM, scale=0.85)
          for column in range(3)),
        path(menhir, fill=stone.face, stroke=INK, stroke_width=3, stroke_linejoin="round"),
        path(f"M{x + 4} 5q5 3 6 13q1 7 2 14h-6q2 -15 -2 -27Z", fill=stone.edge),
        stroke(arrow(x, 57, x, 42, 9), INK, 4.5),
    )  # fmt: skip
