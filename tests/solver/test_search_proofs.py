"""Wins and losses proved by the main search are correct, even after interrupted searches with the same table."""

from __future__ import annotations

import random

import pytest

from cairn import Board, Game, _native
from cairn.engine import solver
from cairn.engine.score import Score
from cairn.vocabulary import Phase, Tribe
from harness.positions import KINDS, text_of
from harness.vectors import read_vectors

LONGEST_CHECKED = 4
"""The maximum length of the proofs to check, in turns. The solver takes too long to check longer proofs."""


def false_claim(board: Board, score: Score) -> bool:
    """Whether the solver contradicts a proof by the main search."""
    if score.turns is None or score.turns > LONGEST_CHECKED:
        return False
    decider = board.decider
    assert isinstance(decider, Tribe)
    winner = decider if score.is_win else decider.enemy
    solution = solver.solve(board, score.turns)
    return solution.winner is not winner


@pytest.mark.parametrize("threads", [1, 2])
def test_proofs_at_random_moments_are_correct_even_with_small_limits(threads: int) -> None:
    rng = random.Random(f"claims {threads}")
    engine = _native.Engine(4, threads)  # never cleared: entries from interrupted searches must be correct, too
    claims = 0
    for number in range(400):
        game = Game(text_of(KINDS[rng.choice(list(KINDS))](rng)))
        for _ in range(rng.randrange(12)):
            if game.outcome is None:
                game.push(rng.choice(game.legal_moves))
        if game.outcome is not None or game.phase is Phase.DRAW:
            continue
        engine.arm()
        score = Score(engine.search(game.board, rng.choice((50, 300, 2_000, 20_000)), 0, 1, 0, 0, None)[0][0])
        claims += score.is_proven
        assert not false_claim(game.board, score), f"number {number}: {game.board!r}: {score}"
    assert claims > 50


def test_the_search_scores_a_third_occurrence_as_a_draw() -> None:
    drawn = [vector for vector in read_vectors("special") if "draw by repetition" in vector["why"]]
    assert drawn
    for vector in drawn:
        *before, last = vector["tokens"]
        game = Game(vector["position"], before)
        lines = _native.Engine(4, 1).search(game.board, 0, 3, 256, 0, 0, None)
        (score,) = (score for score, _, tokens in lines if str(tokens[0]) == last)
        assert score == 0
        assert len({score for score, _, _ in lines}) > 1
