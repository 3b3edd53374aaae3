"""The levels as opponents: an engine's rating on their scale."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from cairn.arena import ArenaSettings, Standings
from cairn.arena.elo import NORMAL_95, POINTS, score_of
from cairn.arena.rating import ELO_PER_UNIT
from cairn.engine import LEVELS, Limit

LEVEL_ELOS: Final = (0, 259, 520, 799, 1017, 1294, 1585, 1841, 2003, 2253)
"""The Elo of each level, measured by tools/prove_levels.py (docs/results/levels.md). Level 1 is at zero."""
LOWEST_ELO: Final = -4_000.0
HIGHEST_ELO: Final = 8_000.0
_STEPS: Final = 60


@dataclasses.dataclass(frozen=True, slots=True)
class LadderResult:
    """An engine's games against the levels."""

    elo: float
    """The rating; infinite if the engine won or lost every game."""
    margin: float
    """Half the width of its 95 % interval. For an infinite rating, this is the end of a one-sided interval instead."""
    scores: dict[int, tuple[float, int]]
    """The points and the number of games against each level."""


def ladder_settings(engine: str, limit: Limit, pairs: int, seed: int = 1) -> ArenaSettings:
    """The settings of an arena in which an engine plays every level. The limit does not apply to the levels."""
    levels = [f"level:{level.number}" for level in LEVELS]
    return ArenaSettings(
        players=(engine, *levels),
        limit=limit,
        seed=seed,
        pairs=pairs,
        pairings=tuple((0, number + 1) for number in range(len(levels))),
        free_levels=True,
    )


def result_of(standings: Standings) -> LadderResult:
    """The result of the engine in the standings of such an arena."""
    pairings = standings.settings.pairings
    counts = {second: standings.scores[first, second].pentanomial for first, second in pairings}
    elo, margin = rate(counts)
    scores = {
        second: (standings.scores[first, second].points, standings.scores[first, second].games)
        for first, second in pairings
    }
    return LadderResult(elo, margin, scores)


def rate(counts: Mapping[int, Sequence[int]]) -> tuple[float, float]:
    """The most likely Elo, and half its 95 % interval, from the pentanomial counts against each level.

    The interval comes from the spread of the pairs, because the games of a pair are not independent. If every game was
    won, the Elo is infinite and the second number is the lowest Elo that is compatible with this at 95 %; if every game
    was lost, the highest.
    """
    expected = 2 * sum(sum(pairs) for pairs in counts.values())
    points = 2 * sum(count * point for pairs in counts.values() for count, point in zip(pairs, POINTS, strict=True))
    if not expected:
        raise ValueError("no pair of games is finished")
    if points in (0, expected):
        return math.copysign(math.inf, points - 1), _bound(counts, won=points > 0)
    elo = _bisect(lambda elo: points - _expected_points(elo, counts))
    information = spread = 0.0
    for level, pairs in counts.items():
        chance = score_of(elo - LEVEL_ELOS[level - 1])
        information += 2 * sum(pairs) * chance * (1 - chance)
        spread += sum(count * (2 * (point - chance)) ** 2 for count, point in zip(pairs, POINTS, strict=True))
    return elo, NORMAL_95 * ELO_PER_UNIT * math.sqrt(spread) / information


def _expected_points(elo: float, counts: Mapping[int, Sequence[int]]) -> float:
    return sum(2 * sum(pairs) * score_of(elo - LEVEL_ELOS[level - 1]) for level, pairs in counts.items())


def _bound(counts: Mapping[int, Sequence[int]], *, won: bool) -> float:
    """The Elo at which one of twenty engines would win, or lose, every game."""

    def log_chance(elo: float) -> float:
        total = 0.0
        for level, pairs in counts.items():
            chance = score_of(elo - LEVEL_ELOS[level - 1])
            total += 2 * sum(pairs) * math.log(max(chance if won else 1 - chance, 1e-300))
        return total

    wanted = math.log(0.05)
    return _bisect(lambda elo: (wanted - log_chance(elo)) if won else (log_chance(elo) - wanted))


def _bisect(falling: Callable[[float], float]) -> float:
    """The zero of a function that is positive below it and negative above it."""
    low, high = LOWEST_ELO, HIGHEST_ELO
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
