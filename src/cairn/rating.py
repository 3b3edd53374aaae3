"""Glicko-2 ratings: the rating, deviation and volatility of a player.

The comments cite the steps in Mark Glickman's "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf). The
paper rates a whole period at once. A server rates each game when it ends, and increases the deviation for the fraction
of a period since the player's last game; see :func:`rate_game`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from typing import Final

SCALE: Final = 173.7178
"""Rating points per unit of the paper's scale."""
CENTRE: Final = 1500.0
"""The rating at 0 on the paper's scale, and the initial rating."""
TAU: Final = 0.5
"""Limits how fast the volatility changes. The paper suggests 0.3 to 1.2."""
WIDEST_DEVIATION: Final = 350.0
"""The initial deviation. Absence never increases a deviation beyond this."""
PERIOD_SECONDS: Final = 5 * 24 * 60 * 60
"""The length of a rating period. With the default volatility, a year of absence raises a deviation from 60 to 107."""
STANDARD_ERRORS: Final = 1.959964
"""The half-width of a 95% interval, in standard errors."""

_ENOUGH: Final = 1e-9
"""The precision to which the logarithm of the volatility is computed (1e-6 in the paper)."""
_SURE: Final = 100.0
"""The largest lead that makes a difference. Beyond it, the logistic curve is flat, and ``exp`` could overflow."""


@dataclasses.dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating.

    >>> Rating()
    Rating(rating=1500.0, deviation=350.0, volatility=0.06)
    >>> low, high = Rating(1850, 50).interval
    >>> print(f"{low:.0f} to {high:.0f}")
    1752 to 1948
    """

    rating: float = CENTRE
    """The player's estimated strength, in points."""
    deviation: float = WIDEST_DEVIATION
    """The standard error of the rating, in points."""
    volatility: float = 0.06
    """The expected change in strength over a period, on the paper's scale."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.rating):
            raise ValueError(f"a rating must be a finite number, not {self.rating}")
        if not 0 < self.deviation < math.inf:
            raise ValueError(f"a deviation must be a number above 0, not {self.deviation}")
        if not 0 < self.volatility < math.inf:
            raise ValueError(f"a volatility must be a number above 0, not {self.volatility}")

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval for the strength."""
        reach = STANDARD_ERRORS * self.deviation
        return self.rating - reach, self.rating + reach


@dataclasses.dataclass(frozen=True, slots=True)
class RatedGame:
    """A game from the point of view of one player."""

    opponent: Rating
    score: float
    """1 for a win, 0.5 for a draw, 0 for a loss."""

    def __post_init__(self) -> None:
        if not 0 <= self.score <= 1:
            raise ValueError(f"a score must be between 0 and 1, not {self.score}")


def expected_score(player: Rating, opponent: Rating) -> float:
    """A player's expected score against an opponent, given both deviations.

    >>> round(expected_score(Rating(1700, 50), Rating(1500, 50)), 3)
    0.755
    """
    shrink = _shrink(math.hypot(player.deviation, opponent.deviation) / SCALE)
    return _logistic(shrink * (player.rating - opponent.rating) / SCALE)


def after_absence(rating: Rating, periods: float) -> Rating:
    """The rating after a number of periods without a game. Only the deviation grows (step 6).

    >>> round(after_absence(Rating(1800, 60), periods=73).deviation)
    107
    """
    return dataclasses.replace(rating, deviation=_grown(rating.deviation, rating.volatility, periods))


def periods_in(seconds: float) -> float:
    """Convert seconds to rating periods. Negative seconds, which a change of the system clock can cause, count as 0."""
    return max(0.0, seconds) / PERIOD_SECONDS


def update(rating: Rating, results: Iterable[RatedGame], tau: float = TAU, periods: float = 1.0) -> Rating:
    """The rating after the games of a rating period (the paper's steps 2 to 8).

    The opponents' ratings are those before the period. ``periods`` is the length of the period. With 1, this is the
    paper's algorithm; other values scale the growth of the deviation in step 6.

    >>> games = [RatedGame(Rating(1400, 30), 1), RatedGame(Rating(1550, 100), 0), RatedGame(Rating(1700, 300), 0)]
    >>> after = update(Rating(1500, 200, 0.06), games)
    >>> print(f"{after.rating:.1f} {after.deviation:.2f} {after.volatility:.4f}")
    1464.1 151.52 0.0600
    """
    _require_periods(periods)
    if not 0 < tau < math.inf:
        raise ValueError(f"tau must be a number above 0, not {tau}")
    games = list(results)
    if not games:
        return after_absence(rating, periods)

    # 2. Convert to the paper's scale.
    strength, deviation = (rating.rating - CENTRE) / SCALE, rating.deviation / SCALE

    # 3, 4. Information (the paper's 1/v) and surplus: points above expectation, weighted by the opponent's deviation
    # (the paper's Delta is surplus / information).
    information, surplus = 0.0, 0.0
    for game in games:
        shrink = _shrink(game.opponent.deviation / SCALE)
        lead = shrink * (strength - (game.opponent.rating - CENTRE) / SCALE)
        win, loss = _logistic(lead), _logistic(-lead)
        information += shrink**2 * win * loss
        surplus += shrink * (game.score * loss - (1 - game.score) * win)

    # 5. The volatility.
    volatility = _new_volatility(rating.volatility, deviation, 1 / information, surplus / information, tau)

    # 6. The deviation before the games, increased for the time that has passed.
    before = math.sqrt(deviation**2 + periods * volatility**2)

    # 7. Deviation and strength after the games.
    after = 1 / math.sqrt(1 / before**2 + information)
    strength += after**2 * surplus

    # 8. Convert back to points.
    return Rating(CENTRE + SCALE * strength, min(WIDEST_DEVIATION, SCALE * after), volatility)


def rate_game(
    first: Rating, second: Rating, score: float, periods: tuple[float, float] = (0.0, 0.0), tau: float = TAU
) -> tuple[Rating, Rating]:
    """The ratings of two players after a game in which the first player scored ``score``.

    ``periods`` is the time since each rating last changed (:func:`periods_in`). First, each deviation grows according
    to that time; then the game is rated.

    >>> winner, loser = rate_game(Rating(), Rating(), 1)
    >>> round(winner.rating), round(loser.rating), round(winner.deviation)
    (1662, 1338, 290)
    """
    known = after_absence(first, periods[0]), after_absence(second, periods[1])
    return (
        update(first, [RatedGame(known[1], score)], tau, periods[0]),
        update(second, [RatedGame(known[0], 1 - score)], tau, periods[1]),
    )


def _require_periods(periods: float) -> None:
    if not 0 <= periods < math.inf:
        raise ValueError(f"the number of periods must be 0 or more, not {periods}")


def _grown(deviation: float, volatility: float, periods: float) -> float:
    _require_periods(periods)
    return min(WIDEST_DEVIATION, math.hypot(deviation, SCALE * volatility * math.sqrt(periods)))


def _shrink(deviation: float) -> float:
    """The paper's g: a game against an opponent with a large deviation counts less."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _logistic(lead: float) -> float:
    """The probability of a win with this lead. ``_logistic(-lead)`` gives the complement without loss of precision."""
    return 1 / (1 + math.exp(-max(-_SURE, min(_SURE, lead))))


def _new_volatility(volatility: float, deviation: float, variance: float, gain: float, tau: float) -> float:
    """Step 5: the most likely volatility, given how far the results differ from the expected results."""
    start = math.log(volatility**2)

    def slope(x: float) -> float:
        """The paper's f: the derivative of the log-likelihood at x, where exp(x) is the squared volatility."""
        spread = deviation**2 + variance + math.exp(x)
        return math.exp(x) * (gain**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    # 5.2. Two values that bracket the root.
    above = gain**2 - deviation**2 - variance
    if above > 0:
        other = math.log(above)
    else:
        steps = 1
        while slope(start - steps * tau) < 0:
            steps += 1
        other = start - steps * tau
    return math.exp(_root(slope, start, other) / 2)


def _root(slope: Callable[[float], float], left: float, right: float) -> float:
    """Steps 5.3 to 5.5: find the root of ``slope`` by the Illinois method, which converges without derivatives."""
    at_left, at_right = slope(left), slope(right)
    while abs(right - left) > _ENOUGH and at_right:
        middle = left + (left - right) * at_left / (at_right - at_left)
        at_middle = slope(middle)
        if at_middle * at_right <= 0:
            left, at_left = right, at_right
        else:
            at_left /= 2
        right, at_right = middle, at_middle
    return right
