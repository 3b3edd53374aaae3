"""Draw our drawings as PNG, for programs that show no SVG, such as messengers that show a preview of a link.

``python -m cairn.svg.png`` reads a position, and perhaps the winner's tribe, from standard input, and writes a picture
for a link preview to standard output. Only what the drawings in this package use is supported; texts are left out.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import os
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.etree import ElementTree

from cairn import svg
from cairn.notation.position import setup_of
from cairn.svg.elements import at, box
from cairn.svg.icons import BACKGROUND
from cairn.svg.layout import MARGIN, TABLE_HEIGHT, TABLE_WIDTH
from cairn.svg.outlines import IDENTITY, Matrix, Point, polygons, scale_of, transformed
from cairn.svg.shamans import figure
from cairn.vocabulary import FOREST, SEA, Setup, Tribe

WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size of a link preview that networks show without cropping it."""
LINES: Final = 4
"""How many horizontal lines to sample in each row of pixels. Within a line, coverage is exact."""
BESIDE: Final = 220
"""The size of the shamans beside the board."""
LOSER: Final = 0.7
"""How much the loser's shaman beside the board fades into the background."""

Span = tuple[float, float]


def preview(setup: Setup, winner: Tribe | None = None) -> bytes:
    """A picture of the table for a link preview. The loser's shaman is pale, and the fire burns for the winner."""
    if winner:
        setup = dataclasses.replace(setup, active=winner)
    scale = HEIGHT / (TABLE_HEIGHT + 2 * MARGIN)
    left = (WIDTH - (TABLE_WIDTH + 2 * MARGIN) * scale) / 2
    canvas = Canvas(WIDTH, HEIGHT, BACKGROUND)
    canvas.draw(svg.board(setup, coordinates=False), (scale, 0, 0, scale, left, 0))
    for tribe, middle in ((FOREST, left / 2), (SEA, WIDTH - left / 2)):
        x, y = middle - BESIDE / 2, (HEIGHT - BESIDE) / 2
        canvas.draw(at(x, y, BESIDE, figure(tribe)))
        if winner and winner is not tribe:
            canvas.draw(box(x, y, BESIDE, BESIDE, 0, BACKGROUND, opacity=LOSER))
    return canvas.png()


@dataclasses.dataclass(frozen=True, slots=True)
class Style:
    """The inherited properties of an element."""

    fill: str = "#000000"
    stroke: str = "none"
    stroke_width: float = 1.0
    stroke_dasharray: str = ""
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    opacity: float = 1.0
    """Multiplied down the tree, which is exact as long as translucent shapes do not overlap within a group."""

    def inherited(self, element: ElementTree.Element) -> Style:
        """The style inside an element."""
        changes: dict[str, str | float] = {}
        for field in dataclasses.fields(self):
            found = element.get(field.name.replace("_", "-"))
            if found is not None:
                changes[field.name] = found if isinstance(getattr(self, field.name), str) else float(found)
        if "opacity" in changes:
            changes["opacity"] = float(changes["opacity"]) * self.opacity
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]  # the types match the fields


class Canvas:
    """An opaque picture. Each colour has its own plane, so that a run of pixels can be blended at once."""

    def __init__(self, width: int, height: int, colour: str) -> None:
        self._width: Final = width
        self._height: Final = height
        self._planes: Final = [bytearray([value]) * (width * height) for value in _rgb(colour)]

    def draw(self, drawing: str, matrix: Matrix = IDENTITY) -> None:
        """Draw an element and everything in it."""
        self._draw(ElementTree.fromstring(drawing), matrix, Style())  # noqa: S314  # our own drawing

    def _draw(self, element: ElementTree.Element, matrix: Matrix, style: Style) -> None:
        style, matrix = style.inherited(element), transformed(element.get("transform"), matrix)
        if outlines := polygons(element, matrix):
            if style.fill != "none":
                self._paint(_filled(outlines), style.fill, style.opacity * style.fill_opacity)
            if style.stroke != "none":
                scale = scale_of(matrix)
                lines = _dashed(outlines, style.stroke_dasharray, scale)
                spans = _stroked(lines, style.stroke_width * scale / 2)
                self._paint(spans, style.stroke, style.opacity * style.stroke_opacity)
        for child in element:
            self._draw(child, matrix, style)

    def _paint(self, lines: Iterable[tuple[int, Span]], colour: str, opacity: float) -> None:
        """Blend a colour over the spans of the sampled lines. The spans of one line must not overlap."""
        rows: dict[int, dict[int, float]] = {}
        for line, (begin, end) in lines:
            row = line // LINES
            if 0 <= row < self._height:
                _cover(rows.setdefault(row, {}), min(max(begin, 0), self._width), min(max(end, 0), self._width))
        rgb = _rgb(colour)
        for row, changes in rows.items():
            covered = 0.0
            edges = sorted(changes)
            for first, after in zip(edges, [*edges[1:], self._width], strict=True):
                covered += changes[first]
                if covered * opacity > 1 / 512 and first < after:
                    self._blend(row * self._width, first, min(after, self._width), rgb, min(covered * opacity, 1.0))

    def _blend(self, start: int, first: int, after: int, rgb: Sequence[int], part: float) -> None:
        for plane, value in zip(self._planes, rgb, strict=True):
            if part > 511 / 512:
                plane[start + first : start + after] = bytes((value,)) * (after - first)
            elif after - first < 4:
                for index in range(start + first, start + after):
                    plane[index] += round((value - plane[index]) * part)
            else:
                run = plane[start + first : start + after]
                plane[start + first : start + after] = run.translate(_blended(value, round(part * 255)))

    def png(self) -> bytes:
        """The picture as a PNG file."""
        rows = bytearray()
        for start in range(0, self._width * self._height, self._width):
            row = bytearray(3 * self._width)
            for channel, plane in enumerate(self._planes):
                row[channel::3] = plane[start : start + self._width]
            rows += b"\0" + row  # no filter
        head = struct.pack(">IIBBBBB", self._width, self._height, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in parts
        )


@functools.cache
def _blended(value: int, part: int) -> bytes:
    """What becomes of each value if ``part`` of 255 is replaced by another value."""
    return bytes(old + round((value - old) * part / 255) for old in range(256))


def _cover(changes: dict[int, float], begin: float, end: float) -> None:
    """Add one line's span to a row, as changes of the coverage from one pixel to the next."""
    for x, sign in ((begin, 1 / LINES), (end, -1 / LINES)):
        pixel = math.floor(x)
        part = x - pixel
        changes[pixel] = changes.get(pixel, 0.0) + sign * (1 - part)
        changes[pixel + 1] = changes.get(pixel + 1, 0.0) + sign * part


def _filled(outlines: Iterable[Sequence[Point]]) -> Iterator[tuple[int, Span]]:
    """The spans inside outlines, by the nonzero rule."""
    crossings: dict[int, list[tuple[float, int]]] = {}
    for outline in outlines:
        for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
            turn = 1 if y2 > y1 else -1
            low, high = min(y1, y2), max(y1, y2)
            for line in range(math.ceil(low * LINES - 0.5), math.ceil(high * LINES - 0.5)):
                y = (line + 0.5) / LINES
                crossings.setdefault(line, []).append((x1 + (x2 - x1) * (y - y1) / (y2 - y1), turn))
    for line, found in crossings.items():
        found.sort()
        winding, begin = 0, 0.0
        for x, turn in found:
            if winding == 0:
                begin = x
            winding += turn
            if winding == 0:
                yield line, (begin, x)


def _stroked(outlines: Iterable[Sequence[Point]], reach: float) -> Iterator[tuple[int, Span]]:
    """The spans of lines with round ends and corners. ``reach`` is half the width of the lines."""
    found: dict[int, list[Span]] = {}
    for outline in outlines:
        for one, other in itertools.pairwise(outline) if len(outline) > 1 else [(outline[0], outline[0])]:
            low, high = min(one[1], other[1]) - reach, max(one[1], other[1]) + reach
            for line in range(math.ceil(low * LINES - 0.5), math.ceil(high * LINES - 0.5)):
                if span := _across(one, other, reach, (line + 0.5) / LINES):
                    found.setdefault(line, []).append(span)
    for line, spans in found.items():
        spans.sort()
        begin, end = spans[0]
        for each in spans[1:]:
            if each[0] > end:
                yield line, (begin, end)
                begin, end = each
            end = max(end, each[1])
        yield line, (begin, end)


def _across(one: Point, other: Point, reach: float, y: float) -> Span | None:
    """Where a thick line with round ends is at height ``y``."""
    lefts, rights = [], []
    for x, middle in (one, other):
        if abs(y - middle) < reach:
            half = math.sqrt(reach * reach - (y - middle) ** 2)
            lefts.append(x - half)
            rights.append(x + half)
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = math.hypot(dx, dy)
    if length > 0:  # the rectangle between the ends
        nx, ny = -dy / length * reach, dx / length * reach
        corners = [(one[0] + nx, one[1] + ny), (other[0] + nx, other[1] + ny), (other[0] - nx, other[1] - ny),
                   (one[0] - nx, one[1] - ny)]  # fmt: skip
        for (x1, y1), (x2, y2) in itertools.pairwise([*corners, corners[0]]):
            if (y1 <= y) != (y2 <= y):
                x = x1 + (x2 - x1) * (y - y1) / (y2 - y1)
                lefts.append(x)
                rights.append(x)
    return (min(lefts), max(rights)) if lefts and rights else None


def _dashed(outlines: Sequence[Sequence[Point]], pattern: str, scale: float) -> Sequence[Sequence[Point]]:
    """The dashes of a line with a pattern such as ``7 11``; the line itself without a pattern."""
    if not pattern:
        return outlines
    lengths = [float(each) * scale for each in pattern.split()]
    dashes: list[list[Point]] = []
    for outline in outlines:
        left, index, dash = lengths[0], 0, [outline[0]]
        for (x1, y1), (x2, y2) in itertools.pairwise(outline):
            length, done = math.hypot(x2 - x1, y2 - y1), 0.0
            while length - done > left:
                done += left
                point = (x1 + (x2 - x1) * done / length, y1 + (y2 - y1) * done / length)
                if index % 2 == 0:
                    dashes.append([*dash, point])
                index += 1
                left, dash = lengths[index % len(lengths)], [point]
            left -= length - done
            dash.append((x2, y2))
        if index % 2 == 0:
            dashes.append(dash)
    return dashes


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def main() -> None:
    """Draw the position on standard input, with low priority."""
    os.nice(10)
    position, _, winner = sys.stdin.read().strip().partition("\n")
    sys.stdout.buffer.write(preview(setup_of(position), Tribe(winner) if winner else None))


if __name__ == "__main__":
    main()
