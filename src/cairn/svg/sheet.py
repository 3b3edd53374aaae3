"""All drawings as one sheet of symbols, for pages that put a board together themselves.

``python -m cairn.svg.sheet FILE`` writes it. A page shows a symbol by ``<use href="#megalith-DR"/>``. Every colour is a
variable with the palette's colour as its default, so that a page can adjust ``--art-ink`` and its like.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cairn.svg.elements import element, group, number
from cairn.svg.field import land, stone_circle, totem_mark
from cairn.svg.layout import LAND_HEIGHT, LAND_WIDTH
from cairn.svg.megaliths import CARVED, face_down, quarter, sign, slab
from cairn.svg.palette import NAMES, STONES
from cairn.svg.shamans import figure
from cairn.svg.tiles import HEIGHT, WIDTH, Face, diagram, underneath, wooden
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
_PIECE: Final = (100, 104)
"""The size of a piece with its shadow."""
_GRID: Final = (100, 100)


def sheet() -> str:
    """The whole sheet. It shows nothing by itself.

    An outline is written wherever it is drawn: compressed that weighs nothing, and a browser that follows references
    makes three nodes out of one.
    """
    symbols = "\n".join(_symbols())
    document = element("svg", f"\n{symbols}\n", xmlns="http://www.w3.org/2000/svg", width=0, height=0,
                       aria_hidden="true")  # fmt: skip
    return re.sub(r'="(#[0-9a-f]{6})"', lambda found: f'="var(--art-{NAMES[found[1]]},{found[1]})"', document)


def _symbols() -> Iterator[str]:
    yield _symbol("land-forest", (LAND_WIDTH, LAND_HEIGHT), land(FOREST))
    yield _symbol(
        "land-sea",
        (LAND_WIDTH, LAND_HEIGHT),
        group(_use("land-forest", 0, 0, LAND_WIDTH, LAND_HEIGHT),
              transform=f"rotate(180 {number(LAND_WIDTH / 2)} {number(LAND_HEIGHT / 2)})"),
    )  # fmt: skip
    yield _symbol("stone-circle", _GRID, stone_circle())
    for tribe in TRIBES:
        yield _symbol(f"shaman-{tribe.value}", _PIECE, figure(tribe))
        for colour in AddFace:
            yield _symbol(f"totem-{tribe.value}-{colour.value}", _GRID, totem_mark(tribe, colour))
    for variant in Variant:
        for turn in sorted({quarter(tile) for tile in MEGALITHS.values() if tile.smallest_variant is variant}):
            yield _symbol(_slab_name(variant, turn), _PIECE, slab(STONES[variant], turn))
    for tile in MEGALITHS.values():
        bare = _use(_slab_name(tile.smallest_variant, quarter(tile)), 0, 0, *_PIECE)
        yield _symbol(f"slab-{tile.code}", _PIECE, bare)
        yield _symbol(f"sign-{tile.code}", _GRID, sign(tile))
        yield _symbol(f"megalith-{tile.code}", _PIECE, _megalith(tile))
    yield _symbol("megalith-back", _PIECE, face_down())
    for name, face in _FACES:
        yield _symbol(f"diagram-{name}-{face.value}", _GRID, diagram(face))
    for name, face in _FACES:
        above = _use(f"diagram-{name}-{face.value}", 7, 6, 100, 100)
        below = _use(f"diagram-{name}-{underneath(face).value}", 115, 56, 46, 46)
        yield _symbol(f"tile-{name}-{face.value}", (WIDTH, HEIGHT), wooden(face, above, below))
    yield _symbol("point-open", _GRID, point(scored=False))
    yield _symbol("point-scored", _GRID, point(scored=True))
    yield _symbol("fire", _GRID, fire())


def _symbol(name: str, size: tuple[float, float], drawing: str) -> str:
    """A symbol; what most lines have in common is said once, for all of it."""
    lighter = re.sub(r' (stroke-linecap|stroke-linejoin)="round"', "", drawing)
    ends = "round" if lighter != drawing else None
    return element("symbol", lighter, id=name, viewBox=f"0 0 {number(size[0])} {number(size[1])}",
                   stroke_linecap=ends, stroke_linejoin=ends)  # fmt: skip


def _use(name: str, x: float, y: float, width: float, height: float) -> str:
    return element("use", href=f"#{name}", x=x or None, y=y or None, width=width, height=height)


def _slab_name(variant: Variant, turn: int) -> str:
    return f"slab-{variant.value}-{turn}"


def _megalith(tile: Megalith) -> str:
    """A slab with a sign; while a shaman stands on it, a page draws the two apart, the sign small in a corner."""
    return _use(f"slab-{tile.code}", 0, 0, *_PIECE) + _use(f"sign-{tile.code}", CARVED[0], CARVED[1], *CARVED[2:] * 2)


def main() -> None:
    """Write the sheet to the file named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m cairn.svg.sheet FILE")
    Path(sys.argv[1]).write_text(sheet() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
