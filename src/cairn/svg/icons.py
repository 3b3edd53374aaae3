"""The icon of the web app: four stacked stones, as SVG and as PNG files in the sizes that platforms require.

``python -m cairn.svg.icons FOLDER`` writes the files. Some platforms show only PNG files, and some crop a maskable icon
to their own shape. The drawing consists only of ellipses on a background, so that this module can rasterize it.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from cairn.svg.elements import box, disc, element

GRID: Final = 32.0
"""The width and height of the drawing."""
CORNER: Final = 7.0
"""The radius of the background's corners."""
BACKGROUND: Final = "#2f4a3c"
SAFE: Final = 0.78
"""The scale of the stones in a maskable icon. All platforms show at least a circle that is 80% as wide as the icon."""
LINES: Final = 4
"""How many horizontal lines to sample in each row of pixels. Within a line, coverage is exact."""


class Stone(NamedTuple):
    """An ellipse."""

    x: float
    y: float
    across: float
    """Half the width."""
    up: float
    """Half the height."""
    colour: str


STONES: Final = (
    Stone(16, 24.4, 10.4, 3.7, "#cfc5b0"),
    Stone(15.2, 17.6, 7.4, 3.2, "#e4dcc9"),
    Stone(16.4, 11.7, 5.2, 2.7, "#cfc5b0"),
    Stone(15.8, 7, 3, 1.9, "#f3ede0"),
)

FILES: Final = {
    "icon-192.png": (192, CORNER, 1.0),
    "icon-512.png": (512, CORNER, 1.0),
    "maskable-512.png": (512, 0.0, SAFE),
    "touch-180.png": (180, 0.0, 0.9),
}
"""The PNG files, with their width in pixels, the radius of the corners, and the scale of the stones."""


TURN: Final = Stone(24.5, 7.5, 6.5, 6.5, "#f2b33d")
"""The dot on the icon while it is the visitor's turn."""


def svg(*, turn: bool = False) -> str:
    """The icon as SVG. ``turn`` adds the dot that says that it is the visitor's turn."""
    stones = "".join(
        element("ellipse", cx=stone.x, cy=stone.y, rx=stone.across, ry=stone.up, fill=stone.colour) for stone in STONES
    )
    background = box(0, 0, GRID, GRID, CORNER, BACKGROUND)
    dot = disc(TURN.x, TURN.y, TURN.across, TURN.colour, stroke=BACKGROUND, stroke_width=2) if turn else ""
    return element("svg", background, stones, dot, xmlns="http://www.w3.org/2000/svg", viewBox="0 0 32 32")


def png(width: int, corner: float = CORNER, size: float = 1.0) -> bytes:
    """The icon as a square PNG file with transparent corners."""
    rows = bytearray()
    for row in range(width):
        rows.append(0)  # no filter
        rows += _row(row, width, corner, size)
    head = struct.pack(">IIBBBBB", width, width, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


def _row(row: int, width: int, corner: float, size: float) -> bytes:
    """A row of pixels: the background, then each stone on top of it."""
    scale = width / GRID
    heights = [(row + (line + 0.5) / LINES) / scale for line in range(LINES)]
    alphas = _coverage([_background_span(y, corner) for y in heights], scale, width)
    red, green, blue = ([float(value)] * width for value in _rgb(BACKGROUND))
    for stone in STONES:
        covered = _coverage([_stone_span(y, stone, size) for y in heights], scale, width)
        for index, part in enumerate(covered):
            if part:
                for channel, value in zip((red, green, blue), _rgb(stone.colour), strict=True):
                    channel[index] += (value - channel[index]) * part
    pixels = bytearray()
    for pixel in zip(red, green, blue, alphas, strict=True):
        pixels += bytes((round(pixel[0]), round(pixel[1]), round(pixel[2]), round(255 * pixel[3])))
    return bytes(pixels)


def _coverage(spans: list[tuple[float, float] | None], scale: float, width: int) -> list[float]:
    """The fraction of each pixel in a row that is covered, given the covered span of each sampled line."""
    covered = [0.0] * width
    for span in spans:
        if span is None:
            continue
        left, right = span[0] * scale, span[1] * scale
        edges = [left, *range(math.floor(left) + 1, math.ceil(right)), right]
        for start, end in pairwise(edges):
            if 0 <= start < width:
                covered[int(start)] += (end - start) / LINES
    return covered


def _background_span(y: float, corner: float) -> tuple[float, float]:
    """Where the background begins and ends at height ``y``."""
    depth = max(corner - min(y, GRID - y), 0.0)
    inset = corner - math.sqrt(corner**2 - depth**2)
    return inset, GRID - inset


def _stone_span(y: float, stone: Stone, size: float) -> tuple[float, float] | None:
    """Where a stone begins and ends at height ``y``."""
    middle = GRID / 2
    away = (y - middle - (stone.y - middle) * size) / (stone.up * size)
    if abs(away) >= 1:
        return None
    reach = stone.across * size * math.sqrt(1 - away**2)
    x = middle + (stone.x - middle) * size
    return x - reach, x + reach


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def _chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG file."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def main() -> None:
    """Write the icons to the folder named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m cairn.svg.icons FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (width, corner, size) in FILES.items():
        (folder / name).write_bytes(png(width, corner, size))
    (folder / "icon.svg").write_text(svg() + "\n", encoding="utf-8")
    (folder / "icon-turn.svg").write_text(svg(turn=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
