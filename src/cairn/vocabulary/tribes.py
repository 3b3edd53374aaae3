"""The two tribes, and chance, which chooses the tiles that are drawn."""

from __future__ import annotations

import enum
from typing import Final, Literal, TypeAlias

TribeName: TypeAlias = Literal["forest", "sea"]
"""The ``value`` of a :class:`Tribe`, for data that leaves the program."""


class Tribe(enum.Enum):
    """A tribe of five shamans. Each player leads one tribe."""

    _value_: TribeName
    FOREST = "forest"
    """The tribe whose village is below row 1. It moves up the field."""
    SEA = "sea"
    """The tribe whose village is above row 5. It moves down the field."""

    @property
    def letter(self) -> str:
        """``"F"`` or ``"S"``, as written in positions and records."""
        return "F" if self is Tribe.FOREST else "S"

    @property
    def enemy(self) -> Tribe:
        """The other tribe."""
        return Tribe.SEA if self is Tribe.FOREST else Tribe.FOREST

    @property
    def first_row(self) -> int:
        """The row next to the tribe's own village (B1)."""
        return 1 if self is Tribe.FOREST else 5

    @property
    def forward(self) -> int:
        """``+1`` or ``-1``: how each step towards the opposing side changes the row number."""
        return 1 if self is Tribe.FOREST else -1


class Chance(enum.Enum):
    """Decides which tile is drawn. The only member is :data:`CHANCE`."""

    CHANCE = "chance"


FOREST: Final = Tribe.FOREST
SEA: Final = Tribe.SEA
CHANCE: Final = Chance.CHANCE

TRIBES: Final = (FOREST, SEA)

Decider = Tribe | Chance | None
"""Who chooses the next token: a tribe, :data:`CHANCE`, or ``None`` once the game is over."""

SHAMANS_PER_TRIBE: Final = 5
POINTS_TO_WIN: Final = 3


def tribe_of(letter: str) -> Tribe:
    """The tribe written as ``letter``.

    >>> tribe_of("S")
    <Tribe.SEA: 'sea'>
    """
    for tribe in TRIBES:
        if tribe.letter == letter:
            return tribe
    raise ValueError(f"{letter!r} is not a tribe: expected F or S")
