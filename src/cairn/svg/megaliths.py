"""The megalith tiles. Each tile is a slab of stone with a carved sign that hints at its power.

A sign is data: a path of carved lines and a path of hollowed areas, on the 100 x 100 design grid.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from cairn.svg.elements import arrow, at, cross, dots, group, head, number, path, ring, star, stroke
from cairn.svg.layout import SIGN, SIGN_BESIDE_SHAMAN
from cairn.svg.palette import LINE, SHADOW, STONES, Stone
from cairn.vocabulary import MEGALITHS, Megalith, Variant


class Sign(NamedTuple):
    """The carving on a slab."""

    lines: str = ""
    areas: str = ""
    faint: str = ""
    """Lines carved less deeply."""


def _around(count: int, radius: float, dot: float, skip: frozenset[int] = frozenset()) -> str:
    """Dots on a circle, counted clockwise from the top."""
    turns = (math.tau * index / count for index in range(count) if index not in skip)
    return "".join(ring(50 + radius * math.sin(turn), 50 - radius * math.cos(turn), dot) for turn in turns)


def _spiral(x: float, y: float, first: float, growth: float, half_turns: int) -> str:
    """A spiral of half circles, starting from its centre."""
    pieces = [f"M{number(x)} {number(y)}"]
    radius, side = first, 1
    for _ in range(half_turns):
        pieces.append(f"a{number(radius)} {number(radius)} 0 0 1 {number(side * 2 * radius)} 0")
        radius, side = radius + growth, -side
    return "".join(pieces)


SIGNS: Final[Mapping[str, Sign]] = MappingProxyType(
    {
        # Boulders fall on the first row.
        "CG": Sign(
            lines="M17 84L83 84" + cross(73, 66, 9),
            areas="M15 49L24 25L46 16L61 31L57 54L39 66L22 62ZM69 32L77 20L88 27L87 41L74 45Z",
        ),
        # A cairn in the rising sun, on the first row.
        "CD": Sign(
            lines="M17 82L83 82M50 16L50 25M26 27L32 34M74 27L68 34M15 50L24 52M85 50L76 52",
            areas="M31 73C31 66 38 64 50 64C62 64 69 66 69 73C69 77 31 77 31 73Z"
            "M36 56C36 50 42 48.5 50 48.500C58 48.5 64 50 64 56C64 60 36 60 36 56Z"
            "M41 40C41 35 45 33 50 33C55 33 59 35 59 40C59 44.5 41 44.5 41 40Z",
        ),
        # An arrow of stars.
        "CS": Sign(
            lines="M56 18L83 18L83 45",
            areas=star(22, 79, 13) + star(42, 59, 15) + star(63, 38, 15),
        ),
        # A column that sprouts.
        "PS": Sign(
            lines="M31 83L69 83M36 75L64 75M41 75L41 47M59 75L59 47M36 46L64 46M50 46L50 31",
            areas="M50 34C38 35 29 29 26 17C39 16 49 22 50 34ZM50 34C62 35 71 29 74 17C61 16 51 22 50 34Z",
        ),
        # A row of stones on either side, dusk at the end, and nobody left in between.
        "AD": Sign(
            lines=cross(50, 68, 10),
            areas="M15 84L17 58L29 58L31 84ZM28 51L29 36L37 36L38 51ZM85 84L83 58L71 58L69 84ZM72 51L71 36L63 36L62 51Z"
            "M55 14A13 13 0 1 0 62 34A14 14 0 0 1 55 14Z",
        ),
        # A deer.
        "DR": Sign(
            lines="M43 51C39 41 26 42 23 32C21 26 22 20 24 15M27 38C21 38 16 36 13 30M36 43C36 35 34 29 37 23"
            "M57 51C61 41 74 42 77 32C79 26 78 20 76 15M73 38C79 38 84 36 87 30M64 43C64 35 66 29 63 23",
            areas="M50 49C55 49 59 51 61 54C66 52 72 53 76 56C73 62 68 64 63 63C62 72 57 84 50 87C43 84 38 72 37 63"
            "C32 64 27 62 24 56C28 53 34 52 39 54C41 51 45 49 50 49Z",
        ),
        # Dancing around a menhir.
        "MD": Sign(
            lines="M66 44C80 47 88 53 86 60C83 69 67 74 48 74C28 73 14 67 14 58C14 52 21 47 33 44"
            + head(35, 43.5, -14, 13),
            areas="M42 62C41 44 42 26 49 15C53 13 57 20 58 32C59 44 59 54 58 62Z",
        ),
        # A dolmen being pushed along.
        "SA": Sign(
            lines=arrow(19, 80, 82, 80, 13),
            areas="M17 22C34 15 66 15 83 21L81 33C64 29 36 29 19 34ZM25 38L39 36L41 66L24 66ZM61 36L75 38L76 66L59 66Z",
        ),
        # A burial mound that makes a shaman disappear.
        "TS": Sign(
            lines="M13 82L87 82M19 78C19 44 31 25 50 25C69 25 81 44 81 78" + cross(50, 62, 11),
        ),
        # Lightning in a well, with arrows around it for two stones that trade places.
        "SW": Sign(
            lines="M26 26A34 34 0 0 1 82 39"
            + head(82, 41, 74, 14)
            + "M74 74A34 34 0 0 1 18 61"
            + head(18, 59, -106, 14),
            areas="M55 27L36 54L48 54L43 75L65 45L52 45Z",
        ),
        # A ring of mushrooms; one dancer is sent away.
        "FC": Sign(
            lines=arrow(52, 48, 81, 19, 15),
            areas=_around(8, 32, 6.5, frozenset({1})) + star(46, 54, 12),
        ),
        # A drop of clear water in a harbour.
        "HP": Sign(
            lines="M15 54C17 73 31 84 50 84C69 84 83 73 85 54M29 57C31 66 39 71 50 71C61 71 69 66 71 57",
            areas="M50 14C57 26 64 34 64 44C64 53 58 59 50 59C42 59 36 53 36 44C36 34 43 26 50 14Z",
        ),
        # A mound, with a tile being turned over above it.
        "MM": Sign(
            lines="M24 50C24 30 36 19 50 19C64 19 75 29 76 42" + head(76, 45, 86, 14),
            areas="M13 83C19 67 33 60 50 60C67 60 81 67 87 83ZM39 52L39 36L61 36L61 52Z",
        ),
        # A spring: the spiral flows away.
        "SS": Sign(
            lines=_spiral(46, 42, 5.5, 5.2, 5) + "M17 79q8.25 -9 16.5 0t16.5 0t16.5 0t16.5 0",
        ),
        # The footprints of a giant, in opposite directions.
        "WC": Sign(
            areas="M33 43C41 43 45 50 44 59C43 66 41 69 41 75C41 81 38 85 33 85C28 85 26 81 26 75C26 68 22 64 22 56"
            "C22 48 26 43 33 43Z" + ring(22, 35, 5) + ring(33, 31, 5.5) + ring(44, 35, 4.5)
            + "M67 57C59 57 55 50 56 41C57 34 59 31 59 25C59 19 62 15 67 15C72 15 74 19 74 25C74 32 78 36 78 44"
            "C78 52 74 57 67 57Z" + ring(78, 65, 5) + ring(67, 69, 5.5) + ring(56, 65, 4.5),
        ),
        # A stone, and other shapes that it could take.
        "SH": Sign(
            areas="M40 84C38 60 40 34 48 22C54 18 60 28 61 44C62 60 62 74 61 84Z",
            faint="M31 79C25 60 22 38 28 25C30 21 34 20 37 22M22 75C14 60 11 46 15 35"
            "M69 79C75 60 78 38 72 25C70 21 66 20 63 22M78 75C86 60 89 46 85 35",
        ),
        # A heart from which a stone grows.
        "HE": Sign(
            lines="M50 84C28 68 15 54 15 38C15 26 23 18 33 18C41 18 47 23 50 30C53 23 59 18 67 18C77 18 85 26 85 38"
            "C85 54 72 68 50 84Z",
            areas="M41 64C40 55 42 44 48 39C53 37 57 43 58 51C59 57 59 61 58 64Z",
        ),
    }
)  # fmt: skip
"""The sign of every tile by its code."""

_SLAB = (
    "M15 7C32 3 66 4 85 6C93 7 95 14 96 27C98 50 97 70 94 86C92 94 85 95 72 96C50 98 29 97 14 94C6 92 5 85 4 73"
    "C2 50 3 30 5 16C6 10 9 8 15 7Z"
)
_SPECKS = ((18, 17), (83, 24), (13, 62), (88, 66), (62, 11), (26, 90), (79, 89), (9, 38))
_VEIN = "M3 66L11 70L15 79L26 83L30 96M11 70L9 84M97 33L89 30L86 20L75 16L71 4.500M89 30L91 17"


def slab(stone: Stone, quarter: int = 0) -> str:
    """The bare stone of a tile on the 100 x 100 design grid, rotated by quarter turns so that the tiles differ."""
    turned = f"rotate({90 * quarter} 50 50)" if quarter else ""
    return group(
        path(_SLAB, fill=SHADOW, opacity=0.28, transform=f"translate(1.5 5){turned}"),
        path(_SLAB, fill=stone.edge, transform=f"translate(0 2.5){turned}"),
        path(_SLAB, fill=stone.face, transform=turned or None, stroke=stone.edge, stroke_width=1.6),
        stroke("M12 15C30 9 68 9 88 13", stone.shine, 3.5),
        stroke(dots(*_SPECKS), stone.edge, 3, opacity=0.55),
        stroke(_VEIN, stone.vein, 3.4, transform=turned or None) if stone.vein else "",
    )


def sign(tile: Megalith) -> str:
    """The carving of a tile on the 100 x 100 design grid: cut into light stone, inlaid into dark stone."""
    stone = STONES[tile.smallest_variant]
    lip = stone.shine if tile.smallest_variant is Variant.BEGINNER else stone.edge
    return group(_carving(tile, lip), transform="translate(.9 1.9)") + group(_carving(tile, stone.sign))


def _carving(tile: Megalith, colour: str) -> str:
    carved = SIGNS[tile.code]
    return (
        (stroke(carved.faint, colour, LINE - 1, opacity=0.6) if carved.faint else "")
        + (path(carved.areas, fill=colour, stroke=colour, stroke_width=1.2, stroke_linejoin="round")
           if carved.areas else "")
        + (stroke(carved.lines, colour, LINE) if carved.lines else "")
    )  # fmt: skip


@functools.cache
def stone(tile: Megalith, *, occupied: bool = False) -> str:
    """A tile on the 100 x 100 design grid. If a shaman stands on it, the sign moves to the free corner."""
    carving = at(*(SIGN_BESIDE_SHAMAN if occupied else SIGN), sign(tile))
    return group(slab(STONES[tile.smallest_variant], quarter(tile)), carving)


def quarter(tile: Megalith) -> int:
    """The number of quarter turns by which a tile's slab is rotated."""
    return list(MEGALITHS).index(tile.code) % 2


def face_down() -> str:
    """The back of every tile on the 100 x 100 design grid: a ring with room for a number."""
    plain = STONES[Variant.STANDARD]
    return group(slab(plain), stroke(_around(12, 38, 3), plain.edge, 3))
