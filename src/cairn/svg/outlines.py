"""Turn the shapes of a drawing into polygons: paths, circles, rectangles and their transformations."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import Final, TypeAlias
from xml.etree import ElementTree

Point: TypeAlias = tuple[float, float]
Matrix: TypeAlias = tuple[float, float, float, float, float, float]
"""``(a, b, c, d, e, f)`` moves a point to ``(ax + cy + e, bx + dy + f)``, as in SVG."""

IDENTITY: Final[Matrix] = (1, 0, 0, 1, 0, 0)
STEPS: Final = 10
"""How many straight lines replace a curve."""

_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
_COMMAND: Final = re.compile(r"([MLHVCSQTAZ])([^MLHVCSQTAZ]*)", re.IGNORECASE)
_ARGUMENTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}
_CIRCLE: Final = "M{left} {y}A{rx} {ry} 0 1 1 {right} {y}A{rx} {ry} 0 1 1 {left} {y}Z"


def polygons(shape: ElementTree.Element, matrix: Matrix) -> list[list[Point]]:
    """The outlines of a shape on the canvas; none for other elements. A closed outline ends where it begins."""
    return [[moved(point, matrix) for point in outline] for outline in _outlines(_path_of(shape))]


def moved(point: Point, matrix: Matrix) -> Point:
    """A point after a transformation."""
    (x, y), (a, b, c, d, e, f) = point, matrix
    return a * x + c * y + e, b * x + d * y + f


def transformed(text: str | None, matrix: Matrix) -> Matrix:
    """The transformation inside an element with this ``transform`` attribute."""
    for name, arguments in re.findall(r"(\w+)\(([^)]*)\)", text or ""):
        values = [float(value) for value in _NUMBER.findall(arguments)]
        for step in _steps(name, values):
            matrix = _product(matrix, step)
    return matrix


def scale_of(matrix: Matrix) -> float:
    """How much longer lines become."""
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


def _steps(name: str, values: list[float]) -> Iterator[Matrix]:
    if name == "translate":
        yield (1, 0, 0, 1, values[0], values[1])
    elif name == "scale":
        yield (values[0], 0, 0, values[-1], 0, 0)
    elif name == "rotate":
        turn = math.radians(values[0])
        x, y = values[1:] or (0.0, 0.0)
        yield (1, 0, 0, 1, x, y)
        yield (math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0, 0)
        yield (1, 0, 0, 1, -x, -y)
    else:
        raise ValueError(f"unknown transformation: {name}")


def _product(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, _, _ = one
    e, f = moved((other[4], other[5]), one)
    return (a * other[0] + c * other[1], b * other[0] + d * other[1], a * other[2] + c * other[3],
            b * other[2] + d * other[3], e, f)  # fmt: skip


def _path_of(shape: ElementTree.Element) -> str:
    """The path of a shape, as in its ``d`` attribute."""

    def value(name: str) -> float:
        return float(shape.get(name, "0"))

    match shape.tag.rpartition("}")[2]:
        case "path":
            return shape.get("d", "")
        case "circle":
            x, y, r = value("cx"), value("cy"), value("r")
            return _CIRCLE.format(left=x - r, right=x + r, y=y, rx=r, ry=r)
        case "ellipse":
            x, y, rx, ry = value("cx"), value("cy"), value("rx"), value("ry")
            return _CIRCLE.format(left=x - rx, right=x + rx, y=y, rx=rx, ry=ry)
        case "rect":
            x, y, w, h, r = (value(name) for name in ("x", "y", "width", "height", "rx"))
            turn = f"A{r} {r} 0 0 1"
            return (f"M{x + r} {y}H{x + w - r}{turn} {x + w} {y + r}V{y + h - r}{turn} {x + w - r} {y + h}"
                    f"H{x + r}{turn} {x} {y + h - r}V{y + r}{turn} {x + r} {y}Z")  # fmt: skip
        case _:
            return ""


def _outlines(d: str) -> list[list[Point]]:
    """The outlines of a path, with curves replaced by straight lines."""
    found: list[list[Point]] = []
    here, control, last = (0.0, 0.0), (0.0, 0.0), ""
    for letter, text in _COMMAND.findall(d):
        kind = letter.upper()
        if kind == "Z":
            here = found[-1][0]
            found[-1].append(here)
            last = kind
            continue
        numbers = [float(number) for number in _NUMBER.findall(text)]
        size = _ARGUMENTS[kind]
        for start in range(0, len(numbers), size):
            values = _absolute(kind, numbers[start : start + size], here, relative=letter.islower())
            if kind == "M" and start == 0:
                found.append([])
            elif last == "Z":  # a new outline begins where the last one was closed
                found.append([here])
            # A smooth curve mirrors the control point of the curve before it.
            smooth = (2 * here[0] - control[0], 2 * here[1] - control[1]) if last in _SMOOTH.get(kind, "") else here
            points, control = _points(kind, values, here, smooth)
            found[-1] += points
            here, last = points[-1], kind
    return found


_SMOOTH: Final = {"S": "CS", "T": "QT"}


def _absolute(kind: str, values: list[float], here: Point, *, relative: bool) -> list[float]:
    if not relative:
        return values
    if kind == "H":
        return [values[0] + here[0]]
    if kind == "V":
        return [values[0] + here[1]]
    fixed = 5 if kind == "A" else 0
    return values[:fixed] + [value + here[index % 2] for index, value in enumerate(values[fixed:])]


def _points(kind: str, values: list[float], here: Point, smooth: Point) -> tuple[list[Point], Point]:
    """The points of one segment, and its last control point."""
    match kind:
        case "M" | "L":
            return [(values[0], values[1])], here
        case "H":
            return [(values[0], here[1])], here
        case "V":
            return [(here[0], values[0])], here
        case "A":
            return _arc(here, values), here
        case "C" | "S":
            first = (values[0], values[1]) if kind == "C" else smooth
            second, end = (values[-4], values[-3]), (values[-2], values[-1])
            return [_bezier((here, first, second, end), step / STEPS) for step in range(1, STEPS + 1)], second
        case _:
            middle = (values[0], values[1]) if kind == "Q" else smooth
            end = (values[-2], values[-1])
            return [_bezier((here, middle, end), step / STEPS) for step in range(1, STEPS + 1)], middle


def _bezier(points: tuple[Point, ...], part: float) -> Point:
    """A point on a Bézier curve, by de Casteljau's construction."""
    while len(points) > 1:
        points = tuple(
            (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part) for (x1, y1), (x2, y2) in itertools.pairwise(points)
        )
    return points[0]


def _arc(here: Point, values: list[float]) -> list[Point]:
    """The points of an elliptical arc without rotation, as in the appendix on arcs of the SVG specification."""
    rx, ry, _, large, sweep, x, y = values
    if not (rx and ry) or here == (x, y):
        return [(x, y)]
    dx, dy = (here[0] - x) / 2 / rx, (here[1] - y) / 2 / ry
    away = dx * dx + dy * dy
    grow = max(1.0, math.sqrt(away))  # the radii are too small to reach the end
    reach = math.sqrt(max(0.0, grow * grow / away - 1)) * (1 if bool(large) != bool(sweep) else -1)
    cx, cy = (here[0] + x) / 2 + reach * dy * rx, (here[1] + y) / 2 - reach * dx * ry
    rx, ry = rx * grow, ry * grow
    begin = math.atan2((here[1] - cy) / ry, (here[0] - cx) / rx)
    turn = math.atan2((y - cy) / ry, (x - cx) / rx) - begin
    turn += math.tau if sweep and turn <= 0 else -math.tau if not sweep and turn >= 0 else 0
    count = max(4, math.ceil(abs(turn) / math.tau * 4 * STEPS))
    turns = [begin + turn * step / count for step in range(1, count)]
    return [*((cx + rx * math.cos(each), cy + ry * math.sin(each)) for each in turns), (x, y)]
