"""Draw pictures of positions as PNG, for programs that show no SVG, such as messengers that preview a link.

``python -m cairn.svg.png`` reads a position, and optionally the winner's tribe, from standard input, and writes a
picture for a link preview to standard output. This module needs the ``serve`` extra.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Final

import resvg_py

from cairn import svg
from cairn.notation.position import setup_of
from cairn.svg.elements import at, box, document, group
from cairn.svg.icons import BACKGROUND
from cairn.svg.layout import MARGIN, TABLE_HEIGHT, TABLE_WIDTH
from cairn.svg.shamans import figure
from cairn.vocabulary import FOREST, SEA, Setup, Tribe

WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size of a link preview that networks show without cropping it."""
BESIDE: Final = 220
"""The size of the shamans next to the board."""
FADED: Final = 0.3
"""The opacity of the loser's shaman next to the board."""


def preview(setup: Setup, winner: Tribe | None = None) -> bytes:
    """A picture of the table for a link preview. The loser's shaman is pale, and the fire burns for the winner."""
    if winner:
        setup = dataclasses.replace(setup, active=winner)
    width = round(HEIGHT * (TABLE_WIDTH + 2 * MARGIN) / (TABLE_HEIGHT + 2 * MARGIN))
    left = (WIDTH - width) / 2
    shapes = [
        box(0, 0, WIDTH, HEIGHT, 0, BACKGROUND),
        group(svg.board(setup, coordinates=False, size=width), transform=f"translate({left} 0)"),
    ]
    for tribe, middle in ((FOREST, left / 2), (SEA, WIDTH - left / 2)):
        x, y = middle - BESIDE / 2, (HEIGHT - BESIDE) / 2
        shapes.append(at(x, y, BESIDE, figure(tribe), opacity=FADED if winner not in (None, tribe) else None))
    drawing = document(WIDTH, HEIGHT, WIDTH, "Cairn", "A position.", *shapes)
    return resvg_py.svg_to_bytes(svg_string=drawing, skip_system_fonts=True)


def main() -> None:
    """Draw the position on standard input."""
    position, _, winner = sys.stdin.read().strip().partition("\n")
    sys.stdout.buffer.write(preview(setup_of(position), Tribe(winner) if winner else None))


if __name__ == "__main__":
    main()
