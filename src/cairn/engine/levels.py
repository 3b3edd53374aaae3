"""The levels of the computer player and their names.

The core contains the parameters of the levels and chooses their tokens, so a level plays the same way on every machine
and in the browser.
"""

from __future__ import annotations

import dataclasses
from typing import Final

from cairn._native import core


@dataclasses.dataclass(frozen=True, slots=True)
class Level:
    """How well the computer plays."""

    number: int
    name: str
    audience: str
    """The players for whom the level is suitable."""
    nodes: int
    """The node limit."""
    sight: int
    """The depth limit."""
    lines: int
    """The number of candidates."""
    temperature: float
    """A candidate this many points worse is chosen about a third as often as the best one; 0 always picks the best."""
    cap: int
    """A candidate that is worse by more points than this is never chosen."""


_NAMES: Final = (
    ("Pebble", "for a first game"),
    ("Cairn stone", "for players who know the rules"),
    ("Boulder", "for an evening among friends"),
    ("Menhir", "for players who have won a few games"),
    ("Dolmen", "for regular players"),
    ("Trilith", "for players who plan ahead"),
    ("Tumulus", "for strong players"),
    ("Alignment", "for very strong players"),
    ("Stone circle", "for masters"),
    ("Summit", "for nobody yet: full strength, in less than a second"),
)

LEVELS: Final[tuple[Level, ...]] = tuple(
    Level(number, name, audience, nodes, sight, lines, temperature, cap)
    for number, ((name, audience), (nodes, sight, lines, temperature, cap)) in enumerate(
        zip(_NAMES, core.levels(), strict=True), 1
    )
)
LOWEST: Final = LEVELS[0].number
HIGHEST: Final = LEVELS[-1].number


def level_of(number: int) -> Level:
    """The level with this number. Raises ``ValueError`` if there is none.

    >>> level_of(10).name
    'Summit'
    """
    if not LOWEST <= number <= HIGHEST:
        raise ValueError(f"there is no level {number}: levels go from {LOWEST} to {HIGHEST}")
    return LEVELS[number - LOWEST]
