"""Elo, intervals, the sequential test and the common scale, compared with published values.

The pentanomial values come from fastchess's own tests (app/tests/elo_test.cpp and sprt_test.cpp), which check them to
within one percent. fastchess counts pairs with a win and a loss separately from pairs with two draws. Here, both kinds
share one count.
"""

from __future__ import annotations

import math
from typing import Final

import pytest

from cairn.arena.elo import elo_of, estimate, score_of
from cairn.arena.rating import ELO_PER_UNIT, fit
from cairn.arena.sprt import Sprt, SprtVerdict, log_likelihood_ratio


@pytest.mark.parametrize(
    ("elo", "score"), [(0, 0.5), (100, 0.640), (200, 0.760), (300, 0.849), (400, 10 / 11), (-200, 0.240)]
)
def test_expected_scores_match_the_published_table(elo: float, score: float) -> None:
    assert score_of(elo) == pytest.approx(score, abs=5e-4)
    assert elo_of(score_of(elo)) == pytest.approx(elo)


@pytest.mark.parametrize(
    ("counts", "elo", "margin", "superiority"),
    [
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 1.0000),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0000),
    ],
)
def test_pentanomial_elo_matches_fastchess(
    counts: tuple[int, ...], elo: float, margin: float, superiority: float
) -> None:
    found = estimate(counts)
    assert found is not None
    assert found.elo == pytest.approx(elo, abs=0.006)
    assert found.margin == pytest.approx(margin, abs=0.006)
    assert found.superiority == pytest.approx(superiority, abs=6e-5)


def test_one_sided_matches_have_a_finite_bound() -> None:
    assert estimate((0, 0, 0, 0, 0)) is None
    won = estimate((0, 0, 0, 0, 100))
    assert won is not None
    assert won.elo == won.high == math.inf
    # The likelihood-ratio interval for 100 successes out of 100 begins at 0.98097.
    assert score_of(won.low) == pytest.approx(0.98097, abs=1e-5)
    even = estimate((0, 0, 10, 0, 0))
    assert even is not None
    assert even.elo == pytest.approx(0)
    assert -even.low == pytest.approx(even.high)
    assert even.high > 50


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "ratio"),
    [
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0, 2, -4.98),
    ],
)
def test_the_log_likelihood_ratio_matches_fastchess(
    counts: tuple[int, ...], elo0: float, elo1: float, ratio: float
) -> None:
    assert log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(ratio, abs=0.006)
    assert log_likelihood_ratio(counts[::-1], -elo0, -elo1) == pytest.approx(ratio, abs=0.006)


def test_sprt_stops_at_walds_bounds() -> None:
    test = Sprt(0, 10)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert test.verdict((0, 0, 0, 0, 0)) is SprtVerdict.CONTINUE
    assert test.verdict((100, 200, 300, 250, 100)) is SprtVerdict.CONTINUE
    assert test.verdict((100, 200, 300, 350, 200)) is SprtVerdict.ACCEPTED
    assert test.verdict((200, 350, 300, 200, 100)) is SprtVerdict.REJECTED
    with pytest.raises(ValueError, match="below the second"):
        Sprt(5, 5)


BASEBALL: Final = (
    # Wins of each team against every other team in the American League's eastern division, 1987. Source: Agresti,
    # Categorical Data Analysis, table 10.10.
    ("Milwaukee", (0, 7, 9, 7, 7, 9, 11), 1.581),
    ("Detroit", (6, 0, 7, 5, 11, 9, 9), 1.436),
    ("Toronto", (4, 6, 0, 7, 7, 8, 12), 1.294),
    ("New York", (6, 8, 6, 0, 6, 7, 10), 1.248),
    ("Boston", (6, 2, 6, 7, 0, 7, 12), 1.108),
    ("Cleveland", (4, 4, 5, 6, 6, 0, 6), 0.684),
    ("Baltimore", (2, 4, 1, 3, 1, 7, 0), 0.0),
)


def test_the_common_scale_matches_published_league_results() -> None:
    wins = [row for _, row, _ in BASEBALL]
    teams = range(len(wins))
    # Each game is entered as a pair of games with the same result. Doubling all counts does not change the estimate.
    results = {(a, b): (wins[b][a], 0, 0, 0, wins[a][b]) for a in teams for b in teams if a < b}
    scale = fit(len(wins), results, prior=0)
    for team, (name, _, strength) in enumerate(BASEBALL):
        difference, _ = scale.difference(team, len(wins) - 1)
        assert difference / ELO_PER_UNIT == pytest.approx(strength, abs=6e-4), name
    assert sum(scale.elos) == pytest.approx(0, abs=1e-6)


def test_the_scale_for_two_players_matches_the_pentanomial_estimate() -> None:
    counts = (34, 54, 63, 64, 75)
    found = estimate(counts)
    assert found is not None
    difference, margin = fit(2, {(0, 1): counts}, prior=0).difference(0, 1)
    assert difference == pytest.approx(found.elo)
    assert margin == pytest.approx(found.margin, rel=0.02)


def test_the_prior_keeps_the_scale_finite() -> None:
    counts = {(0, 1): (0, 0, 0, 0, 50), (1, 2): (0, 0, 0, 0, 0)}
    scale = fit(3, counts)
    assert 600 < scale.difference(0, 1)[0] < 1200
    assert scale.difference(1, 2)[0] == pytest.approx(0, abs=1e-6)
    assert 200 < scale.difference(0, 1)[1] < 2000
    with pytest.raises(ValueError, match="do not connect"):
        fit(3, {(0, 1): (1, 1, 1, 1, 1)})
