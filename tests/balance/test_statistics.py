"""The figures of the report agree with plain computations."""

from __future__ import annotations

import math
from typing import Any

import pytest

pytest.importorskip("numpy")

import numpy as np

from cairn.balance import statistics
from cairn.balance.facts import BUILD, GAME, MILLIONTHS, PAIR, TILES, faces_text, pairs_of
from cairn.engine.score import Score


def some_games(count: int, seed: int = 1) -> Any:
    """Random games in which the luck of the draws explains a part of the results."""
    random = np.random.default_rng(seed)
    games = np.zeros(count, dtype=GAME)
    games["variant"] = random.integers(0, 3, count)
    games["faces"] = random.integers(0, 16, count)
    luck = random.normal(0, 0.15, count)
    games["luck"] = np.round(luck * MILLIONTHS)
    chance = np.clip(0.54 + 0.9 * luck, 0, 1)
    games["result"] = 2 * (random.random(count) < chance)
    games["result"][random.random(count) < 0.02] = 1
    games["turns"] = random.integers(10, 60, count)
    games["tokens"] = 2 * games["turns"]
    games["ending"] = random.integers(0, 3, count)
    games["opening"] = random.integers(-200, 200, count)
    games["opening_tile"] = random.integers(0, 3, count)
    games["points"] = random.integers(0, 3, (count, 2, 4))
    return games


def test_the_luck_is_a_control_variate() -> None:
    games = some_games(30_000)
    for number, found in enumerate(statistics.advantages(games)):
        chosen = games[games["variant"] == number]
        results, luck = chosen["result"] / 2, chosen["luck"] / MILLIONTHS
        slope, intercept = np.polyfit(luck, results, 1)
        assert found.slope == pytest.approx(slope)
        assert found.removed == pytest.approx(np.corrcoef(luck, results)[0, 1] ** 2)
        assert found.all.raw == pytest.approx(results.mean())
        # The intercept of the regression is the mean without luck, if the mean luck is 0.
        assert found.all.mean == pytest.approx(intercept)
        residuals = results - slope * luck
        assert found.all.margin == pytest.approx(1.959964 * math.sqrt(residuals.var(ddof=1) / len(chosen)), rel=1e-6)
        assert found.all.margin < 0.98 * found.all.raw_margin
        assert abs(found.all.mean - 0.54) < 1.5 * found.all.margin
        assert sum(each.games for each in found.classes.values()) == len(chosen)
        white, black = (residuals[(chosen["faces"] & 1) == side] for side in (0, 1))
        assert found.add_difference == pytest.approx(white.mean() - black.mean())
        spread = white.var(ddof=1) / len(white) + black.var(ddof=1) / len(black)
        assert found.add_margin == pytest.approx(1.959964 * math.sqrt(spread), rel=1e-6)


def test_the_luck_does_not_bias_the_mean() -> None:
    """Over many small samples, the mean without luck is right on average, and closer to the truth than the raw mean."""
    truth = statistics.advantages(some_games(600_000, 99))[0].all.raw
    raw, adjusted = [], []
    for seed in range(150):
        found = statistics.advantages(some_games(900, seed))[0].all
        raw.append(found.raw - truth)
        adjusted.append(found.mean - truth)
    assert abs(np.mean(adjusted)) < 4 * np.std(adjusted) / math.sqrt(len(adjusted))
    assert np.std(adjusted) < np.std(raw)


def test_classes_are_those_of_the_faces() -> None:
    for faces in range(16):
        number = int(statistics.face_class(np.array([faces], dtype=np.uint8))[0])
        assert statistics.FACE_CLASSES[number] == faces_text(faces)[1:]
    games = some_games(3_000)
    found = statistics.advantages(games)[2]
    chosen = games[(games["variant"] == 2) & (((games["faces"] >> 1) & 7) == 0b010)]  # only the jump tile shows enemy
    assert found.classes["oem"].games == len(chosen)
    assert found.classes["oem"].raw == pytest.approx(chosen["result"].mean() / 2)


def test_different_classes_have_a_large_spread() -> None:
    games = some_games(60_000)
    equal = [each.spread for each in statistics.advantages(games)]
    assert max(equal) < 25
    games["result"][games["faces"] & 2 > 0] = 2
    assert min(each.spread for each in statistics.advantages(games)) > 1_000


def test_values_of_megaliths_are_the_least_squares_fit() -> None:
    random = np.random.default_rng(3)
    truth = random.normal(0, 0.05, 8)
    rows, gains, builds = [], [], []
    for _ in range(4_000):
        one, other = random.choice(8, 2, replace=False)
        difference = truth[one] - truth[other] + random.normal(0, 0.1)
        built, left = (one, other) if difference > 0 else (other, one)  # the better one is always chosen
        row = np.zeros(8)
        row[built], row[left] = 1, -1
        rows.append(row)
        gains.append(abs(difference))
        builds.append((0, round(abs(difference) * MILLIONTHS), 5, built, left, 2 * random.integers(0, 2)))
    array = np.zeros(len(builds), dtype=BUILD)
    for name, column in zip(
        ("game", "gain", "token", "built", "other", "result"), zip(*builds, strict=True), strict=True
    ):
        array[name] = column
    pairs = pairs_of(np.zeros(1, dtype=GAME), array)
    (values,) = statistics.megalith_values(pairs).values()
    expected, *_ = np.linalg.lstsq(np.array(rows), np.array(gains), rcond=None)
    expected -= expected.mean()
    found = {each.tile: each for each in values}
    assert [found[TILES[tile]].value for tile in range(8)] == pytest.approx(expected, abs=1e-6)
    # A choice of the better one does not make the values larger than they are.
    assert np.abs(expected - (truth - truth.mean())).max() < 0.01
    matrix = np.array(rows).T @ np.array(rows)
    residual = float(np.square(np.array(rows) @ expected - gains).sum()) / (4_000 - 7)
    deviation = math.sqrt(np.linalg.pinv(matrix)[0, 0] * residual)
    assert found[TILES[0]].margin == pytest.approx(1.959964 * deviation, rel=1e-4)
    assert [each.value for each in values] == sorted((each.value for each in values), reverse=True)
    built, left = ([int((array[name] == tile).sum()) for tile in range(8)] for name in ("built", "other"))
    counts = [mine / (mine + others) for mine, others in zip(built, left, strict=True)]
    assert [found[TILES[tile]].chosen for tile in range(8)] == pytest.approx(counts)
    won = np.array([array["result"][array["built"] == tile].mean() / 2 for tile in range(8)])
    assert [found[TILES[tile]].result for tile in range(8)] == pytest.approx(won)


def test_lengths_scorings_and_openings_are_plain_counts() -> None:
    games = some_games(5_000)
    for number, (length, scoring) in enumerate(zip(statistics.lengths(games), statistics.scorings(games), strict=True)):
        chosen = games[games["variant"] == number]
        assert length.turns == pytest.approx(chosen["turns"].mean())
        assert length.quartiles[1] == np.median(chosen["turns"])
        assert sum(length.counts) == len(chosen)
        assert length.counts[30] == (chosen["turns"] == 30).sum()
        assert length.endings["repetition"] == pytest.approx((chosen["ending"] == 2).mean())
        assert scoring.shares["jump"] == pytest.approx(chosen["points"][:, :, 1].sum() / chosen["points"].sum())
        second = chosen["points"][:, 1]
        assert scoring.side_shares["second"]["power"] == pytest.approx(second[:, 2].sum() / second.sum())
        opening = statistics.openings(games)[length.variant]["all"]
        expected = [Score(int(score)).expected for score in chosen["opening"]]
        assert opening.expected == pytest.approx(np.mean(expected))
        assert opening.actions["move"] == pytest.approx((chosen["opening_tile"] == 1).mean())


def test_a_single_game_has_no_interval() -> None:
    found = statistics.advantages(some_games(1))[0]
    assert found.all.margin == math.inf
    assert statistics.megalith_values(np.zeros(0, dtype=PAIR)) == {}
