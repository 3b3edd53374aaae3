"""Elo from pairs of games: the pentanomial estimate that fishtest made the custom of the field.

A pair is two games from the same start with the sides swapped, so one score out of 0, ½, 1, 1½, 2. The two games are
not independent, since a start may favour one side, but the pairs are: that is why they and not the games are counted.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Final

POINTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair can be worth per game, lowest first; pentanomial counts stand in this order."""
NORMAL_95: Final = 1.959963984540054
"""So many standard deviations to both sides hold 95 % of a normal distribution."""
LIKELIHOOD_95: Final = NORMAL_95**2 / 2
"""So much log-likelihood below its maximum ends a 95 % interval."""


def elo_of(score: float) -> float:
    """The Elo difference at which this score is expected.

    >>> round(elo_of(0.75), 2)
    190.85
    >>> elo_of(1.0)
    inf
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    """The score per game that this Elo difference lets one expect.

    >>> round(score_of(100), 4)
    0.6401
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclasses.dataclass(frozen=True, slots=True)
class Estimate:
    """An Elo difference, and between what bounds it lies with 95 % confidence."""

    elo: float
    low: float
    high: float
    superiority: float
    """The likelihood that the first player is the stronger one."""

    @property
    def margin(self) -> float:
        """Half the interval; infinite as long as one of its ends is."""
        return (self.high - self.low) / 2


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """Of one pair's score per game."""
    total = sum(counts)
    mean = sum(count * point for count, point in zip(counts, POINTS, strict=True)) / total
    variance = sum(count * (point - mean) ** 2 for count, point in zip(counts, POINTS, strict=True)) / total
    return mean, variance


def estimate(counts: Sequence[int]) -> Estimate | None:
    """The Elo difference after pairs with these pentanomial counts; ``None`` before the first one.

    >>> found = estimate((34, 54, 63, 64, 75))
    >>> f"{found.elo:.2f} +/- {found.margin:.2f}"
    '55.58 +/- 27.65'
    """
    pairs = sum(counts)
    if not pairs:
        return None
    score, variance = mean_and_variance(counts)
    if not variance:
        return _estimate_without_spread(score, pairs)
    deviation = math.sqrt(variance / pairs)
    low, high = score - NORMAL_95 * deviation, score + NORMAL_95 * deviation
    superiority = (1 + math.erf((score - 0.5) / deviation / math.sqrt(2))) / 2
    return Estimate(elo_of(score), elo_of(low), elo_of(high), superiority)


def _estimate_without_spread(score: float, pairs: int) -> Estimate:
    """When all pairs ended alike, their spread says nothing; the likelihood still does.

    A hypothesis that leaves the one observed score the probability p has the likelihood p^pairs. What is left goes to
    the score at either end of the scale.
    """
    other = 1 - math.exp(-LIKELIHOOD_95 / pairs)
    low, high = score - other * score, score + other * (1 - score)
    return Estimate(elo_of(score), elo_of(low), elo_of(high), 0.5 if score == 0.5 else float(score > 0.5))
