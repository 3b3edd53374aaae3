"""The sequential probability ratio test on pairs of games, after Michel Van den Bergh.

It uses the generalized log-likelihood ratio of two hypotheses about the expected score, with the distribution of the
five pair scores as the nuisance parameter. See Proposition 1.1 in "Comparing the approximations for the generalized log
likelihood ratio of a multinomial distribution" (https://www.cantate.be/Fishtest/comparing_approximations.pdf). Fishtest
and fastchess compute the same number.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Sequence
from typing import Final

from cairn.arena.elo import POINTS, score_of

UNSEEN: Final = 1e-3
"""The count that replaces 0 for a score that has not occurred, as in fishtest."""
BISECTIONS: Final = 100


class SprtVerdict(enum.Enum):
    """The state of the test."""

    CONTINUE = "undecided"
    ACCEPTED = "H1 accepted"
    """The difference is ``elo1`` rather than ``elo0``."""
    REJECTED = "H0 accepted"


@dataclasses.dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H1 (the difference is ``elo1``) against H0 (the difference is ``elo0``), in logistic Elo."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting H1 when H0 is true."""
    beta: float = 0.05
    """The probability of accepting H0 when H1 is true."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"sprt: the first Elo ({self.elo0:g}) must be below the second ({self.elo1:g})")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("sprt: alpha and beta must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the test (Wald). H0 is accepted below the first bound, H1 above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, counts: Sequence[int]) -> SprtVerdict:
        """The verdict for these pentanomial counts."""
        low, high = self.bounds
        ratio = log_likelihood_ratio(counts, self.elo0, self.elo1)
        return SprtVerdict.REJECTED if ratio <= low else SprtVerdict.ACCEPTED if ratio >= high else SprtVerdict.CONTINUE


def log_likelihood_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of ``elo1`` to ``elo0`` for these pentanomial counts.

    >>> round(log_likelihood_ratio((223, 9863, 21279, 10037, 246), 0.5, 2.5), 2)
    -3.07
    """
    if not any(counts):
        return 0.0
    seen = [count or UNSEEN for count in counts]
    total = sum(seen)
    shares = [count / total for count in seen]
    under0 = _most_likely(shares, score_of(elo0))
    under1 = _most_likely(shares, score_of(elo1))
    return sum(count * math.log(p1 / p0) for count, p0, p1 in zip(seen, under0, under1, strict=True))


def _most_likely(shares: Sequence[float], score: float) -> list[float]:
    """The maximum-likelihood distribution with this expected score."""

    def slope(theta: float) -> float:
        return sum(p * (a - score) / (1 + theta * (a - score)) for a, p in zip(POINTS, shares, strict=True))

    # Between these poles, the slope falls from +inf to -inf, so bisection finds its only root.
    low, high = -1 / (POINTS[-1] - score), 1 / (score - POINTS[0])
    for _ in range(BISECTIONS):
        theta = (low + high) / 2
        if slope(theta) > 0:
            low = theta
        else:
            high = theta
    theta = (low + high) / 2
    return [p / (1 + theta * (a - score)) for a, p in zip(POINTS, shares, strict=True)]
