"""The levels of the computer player: a table, and the way a level chooses its token.

Weak levels should make human mistakes: they search less and sometimes choose a slightly worse token, but they never mix
perfect play with absurd blunders. Levels are limited by nodes, not by time, so they play the same on every machine.
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
    """The players it suits."""
    nodes: int
    """The node limit."""
    sight: int
    """The depth limit."""
    lines: int
    """The number of candidates."""
    temperature: float
    """A candidate worse by this many points is chosen about a third as often as the best; 0 always takes the best."""
    cap: int
    """A candidate worse by more points than this is never chosen."""


_TABLE: Final = (
    # number, name, audience, nodes, sight, lines, temperature, cap
    (1, "Pebble", "for a first game", 530, 1, 9, 63.0, 200),
    (2, "Cairn stone", "for players who know the rules", 1_200, 2, 9, 51.0, 169),
    (3, "Boulder", "for an evening among friends", 3_300, 3, 7, 45.0, 145),
    (4, "Menhir", "for players who have won a few games", 8_800, 4, 7, 33.0, 106),
    (5, "Dolmen", "for regular players", 20_000, 5, 6, 24.0, 84),
    (6, "Trilith", "for players who plan ahead", 45_000, 6, 5, 18.0, 64),
    (7, "Tumulus", "for strong players", 85_000, 7, 4, 12.2, 47),
    (8, "Alignment", "for very strong players", 170_000, 9, 3, 8.6, 34),
    (9, "Stone circle", "for masters", 400_000, 11, 3, 3.6, 16),
    (10, "Summit", "for nobody yet: full strength, in less than a second", 1_500_000, 64, 1, 0.0, 0),
)
"""Chosen from sixteen candidates that played each other, so that the steps are even: docs/methods.md."""

LEVELS: Final[tuple[Level, ...]] = tuple(Level(*row) for row in _TABLE)
LOWEST: Final = LEVELS[0].number
HIGHEST: Final = LEVELS[-1].number


def level_of(number: int) -> Level:
    """The level with that number; raises ``ValueError`` if there is none.

    >>> level_of(10).name
    'Summit'
    """
    if not LOWEST <= number <= HIGHEST:
        raise ValueError(f"there is no level {number}: levels go from {LOWEST} to {HIGHEST}")
    return LEVELS[number - LOWEST]


def choose(level: Level, lines: Sequence[Line], chance: random.Random) -> Line:
    """Choose a candidate at random, better ones more often.

    A proven loss is never chosen if there is an alternative. If the best result is proven, the level takes the soonest
    win or the latest loss.
    """
    best = max(lines, key=lambda line: line.score)
    if level.temperature <= 0 or best.score.is_proven:
        return best
    candidates = [line for line in lines if best.score.value - line.score.value <= level.cap]
    weights = [math.exp((line.score.value - best.score.value) / level.temperature) for line in candidates]
    return chance.choices(candidates, weights)[0]
