"""The layout of the board, in units. A space of the field is 100 units wide.

This is the only copy of these numbers. ``cairn.svg.typescript`` exports them for the board in the web app.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cairn.vocabulary import FOREST, Space, Tribe

SPACE: Final = 100
GUTTER: Final = 26
"""The width of the ground to the left and right of the field, where the row numbers are."""
STRIP: Final = 26
"""The height of the ground between the field and a village, where the column letters are."""
VILLAGE: Final = 88

LAND_WIDTH: Final = 5 * SPACE + 2 * GUTTER
LAND_HEIGHT: Final = 5 * SPACE + 2 * (STRIP + VILLAGE)
LAND_ROUNDING: Final = 26
"""The corner radius of the land."""
GAP: Final = 16
PANEL_WIDTH: Final = 172
"""The width of the column next to the land, with the tiles, the upcoming megaliths and the deck."""
TABLE_WIDTH: Final = LAND_WIDTH + GAP + PANEL_WIDTH
TABLE_HEIGHT: Final = LAND_HEIGHT
MARGIN: Final = 4

FIELD_TOP: Final = VILLAGE + STRIP

PIECE_HEIGHT: Final = 104
"""The height of a piece that is 100 wide. Its shadow falls below the design grid."""
TILE_WIDTH: Final = 172
TILE_HEIGHT: Final = 114


class Placement(NamedTuple):
    """The upper left corner of a drawing's 100 x 100 design grid, and the size at which the grid is drawn."""

    x: float
    y: float
    size: float


# Inside a space, from its upper left corner.
SPACE_INSET: Final = 2.5
"""The gap between the edge of a space and its outline."""
SPACE_ROUNDING: Final = 13
MEGALITH: Final = Placement(7, 6, 86)
SHAMAN: Final = Placement(8, 6, 86)
SHAMAN_ON_MEGALITH: Final = Placement(34, 28, 69)
COVERED_TOTEM: Final = Placement(1, 66, 33)
"""The totem mark next to a megalith on the same space."""

# Inside the design grid of a megalith.
SIGN: Final = Placement(6, 5, 88)
SIGN_BESIDE_SHAMAN: Final = Placement(2, 2, 55)
"""The placement of the sign when a shaman stands on the megalith: in the free corner."""

# Inside a village, from its upper left corner.
VILLAGE_FRAME: Final = (7, 6, LAND_WIDTH - 14, VILLAGE - 12)
"""The outline that marks a village: x, y, width, height."""
VILLAGE_FRAME_ROUNDING: Final = 20
FIRE: Final = Placement(16, 16, 56)
WAITING_SHAMAN: Final = Placement(84, 13, 62)
"""The placement of the first waiting shaman."""
WAITING_ROOM: Final = 310
"""The total width available to all waiting shamans."""
LAST_POINT: Final = Placement(LAND_WIDTH - 64, 20, 48)
"""The placement of the rightmost stone of the score track."""
POINT_STEP: Final = 44

# Marks of the last turn, on the 100 x 100 grid of a space.
BRACKETS: Final = "M6 24V14Q6 6 14 6H24M76 6H86Q94 6 94 14V24M94 76V86Q94 94 86 94H76M24 94H14Q6 94 6 86V76"
"""The mark for a space where a piece arrived."""
FRAME: Final = "M18 5H82Q95 5 95 18V82Q95 95 82 95H18Q5 95 5 82V18Q5 5 18 5Z"
"""The mark for a space that a piece left."""


def corner(space: Space, orientation: Tribe) -> tuple[float, float]:
    """The upper left corner of a space, with ``orientation`` at the bottom. Also works for places off the field."""
    if orientation is FOREST:
        column, row = space.column - 1, 5 - space.row
    else:
        column, row = 5 - space.column, space.row - 1
    return GUTTER + SPACE * column, FIELD_TOP + SPACE * row


def centre(space: Space, orientation: Tribe) -> tuple[float, float]:
    """The middle of a space."""
    x, y = corner(space, orientation)
    return x + SPACE / 2, y + SPACE / 2


def on_space(space: Space, orientation: Tribe, placement: Placement) -> Placement:
    """A placement inside a space, in board units."""
    x, y = corner(space, orientation)
    return Placement(x + placement.x, y + placement.y, placement.size)


def village_top(tribe: Tribe, orientation: Tribe) -> float:
    """The upper edge of a tribe's village."""
    return LAND_HEIGHT - VILLAGE if tribe is orientation else 0


def waiting_step(count: int) -> float:
    """The distance between waiting shamans in a village."""
    return min(WAITING_SHAMAN.size, WAITING_ROOM / max(count, 1))
