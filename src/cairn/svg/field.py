"""Draw the ground (sea, surf, sand, meadow, moss, wood) and the 25 spaces with their totems and stone circles."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

from cairn.svg.elements import at, box, disc, dots, group, label, number, path, ring, stroke
from cairn.svg.layout import (
    COVERED_TOTEM,
    FIELD_TOP,
    GUTTER,
    LAND_HEIGHT,
    LAND_ROUNDING,
    LAND_WIDTH,
    SPACE,
    SPACE_INSET,
    SPACE_ROUNDING,
    STRIP,
    VILLAGE_FRAME,
    VILLAGE_FRAME_ROUNDING,
    corner,
    on_space,
)
from cairn.svg.palette import CANOPY, CREAM, GROUND, INK, KERB, PEBBLE, SHADOW, TUFT
from cairn.vocabulary import (
    FOREST,
    SPACES,
    STONE_CIRCLES,
    TRIBES,
    AddFace,
    Setup,
    Space,
    Tribe,
    totem,
)

_STEPS = 7
_UNDULATION = (0.1, -0.7, 0.5, -0.2, 0.9, -0.5, 0.3, -0.9, 0.6, 0.0, -0.4, 0.8)
# Decoration next to the field, with Forest at the bottom.
_TUFTS = ((11, 330), (541, 352), (13, 452), (540, 470), (12, 545), (541, 590), (52, 634), (168, 631), (288, 634),
          (402, 630), (498, 634))  # fmt: skip
_PEBBLES = ((13, 150), (539, 168), (14, 244), (541, 262), (12, 282), (539, 206))
_CROWNS = (
    # x, y, radius, shade
    (24, 682, 20, 0), (66, 704, 14, 1), (58, 664, 17, 2), (108, 690, 22, 1), (152, 672, 16, 2), (196, 700, 18, 0),
    (238, 676, 20, 1), (284, 702, 16, 2), (322, 672, 17, 0), (362, 696, 21, 1), (408, 668, 16, 2), (446, 700, 18, 0),
    (486, 674, 20, 1), (526, 696, 18, 2), (528, 656, 14, 0), (16, 650, 12, 3), (96, 652, 11, 3), (196, 656, 12, 3),
    (284, 654, 11, 3), (364, 654, 12, 3), (450, 655, 12, 3),
)  # fmt: skip


def _lobed() -> str:
    """The outline of a tree seen from above, with a radius of 50."""
    turns = [math.tau * step / 8 for step in range(1, 9)]
    ends = "".join(f"A23 23 0 0 1 {round(50 * math.cos(turn))} {round(50 * math.sin(turn))}" for turn in turns)
    return f"M50 0{ends}Z"


_LOBES = _lobed()
_SHADE = ring(3, 8, 53)
_LIGHT = ring(-10, -10, 22)


@functools.cache
def land(orientation: Tribe) -> str:
    """The whole ground, including the villages."""
    turned = None if orientation is FOREST else f"rotate(180 {number(LAND_WIDTH / 2)} {number(LAND_HEIGHT / 2)})"
    tufts = "".join(f"M{x} {y}q-1 -5 -4 -8M{x} {y}q0 -6 1 -10M{x} {y}q1 -5 5 -7" for x, y in _TUFTS)
    return group(
        *(path(_band(index), fill=colour) for index, (_, _, colour) in enumerate(GROUND)),
        *(_crown(*crown) for crown in _CROWNS),
        _ripples(),
        stroke(dots(*_PEBBLES), PEBBLE, 6.5, opacity=0.7),
        stroke(dots(*((x + 6, y + 3) for x, y in _PEBBLES)), PEBBLE, 4, opacity=0.6),
        stroke(tufts, TUFT, 1.8, opacity=0.8),
        transform=turned,
    )


def _band(index: int) -> str:
    """A strip of ground with an undulating upper edge. Its lower edge lies a little under the next strip."""
    w, h, r = LAND_WIDTH, LAND_HEIGHT, LAND_ROUNDING
    y, swing, _ = GROUND[index]
    heights = [round(y + swing * _UNDULATION[(5 * index + step) % len(_UNDULATION)]) for step in range(_STEPS + 1)]
    edge = [f"M0 {heights[0]}"]
    for step in range(_STEPS):
        x1, x2 = w * step / _STEPS, w * (step + 1) / _STEPS
        # The first control point mirrors the previous one, so it is level with the start of the segment.
        begin = "S" if step else f"C{round((x1 + x2) / 2)} {heights[0]} "
        y2 = heights[step + 1]
        edge.append(f"{begin}{round((x1 + x2) / 2)} {y2} {round(x2)} {y2}")
    if index == 0:
        edge = [f"M0 {r}Q0 0 {r} 0H{w - r}Q{w} 0 {w} {r}"]
    if index == len(GROUND) - 1:
        return f"{''.join(edge)}V{h - r}Q{w} {h} {w - r} {h}H{r}Q0 {h} 0 {h - r}Z"
    below = GROUND[index + 1][0] + GROUND[index + 1][1] + 1
    return f"{''.join(edge)}V{max(below, r)}H0Z"


def _crown(x: float, y: float, radius: float, shade: int) -> str:
    """A tree seen from above."""
    return group(
        path(_SHADE, fill=SHADOW, opacity=0.16),
        path(_LOBES, fill=CANOPY[shade], opacity=0.85),
        path(_LIGHT, fill=CANOPY[min(shade + 1, 3)], opacity=0.55),
        transform=f"translate({number(x)} {number(y)}) scale({number(radius / 50)})",
    )


def _ripples() -> str:
    """Waves on Sea's water."""
    starts = ((34, 20), (150, 34), (262, 16), (384, 30), (476, 16), (70, 58), (204, 66), (322, 54), (436, 64))
    d = "".join(f"M{x} {y}q7 -7 14 0t14 0t14 0" for x, y in starts)
    return stroke(d, CREAM, 2.2, opacity=0.28)


def spaces(setup: Setup, orientation: Tribe) -> str:
    """The 25 spaces, without the pieces on them."""
    drawn = []
    for space in SPACES:
        x, y = corner(space, orientation)
        side = SPACE - 2 * SPACE_INSET
        drawn.append(box(x + SPACE_INSET, y + SPACE_INSET, side, side, SPACE_ROUNDING, CREAM, fill_opacity=0.26,
                         stroke=CREAM, stroke_opacity=0.75, stroke_width=2))  # fmt: skip
        if space in STONE_CIRCLES and space not in setup.megaliths:
            drawn.append(at(x, y, SPACE, stone_circle()))
    return group(*drawn)


def totems(setup: Setup, orientation: Tribe, *, covered: bool) -> str:
    """The totem marks: full size on free ground, or small next to the megaliths that cover them."""
    drawn = []
    for tribe in TRIBES:
        for colour in AddFace:
            space = totem(tribe, colour)
            if covered and space in setup.megaliths:
                place = on_space(space, orientation, COVERED_TOTEM)
                drawn.append(at(*place, totem_mark(tribe, colour), class_="totem"))
            elif not covered and space not in setup.megaliths:
                drawn.append(at(*corner(space, orientation), SPACE, totem_mark(tribe, colour), class_="totem"))
    return group(*drawn)


def stone_circle() -> str:
    """A ring of low stones (B3) on the 100 x 100 design grid."""
    turns = [math.tau * (step + 0.5) / 12 for step in range(12)]
    places = [(50 + 36 * math.sin(turn), 50 - 36 * math.cos(turn)) for turn in turns]
    return group(*(_kerb(places[first::3], size) for first, size in enumerate((15, 11, 13))))


def _kerb(places: Sequence[tuple[float, float]], size: float) -> str:
    """Low stones of one size."""
    return (
        stroke(dots(*((x + 0.8, y + 2.4) for x, y in places)), SHADOW, size, opacity=0.25)
        + stroke(dots(*places), KERB["edge"], size)
        + stroke(dots(*((x - 0.3, y - 0.6) for x, y in places)), KERB["face"], size - 2.2)
        + stroke("".join(f"M{number(x - 2)} {number(y - 2)}h2" for x, y in places), KERB["shine"], size / 4)
    )


def totem_mark(tribe: Tribe, colour: AddFace) -> str:
    """The mark of a totem space (B2) on the 100 x 100 design grid: a disc with the tribe's leaf or wave."""
    face, carving = (CREAM, INK) if colour is AddFace.WHITE else (INK, CREAM)
    emblem = (
        "M50 70L50 40M50 58C40 58 34 52 34 43C43 43 50 49 50 58M50 50C58 50 64 44 64 35C56 35 50 41 50 50"
        if tribe is FOREST
        else "M31 45q4.75 -8 9.5 0t9.5 0t9.5 0t9.5 0M31 60q4.75 -8 9.5 0t9.5 0t9.5 0t9.5 0"
    )
    return group(
        disc(50, 52, 35, SHADOW, opacity=0.22),
        disc(50, 50, 34, face),
        disc(50, 50, 32, face, stroke=carving, stroke_width=2.6),
        stroke(emblem, carving, 4.4),
    )


def coordinates(orientation: Tribe) -> str:
    """Letters below the columns and numbers next to the rows."""
    drawn = []
    for index in range(5):
        column, row = "abcde"[index], str(index + 1)
        x, _ = corner(Space(index + 1, 1), orientation)
        _, y = corner(Space(1, index + 1), orientation)
        drawn.append((x + SPACE / 2, FIELD_TOP + 5 * SPACE + STRIP / 2, column))
        drawn.append((GUTTER / 2, y + SPACE / 2, row))
    return group(
        *(label(x, y, text, 16, INK, font_weight="bold", stroke=CREAM, stroke_width=3, paint_order="stroke")
          for x, y, text in drawn),
        aria_hidden="true",
    )  # fmt: skip


def village_frame(top: float) -> str:
    """The outline that marks the active player's village."""
    x, y, width, height = VILLAGE_FRAME
    return box(x, top + y, width, height, VILLAGE_FRAME_ROUNDING, "none", stroke=CREAM, stroke_width=3,
               stroke_dasharray="2 9", stroke_linecap="round")  # fmt: skip
