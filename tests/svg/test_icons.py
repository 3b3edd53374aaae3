"""The icons: the PNG files show the drawing, and a maskable icon can be cropped to any shape."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from cairn.svg.icons import BACKGROUND, FILES, STONES, png, svg

Pixel = tuple[int, int, int, int]


def pixels(content: bytes) -> list[list[Pixel]]:
    """Decode an unfiltered PNG file with four channels."""
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    parts = dict(_parts(content[8:]))
    width, height, depth, kind = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert (depth, kind, width) == (8, 6, height)
    raw = zlib.decompress(parts[b"IDAT"])
    rows = [raw[start + 1 : start + 1 + 4 * width] for start in range(0, len(raw), 1 + 4 * width)]
    return [list(struct.iter_unpack("BBBB", row)) for row in rows]


def _parts(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    while content:
        (length,) = struct.unpack(">I", content[:4])
        kind, data = content[4:8], content[8 : 8 + length]
        assert struct.unpack(">I", content[8 + length : 12 + length]) == (zlib.crc32(kind + data),)
        yield kind, data
        content = content[12 + length :]


def colour(text: str) -> Pixel:
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue, 255


def test_the_svg_consists_of_the_background_and_the_stones() -> None:
    shapes = [child.tag.partition("}")[2] for child in ElementTree.fromstring(svg())]
    assert shapes == ["rect", *["ellipse"] * len(STONES)]


def test_a_png_shows_each_stone_in_its_place_and_transparent_corners() -> None:
    rows = pixels(png(64))
    for stone in STONES:
        assert rows[int(stone.y * 2)][int(stone.x * 2)] == colour(stone.colour)
        assert rows[int(stone.y * 2)][int((stone.x + stone.across + 1) * 2)] == colour(BACKGROUND)
    assert [rows[y][x][3] for x, y in ((0, 0), (63, 0), (0, 63), (63, 63))] == [0, 0, 0, 0]
    assert rows[0][32] == colour(BACKGROUND)


def test_edges_are_smooth() -> None:
    values = {pixel[0] for row in pixels(png(64)) for pixel in row}
    assert len(values) > 10


@pytest.mark.slow
def test_everything_but_the_background_of_a_maskable_icon_is_in_its_safe_circle() -> None:
    width, corner, size = FILES["maskable-512.png"]
    rows = pixels(png(width, corner, size))
    assert {pixel[3] for row in rows for pixel in row} == {255}
    outside = (
        rows[y][x]
        for y in range(width)
        for x in range(width)
        if math.hypot(x + 0.5 - width / 2, y + 0.5 - width / 2) > 0.4 * width
    )
    assert set(outside) == {colour(BACKGROUND)}
    assert rows[width // 2][width // 2] != colour(BACKGROUND)
