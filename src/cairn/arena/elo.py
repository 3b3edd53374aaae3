"""Estimate Elo differences from pairs of games with the pentanomial model, as fishtest does.

A pair is two games from the same start with the sides swapped, so its score is 0, ½, 1, 1½ or 2. The two games are not
independent, because a start may favour one side, but the pairs are independent. Therefore the statistics count pairs,
not games.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Final

POINTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores per game of a pair of games, lowest first. Pentanomial counts use this order."""
NORMAL_95: Final = 1.959963984540054
"""The half-width of the 95% interval of a normal distribution, in standard deviations."""
LIKELIHOOD_95: Final = NORMAL_95**2 / 2
"""The drop in log-likelihood from its maximum to the ends of a 95% interval."""


def elo_of(score: float) -> float:
    """The Elo difference at which this score per game is expected.

    >>> round(elo_of(0.75), 2)
    190.85
    >>> elo_of(1.0)
    inf
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    """The expected score per game at this Elo difference.

    >>> round(score_of(100), 4)
    0.6401
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclasses.dataclass(frozen=True, slots=True)
class Estimate:
    """An Elo difference with its 95% interval."""

    elo: float
    low: float
    high: float
    superiority: float
    """The probability that the first player is stronger."""

    @property
    def margin(self) -> float:
        """Half the width of the interval; infinite if one of its ends is infinite."""
        return (self.high - self.low) / 2


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """The mean and variance of a pair's score per game."""
    total = sum(counts)
    mean = sum(count * point for count, point in zip(counts, POINTS, strict=True)) / total
    variance = sum(count * (point - mean) ** 2 for count, point in zip(counts, POINTS, strict=True)) / total
    return mean, variance


def estimate(counts: Sequence[int]) -> Estimate | None:
    """Estimate the Elo difference from pentanomial counts; ``None`` if there are no pairs.

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
    """Estimate the difference when all pairs have the same score and the variance is therefore 0.

    A hypothesis that gives the observed score a probability of p has a likelihood of p^pairs. For the lower end of the
    interval, the remaining probability goes to a score of 0, and for the upper end, to a score of 1.
    """
    other = 1 - math.exp(-LIKELIHOOD_95 / pairs)
    low, high = score - other * score, score + other * (1 - score)
    return Estimate(elo_of(score), elo_of(low), elo_of(high), 0.5 if score == 0.5 else float(score > 0.5))
