"""Glicko-2: the paper's example, an independent implementation, and properties."""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.rating import (
    CENTRE,
    PERIOD_SECONDS,
    SCALE,
    WIDEST_DEVIATION,
    RatedGame,
    Rating,
    _logistic,
    _shrink,
    after_absence,
    expected_score,
    periods_in,
    rate_game,
    update,
)

PLAYER = Rating(1500, 200, 0.06)
GAMES = (RatedGame(Rating(1400, 30), 1), RatedGame(Rating(1550, 100), 0), RatedGame(Rating(1700, 300), 0))
"""The paper's example, which uses a tau of 0.5."""

ratings = st.builds(Rating, st.floats(0, 4000), st.floats(20, WIDEST_DEVIATION), st.floats(0.02, 0.15))
scores = st.sampled_from((0.0, 0.5, 1.0))
games = st.lists(st.builds(RatedGame, ratings, scores), min_size=1, max_size=12)
taus = st.floats(0.3, 1.2)
durations = st.floats(0, 10)


# --- The paper


def test_the_papers_table_of_opponents_is_reproduced() -> None:
    shrinks = [_shrink(game.opponent.deviation / SCALE) for game in GAMES]
    assert [round(each, 4) for each in shrinks] == [0.9955, 0.9531, 0.7242]
    strengths = [(game.opponent.rating - CENTRE) / SCALE for game in GAMES]
    assert [round(each, 4) for each in strengths] == [-0.5756, 0.2878, 1.1513]
    expected = [_logistic(shrink * -strength) for shrink, strength in zip(shrinks, strengths, strict=True)]
    assert [round(each, 3) for each in expected] == [0.639, 0.432, 0.303]


def test_the_papers_result_is_reproduced() -> None:
    after = update(PLAYER, GAMES, tau=0.5)
    strength, deviation = (after.rating - CENTRE) / SCALE, after.deviation / SCALE
    assert (round(strength, 4), round(deviation, 4)) == (-0.2069, 0.8722)
    # The paper converts the rounded strength to points; the exact strength gives 1464.05.
    assert round(CENTRE + SCALE * round(strength, 4), 2) == 1464.06
    assert round(after.rating, 2) == 1464.05
    assert round(after.deviation, 2) == 151.52
    assert math.floor(after.volatility * 1e5) / 1e5 == 0.05999


def test_a_period_without_games_changes_only_the_deviation() -> None:
    """The paper's last remark: only step 6 applies."""
    after = update(PLAYER, [])
    assert (after.rating, after.volatility) == (PLAYER.rating, PLAYER.volatility)
    assert after.deviation == pytest.approx(math.sqrt(200**2 + (0.06 * SCALE) ** 2))


# --- A second implementation: likelihoods, differentiated and maximised numerically


def minimum(function: Callable[[float], float], low: float, high: float) -> float:
    """Find where a unimodal function is lowest, by golden-section search."""
    golden = (math.sqrt(5) - 1) / 2
    while high - low > 1e-8:
        left, right = high - golden * (high - low), low + golden * (high - low)
        if function(left) < function(right):
            high = right
        else:
            low = left
    return (low + high) / 2


def second_opinion(player: Rating, results: Sequence[RatedGame], tau: float, periods: float) -> Rating:
    """Glicko-2 derived from its model: a normal prior, the likelihood of the results, and one Newton step."""
    here, deviation = (player.rating - CENTRE) / SCALE, player.deviation / SCALE

    def gradient(strength: float) -> float:
        """The derivative of the log-likelihood of the results, by a complex step, which loses no precision."""
        step = 1e-30
        total = 0.0
        for result in results:
            blur = 1 / math.sqrt(1 + 3 * (result.opponent.deviation / SCALE / math.pi) ** 2)
            lead = blur * (strength + 1j * step - (result.opponent.rating - CENTRE) / SCALE)
            # log(1 / (1 + exp(-lead))), written so that the exponential cannot overflow
            win = -cmath.log(1 + cmath.exp(-lead)) if lead.real > 0 else lead - cmath.log(1 + cmath.exp(lead))
            total += (result.score * win + (1 - result.score) * (win - lead)).imag / step
        return total

    width = 1e-4
    curvature = (gradient(here - width) - gradient(here + width)) / (2 * width)
    gain = gradient(here) / curvature

    def badness(x: float) -> float:
        """The negative log-likelihood of exp(x) as the squared volatility; gain and x are normally distributed."""
        spread = deviation**2 + 1 / curvature + math.exp(x)
        return (math.log(spread) + gain**2 / spread) / 2 + (x - 2 * math.log(player.volatility)) ** 2 / (2 * tau**2)

    old = 2 * math.log(player.volatility)
    grid = [old + tau * step / 4 for step in range(-80, 400)]
    best = min(grid, key=badness)
    volatility = math.exp(minimum(badness, best - tau / 4, best + tau / 4) / 2)
    prior = 1 / (deviation**2 + periods * volatility**2)
    after = 1 / (prior + curvature)
    return Rating(
        CENTRE + SCALE * (here + after * gradient(here)),
        min(WIDEST_DEVIATION, SCALE * math.sqrt(after)),
        volatility,
    )


near_ratings = st.builds(Rating, st.floats(1200, 1800), st.floats(20, WIDEST_DEVIATION), st.floats(0.03, 0.12))
near_games = st.lists(st.builds(RatedGame, near_ratings, scores), min_size=1, max_size=8)


@given(near_ratings, near_games, st.floats(0.3, 0.8), durations)
def test_a_second_implementation_agrees(player: Rating, results: list[RatedGame], tau: float, periods: float) -> None:
    ours, other = update(player, results, tau, periods), second_opinion(player, results, tau, periods)
    assert ours.volatility == pytest.approx(other.volatility, rel=1e-5)
    assert ours.deviation == pytest.approx(other.deviation, rel=1e-5)
    assert ours.rating == pytest.approx(other.rating, abs=1e-2)


def test_the_second_implementation_reproduces_the_papers_result() -> None:
    other = second_opinion(PLAYER, GAMES, 0.5, 1)
    assert (round(other.rating, 2), round(other.deviation, 2)) == (1464.05, 151.52)


# --- Properties


@given(ratings, games, taus, durations, st.data())
def test_more_points_against_the_same_opponents_never_lower_the_rating(
    player: Rating, results: list[RatedGame], tau: float, periods: float, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(results) - 1))
    worse, better = sorted(data.draw(st.tuples(st.floats(0, 1), st.floats(0, 1))))
    after = [
        update(
            player, [*results[:index], RatedGame(results[index].opponent, score), *results[index + 1 :]], tau, periods
        )
        for score in (worse, better)
    ]
    assert after[0].rating <= after[1].rating + 1e-6


@given(ratings, ratings, taus, st.tuples(durations, durations))
def test_a_win_never_lowers_and_a_loss_never_raises_a_rating(
    first: Rating, second: Rating, tau: float, periods: tuple[float, float]
) -> None:
    winner, loser = rate_game(first, second, 1, periods, tau)
    assert winner.rating >= first.rating
    assert loser.rating <= second.rating


@given(ratings, ratings, scores, st.tuples(durations, durations))
def test_both_seats_are_treated_alike(
    first: Rating, second: Rating, score: float, periods: tuple[float, float]
) -> None:
    there = rate_game(first, second, score, periods)
    back = rate_game(second, first, 1 - score, periods[::-1])
    assert there == back[::-1]
    assert expected_score(first, second) + expected_score(second, first) == pytest.approx(1)


@given(ratings, scores)
def test_equal_players_gain_and_lose_the_same(player: Rating, score: float) -> None:
    first, second = rate_game(player, player, score)
    assert first.rating - player.rating == pytest.approx(player.rating - second.rating, abs=1e-6)
    assert first.deviation == pytest.approx(second.deviation)


@given(ratings, games, st.floats(0, 500))
def test_only_rating_differences_matter(player: Rating, results: list[RatedGame], shift: float) -> None:
    def moved(rating: Rating) -> Rating:
        return Rating(rating.rating + shift, rating.deviation, rating.volatility)

    before = update(player, results)
    after = update(moved(player), [RatedGame(moved(each.opponent), each.score) for each in results])
    assert after.rating - shift == pytest.approx(before.rating, abs=1e-4)
    assert after.deviation == pytest.approx(before.deviation, rel=1e-6)


@given(ratings, games, taus)
def test_games_shrink_the_deviation(player: Rating, results: list[RatedGame], tau: float) -> None:
    deviations = [update(player, results[:count], tau, periods=0).deviation for count in range(len(results) + 1)]
    assert deviations[0] == player.deviation
    assert all(later <= earlier for earlier, later in itertools.pairwise(deviations))


def test_many_even_games_shrink_the_deviation() -> None:
    first = second = Rating()
    for number in range(100):
        first, second = rate_game(first, second, number % 2)
    assert first.deviation < 75
    assert abs(first.rating - second.rating) < 100


@given(ratings, durations, durations)
def test_periods_of_absence_add_up(player: Rating, earlier: float, later: float) -> None:
    away = after_absence(after_absence(player, earlier), later)
    assert away.deviation == pytest.approx(after_absence(player, earlier + later).deviation)
    assert player.deviation <= away.deviation <= WIDEST_DEVIATION
    assert (away.rating, away.volatility) == (player.rating, player.volatility)


def test_absence_makes_a_player_gain_more_and_the_opponent_lose_less() -> None:
    player, other = Rating(1600, 50), Rating(1600, 50)
    usual = rate_game(player, other, 1)
    rusty = rate_game(player, other, 1, periods=(200, 0))
    assert rusty[0].rating > usual[0].rating
    assert rusty[0].deviation > usual[0].deviation
    assert rusty[1].rating > usual[1].rating  # lost less


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), scores)
def test_ratings_stay_finite_at_any_distance(first: float, second: float, score: float) -> None:
    for after in rate_game(Rating(first), Rating(second), score):
        assert math.isfinite(after.rating)
        assert 0 < after.deviation <= WIDEST_DEVIATION


def test_the_deviation_has_an_upper_bound() -> None:
    """The bound holds even after a long absence and a game that reveals little about the player's strength."""
    after = update(Rating(1500, WIDEST_DEVIATION, 0.1), [RatedGame(Rating(4000), 0)], periods=100)
    assert after.deviation == WIDEST_DEVIATION


def test_the_interval_covers_95_percent() -> None:
    low, high = Rating(1500, 100).interval
    assert (round(low, 1), round(high, 1)) == (1304.0, 1696.0)
    assert math.erf((high - 1500) / 100 / math.sqrt(2)) == pytest.approx(0.95, abs=1e-6)


def test_time_is_counted_in_periods() -> None:
    assert periods_in(PERIOD_SECONDS / 2) == 0.5
    assert periods_in(-1) == 0


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Rating(math.nan), "a rating must be a finite number"),
        (lambda: Rating(1500, 0), "a deviation must be a number above 0, not 0"),
        (lambda: Rating(1500, 50, -0.1), "a volatility must be a number above 0, not -0.1"),
        (lambda: RatedGame(Rating(), 1.5), "a score must be between 0 and 1, not 1.5"),
        (lambda: update(Rating(), [RatedGame(Rating(), 1)], tau=0), "tau must be a number above 0, not 0"),
        (lambda: after_absence(Rating(), -1), "the number of periods must be 0 or more, not -1"),
        (lambda: rate_game(Rating(), Rating(), 1, (0, math.inf)), "the number of periods must be 0 or more, not inf"),
    ],
)
def test_bad_values_are_rejected(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make()
