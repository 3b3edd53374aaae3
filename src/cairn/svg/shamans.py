"""The shamans. Forest's shamans wear antlers and a round robe; Sea's shamans wear a shell and a pointed robe."""

from __future__ import annotations

import functools
import math

from cairn.svg.elements import disc, group, number, path, stroke
from cairn.svg.palette import CREAM, HALO, INK, SHADOW, TRIBE_COLOURS
from cairn.vocabulary import FOREST, Tribe

_ANTLERS = (
    "M44 27C40 21 33 21 29 15C27 12 26 8 27 4M33 19C27 21 21 19 16 12M38 22C38 17 37 13 39 9"
    "M56 27C60 21 67 21 71 15C73 12 74 8 73 4M67 19C73 21 79 19 84 12M62 22C62 17 63 13 61 9"
)
_ROUND_ROBE = "M50 39C35 40 27 62 23 82C21 98 79 98 77 82C73 62 65 40 50 39Z"
_POINTED_ROBE = (
    "M50 39C35 40 26 56 22 71C21 75 23 77 26 79L47 96C49 98 51 98 53 96L74 79C77 77 79 75 78 71C74 56 65 40 50 39Z"
)
_WAVES = "M27 66q5.75 -7 11.5 0t11.5 0t11.5 0t11.5 0M33 79q4.25 -6 8.5 0t8.5 0t8.5 0t8.5 0"


def _shell() -> tuple[str, str]:
    """The outline of a scallop fanned out behind the head, and its ribs."""
    x, y, radius = 50, 38, 31
    rim = [math.radians(angle) for angle in range(-180, 1, 30)]
    points = [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in rim]
    lobes = "".join(f"A9.5 9.5 0 0 1 {number(px)} {number(py)}" for px, py in points[1:])
    outline = f"M{number(points[0][0])} {number(points[0][1])}{lobes}L56 46L44 46Z"
    ribs = "".join(f"M{x} {y}L{number(px)} {number(py)}" for px, py in points[1:-1])
    return outline, ribs


@functools.cache
def figure(tribe: Tribe) -> str:
    """A shaman on the 100 x 100 design grid."""
    colours = TRIBE_COLOURS[tribe]
    if tribe is FOREST:
        return group(
            path("M20 88a30 9 0 1 0 60 0a30 9 0 1 0 -60 0Z", fill=SHADOW, opacity=0.25),
            stroke(_ANTLERS, CREAM, HALO + 4.5),
            stroke(_ROUND_ROBE + "M36 34a14 14 0 1 0 28 0a14 14 0 1 0 -28 0Z", CREAM, HALO),
            stroke(_ANTLERS, colours.shade, 4.8),
            path(_ROUND_ROBE, fill=colours.robe),
            path("M50 39C43 60 43 78 45 93.6C31 93 22 90 23 82C27 62 35 40 50 39Z", fill=colours.shade, opacity=0.35),
            # Oak leaf on the robe.
            path("M50 62C56 64 55 68 59 70C56 73 58 76 59 79C55 79 54 83 50 86C46 83 45 79 41 79C42 76 44 73 41 70"
                 "C45 68 44 64 50 62Z", fill=colours.trim),
            stroke("M50 68L50 90", colours.shade, 2.2),
            stroke(_ROUND_ROBE, INK, 2.6),
            *_face(colours.shade, colours.trim, 35),
        )  # fmt: skip
    outline, ribs = _shell()
    return group(
        path("M24 90a26 8 0 1 0 52 0a26 8 0 1 0 -52 0Z", fill=SHADOW, opacity=0.25),
        stroke(outline + _POINTED_ROBE, CREAM, HALO),
        path(outline, fill=colours.trim),
        stroke(ribs, colours.robe, 2.4),
        stroke(outline, INK, 2.6),
        path(_POINTED_ROBE, fill=colours.robe),
        path("M50 39C43 60 44 80 48 96.6L26 79C23 77 21 75 22 71C26 56 35 40 50 39Z", fill=colours.shade, opacity=0.4),
        stroke(_WAVES, colours.trim, 3.4),
        stroke(_POINTED_ROBE, INK, 2.6),
        *_face(colours.shade, colours.trim, 37),
    )


def _face(hood: str, mask: str, y: float) -> tuple[str, ...]:
    """A hooded head with a pale mask, the same for both tribes."""
    return (
        disc(50, y, 13.5, hood, stroke=INK, stroke_width=2.6),
        path(f"M50 {y - 8}C57 {y - 8} 59 {y - 3} 58 {y + 2}C57 {y + 7} 53 {y + 10} 50 {y + 11}"
             f"C47 {y + 10} 43 {y + 7} 42 {y + 2}C41 {y - 3} 43 {y - 8} 50 {y - 8}Z", fill=CREAM),
        disc(46.4, y, 1.9, INK),
        disc(53.6, y, 1.9, INK),
        stroke(f"M50 {y - 5}L50 {y + 4}", mask, 2),
    )  # fmt: skip


def pawn(x: float, y: float, *, friend: bool, colour: str, ground: str, scale: float = 1) -> str:
    """The small, tribe-neutral figure in tile diagrams. Friends are solid and round, enemies hollow and pointed."""
    base = "M0 -3C-7 -3 -10 7 -11 13C-11 18 11 18 11 13C10 7 7 -3 0 -3Z"
    keel = "M0 -3C-7 -3 -9.5 3 -10.5 9L0 18L10.5 9C9.5 3 7 -3 0 -3Z"
    fill = colour if friend else ground
    return group(
        path(base if friend else keel, fill=fill, stroke=colour, stroke_width=3.2, stroke_linejoin="round"),
        disc(0, -9, 6, fill, stroke=colour, stroke_width=3.2),
        transform=f"translate({number(x)} {number(y)}) scale({number(scale)})",
    )
