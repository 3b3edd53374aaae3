"""All drawings as one sheet of SVG symbols, for the board in the web app.

``python -m cairn.svg.sheet FILE`` writes it. A page shows a symbol with ``<use href="#cairn-megalith-DR"/>``. The
prefix prevents clashes with the page's own ids. Every colour is a custom property with the palette's colour as its
default, so that a page can set ``--art-ink``, ``--art-forest-robe`` and so on.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cairn.svg.elements import element, group, number
from cairn.svg.field import land, stone_circle, totem_mark
from cairn.svg.layout import LAND_HEIGHT, LAND_WIDTH, PIECE_HEIGHT, SIGN, TILE_HEIGHT, TILE_WIDTH, Placement
from cairn.svg.megaliths import face_down, quarter, sign, slab
from cairn.svg.palette import NAMES, STONES
from cairn.svg.shamans import figure
from cairn.svg.tiles import BACK_DIAGRAM, FRONT_DIAGRAM, Face, body, diagram, underneath
from cairn.svg.villages import fire, point
from cairn.vocabulary import (
    FOREST,
    MEGALITHS,
    TRIBES,
    AddFace,
    JumpFace,
    Megalith,
    MoveFace,
    TransformationFace,
    Variant,
)

_FACES: Final[tuple[tuple[str, Face], ...]] = (
    *(("add", face) for face in AddFace),
    *(("move", face) for face in MoveFace),
    *(("jump", face) for face in JumpFace),
    *(("transformation", face) for face in TransformationFace),
)
PREFIX: Final = "cairn-"
"""The prefix of every id."""
SHEET_ID: Final = f"{PREFIX}sheet"

Size = tuple[float, float]
_PIECE: Final[Size] = (100, PIECE_HEIGHT)
"""The size of a piece with its shadow."""
_GRID: Final[Size] = (100, 100)


def sheet() -> str:
    """The whole sheet. It displays nothing by itself.

    Outlines are repeated instead of shared through ``<use>``, because repetition compresses well, and each reference
    would add two nodes to the page.
    """
    symbols = "\n".join(_symbol(name, size, drawing) for name, size, drawing in _drawings())
    document = element("svg", f"\n{symbols}\n", xmlns="http://www.w3.org/2000/svg", id=SHEET_ID, width=0, height=0,
                       aria_hidden="true")  # fmt: skip
    return re.sub(r'="(#[0-9a-f]{6})"', lambda found: f'="var(--art-{NAMES[found[1]]},{found[1]})"', document)


def sizes() -> dict[str, Size]:
    """The size of every drawing by its name, in units."""
    return {name: size for name, size, _ in _drawings()}


def _drawings() -> Iterator[tuple[str, Size, str]]:
    """The name, size and content of every drawing."""
    yield "land-forest", (LAND_WIDTH, LAND_HEIGHT), land(FOREST)
    yield (
        "land-sea",
        (LAND_WIDTH, LAND_HEIGHT),
        group(_use("land-forest", 0, 0, LAND_WIDTH, LAND_HEIGHT),
              transform=f"rotate(180 {number(LAND_WIDTH / 2)} {number(LAND_HEIGHT / 2)})"),
    )  # fmt: skip
    yield "stone-circle", _GRID, stone_circle()
    for tribe in TRIBES:
        yield f"shaman-{tribe.value}", _PIECE, figure(tribe)
        for colour in AddFace:
            yield f"totem-{tribe.value}-{colour.value}", _GRID, totem_mark(tribe, colour)
    for variant in Variant:
        for turn in sorted({quarter(tile) for tile in MEGALITHS.values() if tile.smallest_variant is variant}):
            yield _slab_name(variant, turn), _PIECE, slab(STONES[variant], turn)
    for tile in MEGALITHS.values():
        bare = _use(_slab_name(tile.smallest_variant, quarter(tile)), 0, 0, *_PIECE)
        yield f"slab-{tile.code}", _PIECE, bare
        yield f"sign-{tile.code}", _GRID, sign(tile)
        yield f"megalith-{tile.code}", _PIECE, _megalith(tile)
    yield "megalith-back", _PIECE, face_down()
    for name, face in _FACES:
        yield f"diagram-{name}-{face.value}", _GRID, diagram(face)
    for name, face in _FACES:
        above = _use_at(f"diagram-{name}-{face.value}", FRONT_DIAGRAM)
        below = _use_at(f"diagram-{name}-{underneath(face).value}", BACK_DIAGRAM)
        yield f"tile-{name}-{face.value}", (TILE_WIDTH, TILE_HEIGHT), body(face, above, below)
    yield "point-open", _GRID, point(scored=False)
    yield "point-scored", _GRID, point(scored=True)
    yield "fire", _GRID, fire()


def _symbol(name: str, size: Size, drawing: str) -> str:
    """A symbol. Attributes that most lines share are set once, on the symbol."""
    lighter = re.sub(r' (stroke-linecap|stroke-linejoin)="round"', "", drawing)
    ends = "round" if lighter != drawing else None
    return element("symbol", lighter, id=PREFIX + name, viewBox=f"0 0 {number(size[0])} {number(size[1])}",
                   stroke_linecap=ends, stroke_linejoin=ends)  # fmt: skip


def _use(name: str, x: float, y: float, width: float, height: float) -> str:
    return element("use", href=f"#{PREFIX}{name}", x=x or None, y=y or None, width=width, height=height)


def _use_at(name: str, placement: Placement) -> str:
    return _use(name, placement.x, placement.y, placement.size, placement.size)


def _slab_name(variant: Variant, turn: int) -> str:
    return f"slab-{variant.value}-{turn}"


def _megalith(tile: Megalith) -> str:
    """A slab with its sign. To draw a shaman on it, a page uses the two parts separately and shrinks the sign."""
    return _use(f"slab-{tile.code}", 0, 0, *_PIECE) + _use_at(f"sign-{tile.code}", SIGN)


def main() -> None:
    """Write the sheet to the file named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m cairn.svg.sheet FILE")
    Path(sys.argv[1]).write_text(sheet() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
