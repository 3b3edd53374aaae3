"""Marks for the last turn and for spaces that the caller specifies. Each kind of mark has its own shape.

A dashed frame means that a piece left this space, brackets that a piece arrived, and a cross that a shaman was banished
or transformed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cairn.svg.elements import at, box, cross, disc, group, head, label, number, path, ring, star, stroke
from cairn.svg.layout import BRACKETS, FRAME, SPACE, centre, corner
from cairn.svg.palette import CREAM, INK
from cairn.vocabulary import (
    Add,
    Banish,
    Build,
    Copy,
    Direction,
    Megalith,
    Push,
    Put,
    Setup,
    Space,
    Swap,
    Token,
    Transform,
    Travel,
    Tribe,
)


class Trace(NamedTuple):
    """The marks that a token leaves on the field."""

    left: tuple[Space, ...] = ()
    reached: tuple[Space, ...] = ()
    emptied: tuple[Space, ...] = ()
    way: tuple[Space, Space] | None = None


def traces(setup: Setup, last: Sequence[Token]) -> Iterator[Trace]:
    """Yield the marks that the last tokens leave on the field, in order."""
    for token in last:
        match token.choice if isinstance(token, Copy) else token:
            case Add(space):
                yield Trace(reached=(space,))
            case Travel(origin, None):
                # Only Forest leaves from the upper rows, and only Sea from the lower rows (E1).
                out: Direction = (0, 1) if origin.row > 3 else (0, -1)
                yield Trace(left=(origin,), way=(origin, Space(origin.column, 6 if out[1] > 0 else 0)))
            case Travel(origin, Space() as target) | Push(origin, target):
                yield Trace(left=(origin,), reached=(target,), way=(origin, target))
            case Swap(first, second):
                yield Trace(reached=(first, second), way=(first, second))
            case Banish(space) | Transform(space):
                yield Trace(emptied=(space,))
            case Build(tile):
                yield Trace(reached=tuple(_places(setup, tile)))
            case Put(space, _):
                yield Trace(reached=(space,))


def _places(setup: Setup, tile: Megalith) -> Iterator[Space]:
    return (space for space, standing in setup.megaliths.items() if standing is tile)


def under(setup: Setup, last: Sequence[Token], orientation: Tribe) -> str:
    """Arrows for the moves, drawn beneath the pieces."""
    return group(*(_way(*trace.way, orientation) for trace in traces(setup, last) if trace.way))


def over(setup: Setup, last: Sequence[Token], orientation: Tribe) -> str:
    """Frames, brackets and crosses, drawn above the pieces. Each space gets each mark at most once."""
    found = list(traces(setup, last))
    reached = dict.fromkeys(space for trace in found for space in trace.reached)
    emptied = dict.fromkeys(space for trace in found for space in trace.emptied)
    left = dict.fromkeys(space for trace in found for space in trace.left if space not in reached)
    shapes = (
        ("left", left, _twice(FRAME, 3.6, dash="1 9.1")),
        ("reached", reached, _twice(BRACKETS, 4.5)),
        ("emptied", emptied, _twice(cross(84, 16, 8), 5)),
    )
    return group(
        *(
            at(*corner(space, orientation), SPACE, shape, class_=kind)
            for kind, where, shape in shapes
            for space in where
        )
    )


def _twice(d: str, width: float, dash: str | None = None) -> str:
    """A dark line on top of a wider light line, so that the line stands out on any background."""
    return stroke(d, CREAM, width + 4.5) + stroke(d, INK, width, stroke_dasharray=dash)


def _way(origin: Space, target: Space, orientation: Tribe) -> str:
    """An arrow from one space to another."""
    (x1, y1), (x2, y2) = centre(origin, orientation), centre(target, orientation)
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    start, end = 46.0, length - 52
    if end - start < 8:  # Neighbours: only a small arrowhead fits between frame and brackets.
        start = end = length / 2 + 4
    x, y = x1 + ux * end, y1 + uy * end
    line = f"M{number(x1 + ux * start)} {number(y1 + uy * start)}L{number(x)} {number(y)}"
    tip = head(x, y, math.degrees(math.atan2(uy, ux)), 12)
    return group(_twice((line if end > start else "") + tip, 4), class_="way")


def caller_marks(marks: Mapping[Space, str], orientation: Tribe) -> str:
    """The caller's own marks."""
    return group(*(at(*corner(space, orientation), SPACE, _mark(mark), class_="mark") for space, mark in marks.items()))


def _mark(mark: str) -> str:
    """The mark with this name, or any other short text as a badge."""
    match mark:
        case "dot":
            return disc(50, 50, 13, INK, fill_opacity=0.8, stroke=CREAM, stroke_width=4)
        case "ring":
            return _twice(ring(50, 50, 42), 4.5)
        case "cross":
            return _twice(cross(50, 50, 22), 6)
        case "star":
            return path(star(80, 20, 19), fill=CREAM, stroke=INK, stroke_width=3, stroke_linejoin="round")
        case _:
            shown = mark[:4]
            width = 20 + 9 * len(shown)
            return group(
                box(98 - width, 4, width, 26, 13, CREAM, stroke=INK, stroke_width=2.5),
                label(98 - width / 2, 17.5, shown, 17, INK, font_weight="bold"),
            )
