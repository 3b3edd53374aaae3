"""Pictures for link previews: decoded pixels."""

from __future__ import annotations

import struct
import zlib

import pytest

from cairn.notation.position import setup_of
from cairn.svg.png import HEIGHT, WIDTH, preview
from cairn.vocabulary import FOREST, SEA, Tribe

POSITION = "S2SS/2S2/5/1F2F/F3F e2PS,a3WC,c3FC,d4SA,b5MM DRSW (ADCSHETS) wdem 1-1 F"
SIDE = 280
"""The width of the strips next to the board, in which the two shamans stand."""

Rows = list[list[tuple[int, ...]]]


def pixels(png: bytes) -> Rows:
    """Decode the rows of pixels in a PNG file with 8-bit RGBA samples."""
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + data),)
        chunks[kind] = chunks.get(kind, b"") + data
        at += 12 + length
    width, height, depth, colours = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, colours) == (8, 6)
    packed = zlib.decompress(chunks[b"IDAT"])
    size = 4 * width
    rows: Rows = []
    above = bytes(size)
    for start in range(0, len(packed), size + 1):
        above = _unfiltered(packed[start], packed[start + 1 : start + 1 + size], above)
        rows.append([tuple(above[x : x + 4]) for x in range(0, size, 4)])
    assert len(rows) == height
    return rows


def _unfiltered(kind: int, row: bytes, above: bytes) -> bytes:
    """Undo the filter of a row, as the PNG standard describes it."""
    found = bytearray(row)
    for index, value in enumerate(row):
        left = found[index - 4] if index >= 4 else 0
        up = above[index]
        corner = above[index - 4] if index >= 4 else 0
        guess = left + up - corner
        paeth = min((left, up, corner), key=lambda each: abs(guess - each))
        found[index] = (value + (0, left, up, (left + up) // 2, paeth)[kind]) % 256
    return bytes(found)


@pytest.fixture(scope="module")
def pictures() -> dict[Tribe | None, Rows]:
    """The preview of a running game, and of the same game won by Sea."""
    setup = setup_of(POSITION)
    return {winner: pixels(preview(setup, winner)) for winner in (None, SEA)}


def strip(picture: Rows, tribe: Tribe) -> Rows:
    """The part next to the board where the tribe's shaman stands."""
    return [row[:SIDE] if tribe is FOREST else row[-SIDE:] for row in picture]


@pytest.mark.slow
def test_a_preview_shows_the_table_between_two_shamans(pictures: dict[Tribe | None, Rows]) -> None:
    picture = pictures[None]
    assert (len(picture), len(picture[0])) == (HEIGHT, WIDTH)
    assert {pixel[3] for row in picture for pixel in row} == {255}  # opaque
    board = {pixel for row in picture for pixel in row[SIDE:-SIDE]}
    assert len(board) > 1000
    assert all(len({pixel for row in strip(picture, tribe) for pixel in row}) > 50 for tribe in (FOREST, SEA))


@pytest.mark.slow
def test_a_preview_of_a_finished_game_fades_the_loser(pictures: dict[Tribe | None, Rows]) -> None:
    running, won = pictures[None], pictures[SEA]
    assert strip(won, SEA) == strip(running, SEA)
    background = running[0][0]
    for plain_row, faded_row in zip(strip(running, FOREST), strip(won, FOREST), strict=True):
        for plain, faded in zip(plain_row, faded_row, strict=True):
            assert _distance(faded, background) <= 0.3 * _distance(plain, background) + 4


def _distance(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))
