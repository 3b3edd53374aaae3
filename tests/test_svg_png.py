"""Drawings as PNG: decoded pixels, and every shape that the drawings use."""

from __future__ import annotations

import struct
import zlib

import pytest

from cairn.notation.position import setup_of
from cairn.svg.elements import box, disc, element, path, stroke
from cairn.svg.png import HEIGHT, WIDTH, Canvas, preview
from cairn.vocabulary import SEA

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
POSITION = "S2SS/2S2/5/1F2F/F3F e2PS,a3WC,c3FC,d4SA,b5MM DRSW (ADCSHETS) wdem 1-1 F"


def pixels(png: bytes) -> list[list[tuple[int, ...]]]:
    """The rows of pixels in a PNG file."""
    chunks, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + data),)
        chunks[kind] = data
        at += 12 + length
    width, height, depth, colours = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, colours) == (8, 2)
    rows = zlib.decompress(chunks[b"IDAT"])
    size = 3 * width + 1
    assert len(rows) == size * height
    return [
        [tuple(rows[row * size + 1 + 3 * x : row * size + 4 + 3 * x]) for x in range(width)] for row in range(height)
    ]


def drawn(*shapes: str, size: int = 20) -> list[list[tuple[int, ...]]]:
    canvas = Canvas(size, size, "#ffffff")
    for shape in shapes:
        canvas.draw(shape)
    return pixels(canvas.png())


@pytest.mark.parametrize(
    "shape",
    [
        box(4, 4, 12, 12, 0, "#000000"),
        box(4, 4, 12, 12, 3, "#000000"),
        disc(10, 10, 6, "#000000"),
        path("M4 4h12v12h-12z", fill="#000000"),
        path("M4 10a6 6 0 1 1 12 0a6 6 0 1 1 -12 0Z", fill="#000000"),
        path("M10 4C18 4 18 16 10 16S2 4 10 4", fill="#000000"),
        path("M10 3Q17 10 10 17T10 3", fill="#000000"),
        stroke("M10 4V16", "#000000", 6),
        stroke("M10 10h.01", "#000000", 12),
        element("g", disc(5, 5, 3, "#000000"), transform="scale(2)"),
        element("g", disc(0, 0, 6, "#000000"), transform="rotate(90 10 10) translate(10 10)"),
    ],
)
def test_every_kind_of_shape_covers_its_middle_and_not_the_corners(shape: str) -> None:
    found = drawn(shape)
    assert found[10][10] == BLACK
    assert {found[y][x] for y in (0, 19) for x in (0, 19)} == {WHITE}


def test_edges_are_smooth_and_colours_blend() -> None:
    found = drawn(box(4, 4, 4.5, 12, 0, "#000000"), box(12, 4, 6, 12, 0, "#ff0000", opacity=0.5))
    assert found[8][7] == BLACK
    assert found[8][8] == pytest.approx((128, 128, 128), abs=2)
    assert found[8][9] == WHITE
    assert found[8][14] == pytest.approx((255, 128, 128), abs=2)


def test_a_ring_has_a_hole_and_a_dashed_line_has_gaps() -> None:
    ring = drawn(disc(10, 10, 7, "none", stroke="#000000", stroke_width=3))
    assert (ring[10][3], ring[10][10]) == (BLACK, WHITE)
    dashes = drawn(path("M0 10H20", fill="none", stroke="#000000", stroke_width=2, stroke_dasharray="4 8"))
    assert (dashes[10][2], dashes[10][8], dashes[10][14]) == (BLACK, WHITE, BLACK)


@pytest.mark.slow
def test_a_preview_shows_the_whole_table_and_marks_the_winner() -> None:
    setup = setup_of(POSITION)
    plain, won = pixels(preview(setup)), pixels(preview(setup, SEA))
    assert (len(plain), len(plain[0])) == (HEIGHT, WIDTH)
    assert len({pixel for row in plain for pixel in row}) > 100
    middle = HEIGHT // 2
    assert plain[middle][:280] != won[middle][:280]  # the loser fades
    assert plain[middle][-200:] == won[middle][-200:]
