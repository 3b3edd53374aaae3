"""Scores: order, text, negation and bounds."""

from __future__ import annotations

import itertools
import operator
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.engine import Score

scores = st.integers(-29_999, 29_999).map(Score)


def test_scores_are_ordered_from_the_soonest_loss_to_the_soonest_win() -> None:
    ordered = [
        Score.loss(1), Score.loss(2), Score.loss(9), Score(-28_000), Score(-1), Score(0), Score(1), Score(28_000),
        Score.win(9), Score.win(2), Score.win(1),
    ]  # fmt: skip
    assert sorted(ordered, reverse=True) == ordered[::-1]
    assert all(a < b for a, b in itertools.pairwise(ordered))
    expected = [score.expected for score in ordered]
    assert expected == sorted(expected)


@given(scores)
def test_text_and_negation_round_trip(score: Score) -> None:
    assert Score.read(str(score)) == score
    assert operator.neg(-score) == score
    assert pickle.loads(pickle.dumps(score)) == score
    assert eval(repr(score), {"Score": Score}) == score
    assert score.expected + (-score).expected == pytest.approx(1)
    assert (score.points is None) == (score.turns is not None) == score.is_proven


@given(scores, scores)
def test_negation_reverses_the_order(first: Score, second: Score) -> None:
    assert (first < second) == (-second < -first)


def test_scores_are_written_in_words() -> None:
    assert [str(each) for each in (Score(35), Score(-4), Score.win(3), Score.loss(2))] == [
        "points 35",
        "points -4",
        "win 3",
        "loss 2",
    ]
    assert (Score.win(3).turns, Score.loss(2).turns, Score(35).points) == (3, 2, 35)
    assert (Score.win(1).expected, Score.loss(1).expected, Score(0).expected) == (1.0, 0.0, 0.5)


@pytest.mark.parametrize(
    "text",
    ["", "35", "points", "points x", "points 1.5", "points -0", "points 29000", "points 1 2", "win 0", "loss -1"],
)
def test_invalid_score_texts_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"score|points|proof"):
        Score.read(text)


def test_scores_out_of_range_are_rejected() -> None:
    for value in (30_000, -30_000):
        with pytest.raises(ValueError, match="must be between"):
            Score(value)
