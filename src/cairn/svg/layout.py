"""Where things lie on the table, in units: a space of the field is 100 wide."""

from __future__ import annotations

from typing import Final

from cairn.vocabulary import FOREST, Space, Tribe

SPACE: Final = 100
GUTTER: Final = 26
"""Ground left and right of the field; carries the row numbers."""
STRIP: Final = 26
"""Ground between field and village; carries the column letters."""
VILLAGE: Final = 88

LAND_WIDTH: Final = 5 * SPACE + 2 * GUTTER
LAND_HEIGHT: Final = 5 * SPACE + 2 * (STRIP + VILLAGE)
GAP: Final = 16
PANEL_WIDTH: Final = 172
"""The column beside the land: tiles, upcoming megaliths, deck."""
TABLE_WIDTH: Final = LAND_WIDTH + GAP + PANEL_WIDTH
TABLE_HEIGHT: Final = LAND_HEIGHT
MARGIN: Final = 4

FIELD_TOP: Final = VILLAGE + STRIP


def corner(space: Space, orientation: Tribe) -> tuple[float, float]:
    """The upper left corner of a space, as the given tribe sees the field; places beyond the edge have one too."""
    if orientation is FOREST:
        column, row = space.column - 1, 5 - space.row
    else:
        column, row = 5 - space.column, space.row - 1
    return GUTTER + SPACE * column, FIELD_TOP + SPACE * row


def centre(space: Space, orientation: Tribe) -> tuple[float, float]:
    """The middle of a space."""
    x, y = corner(space, orientation)
    return x + SPACE / 2, y + SPACE / 2


def village_top(tribe: Tribe, orientation: Tribe) -> float:
    """The upper edge of a tribe's village."""
    return LAND_HEIGHT - VILLAGE if tribe is orientation else 0
