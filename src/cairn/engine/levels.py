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
    """The kind of player that the level suits."""
    nodes: int
    """The node limit."""
    sight: int
    """The depth limit."""
    lines: int
    """The number of candidates."""
    temperature: float
    """A candidate that is this many points worse than the best one is chosen about a third as often.

    With a temperature of 0, the best candidate is always chosen.
    """
    cap: int
    """A candidate that is more than this many points worse than the best one is never chosen."""


_NAMES: Final = (
    ("Pebble", "for a first game"),
    ("Cairn stone", "once you know the rules"),
    ("Boulder", "for an evening among friends"),
    ("Monolith", "once you have won a few games"),
    ("Dolmen", "for regular players"),
    ("Trilithon", "for players who plan ahead"),
    ("Obelisk", "for strong players"),
    ("Stone row", "for very strong players"),
    ("Henge", "for masters"),
    ("Summit", "the hardest stone to beat"),
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
