"""The spaces of the field and their geometry (B1-B5)."""

from __future__ import annotations

import functools
from typing import Final, NamedTuple

COLUMNS: Final = "abcde"
SIZE: Final = 5

Direction = tuple[int, int]
"""A step in columns and rows, as seen by Forest: ``(1, 0)`` is to the right, ``(0, 1)`` is up."""

ORTHOGONAL: Final[tuple[Direction, ...]] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: Final[tuple[Direction, ...]] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
EIGHT_DIRECTIONS: Final = ORTHOGONAL + DIAGONAL


class Space(NamedTuple):
    """A place given by column and row, both counted from 1.

    Coordinates beyond the edge are allowed, so that a step off the field is an ordinary step; see :attr:`on_field`.

    >>> Space(2, 3)
    b3
    >>> Space(2, 3).step((1, 1))
    c4
    """

    column: int
    row: int

    @property
    def on_field(self) -> bool:
        """Whether this is one of the 25 spaces."""
        return 1 <= self.column <= SIZE and 1 <= self.row <= SIZE

    def step(self, direction: Direction, times: int = 1) -> Space:
        """The place ``times`` steps away."""
        return Space(self.column + direction[0] * times, self.row + direction[1] * times)

    def neighbours(self) -> tuple[Space, ...]:
        """The adjacent spaces of the field (B5)."""
        return _neighbours(self)

    def __str__(self) -> str:
        return _NAMES.get(self) or f"({self.column}, {self.row})"

    def __repr__(self) -> str:
        return str(self)


@functools.cache
def _neighbours(space: Space) -> tuple[Space, ...]:
    around = (space.step(direction) for direction in EIGHT_DIRECTIONS)
    return tuple(each for each in around if each.on_field)


SPACES: Final = tuple(Space(column, row) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1))
"""All 25 spaces, in the order in which a position lists megaliths: a1 b1 ... e1 a2 ... e5."""

_NAMES: Final = {space: f"{COLUMNS[space.column - 1]}{space.row}" for space in SPACES}
_BY_NAME: Final = {name: space for space, name in _NAMES.items()}


def space_of(name: str) -> Space:
    """The space with this name.

    >>> space_of("d5")
    d5
    """
    if name not in _BY_NAME:
        raise ValueError(f"{name!r} is not a space: expected a column a-e and a row 1-5")
    return _BY_NAME[name]


STONE_CIRCLES: Final = (space_of("b3"), space_of("d3"))
"""The two stone circles (B3)."""
