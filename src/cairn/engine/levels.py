"""The levels of the computer player: one table, and how a level chooses.

Weakness should look human. A low level sees little and sometimes takes the second-best of what it sees; it never plays
an absurd token beside perfect ones. Levels are budgets of nodes, not of time, so that they play alike on any machine.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Sequence
from typing import Final

from cairn.engine.engine import Line


@dataclasses.dataclass(frozen=True, slots=True)
class Level:
    """How well the computer plays."""

    number: int
    name: str
    audience: str
    """For whom it is."""
    nodes: int
    """Tokens it may try."""
    sight: int
    """How deep it looks at most."""
    lines: int
    """How many candidates it weighs."""
    temperature: float
    """A candidate that is so many points worse is taken about a third as often as the best; 0 takes the best."""
    cap: int
    """A candidate that is more points worse than this is never taken."""


_TABLE: Final = (
    # number, name, audience, nodes, sight, lines, temperature, cap
    (1, "Pebble", "for a first game", 530, 1, 9, 63.0, 200),
    (2, "Cairn stone", "for who knows the rules now", 1_200, 2, 9, 51.0, 169),
    (3, "Boulder", "for an evening among friends", 3_300, 3, 7, 45.0, 145),
    (4, "Menhir", "for who has won a few games", 8_800, 4, 7, 33.0, 106),
    (5, "Dolmen", "for regular players", 20_000, 5, 6, 24.0, 84),
    (6, "Trilith", "for players who plan ahead", 45_000, 6, 5, 18.0, 64),
    (7, "Tumulus", "for strong players", 85_000, 7, 4, 12.2, 47),
    (8, "Alignment", "for very strong players", 170_000, 9, 3, 8.6, 34),
    (9, "Stone circle", "for masters", 400_000, 11, 3, 3.6, 16),
    (10, "Summit", "for nobody yet: full strength, in less than a second", 1_500_000, 64, 1, 0.0, 0),
)
"""Chosen from a ladder of sixteen such players that met each other, so that the steps are even: docs/methods.md."""

LEVELS: Final[tuple[Level, ...]] = tuple(Level(*row) for row in _TABLE)
LOWEST: Final = LEVELS[0].number
HIGHEST: Final = LEVELS[-1].number


def level_of(number: int) -> Level:
    """The level with that number; ``ValueError`` with a sentence if there is none.

    >>> level_of(10).name
    'Summit'
    """
    if not LOWEST <= number <= HIGHEST:
        raise ValueError(f"levels go from {LOWEST} to {HIGHEST}, there is no level {number}")
    return LEVELS[number - LOWEST]


def choose(level: Level, lines: Sequence[Line], chance: random.Random) -> Line:
    """One of the candidates, the better ones more often.

    A proven loss is never taken while there is something else. Where all is proven there is no matter of taste: the
    soonest win is taken, and the latest loss.
    """
    best = max(lines, key=lambda line: line.score)
    if level.temperature <= 0 or best.score.is_proven:
        return best
    candidates = [line for line in lines if best.score.value - line.score.value <= level.cap]
    weights = [math.exp((line.score.value - best.score.value) / level.temperature) for line in candidates]
    return chance.choices(candidates, weights)[0]
