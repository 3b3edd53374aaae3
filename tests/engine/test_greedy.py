"""The greedy engine: one token ahead, by the network's evaluation."""

from __future__ import annotations

import random

import pytest

from cairn import Board, Game
from cairn.engine import Limit, open_engine
from cairn.engine.greedy import GreedyEngine
from cairn.engine.network import open_network
from cairn.engine.score import Score


def value_after(board: Board, token: object) -> Score:
    """The score of a token for its decider, computed on a fresh board."""
    decider = board.decider
    after = Board(board.turn_start, [*board.turn_tokens, str(token)])
    if after.outcome is not None:
        return Score.win(1) if after.outcome.winner is decider else Score.loss(1)
    points = after.estimate(open_network())
    return Score(points) if after.active is decider else Score(-points)


def test_it_plays_the_token_with_the_best_evaluation() -> None:
    engine = GreedyEngine()
    for seed in range(6):
        rng = random.Random(seed)
        game = Game.start(("beginner", "standard", "expert")[seed % 3], seed)
        while game.outcome is None:
            if game.board.decider_number == 2:
                game.push(rng.choice(game.legal_moves))
                continue
            played = engine.play(game)
            scores = {token: value_after(game.board, token) for token in game.legal_moves}
            assert played.score == max(scores.values())
            assert played.token == next(token for token in scores if scores[token] == played.score)
            game.push(played.token if rng.random() < 0.8 else rng.choice(game.legal_moves))


def test_it_is_an_engine_like_others() -> None:
    engine = open_engine("greedy")
    game = Game.start("expert", seed=2)
    assert engine.name == "greedy"
    for analysis in engine.analyse(game, Limit(depth=1), lines=3):
        assert [line.score for line in analysis.lines] == sorted((line.score for line in analysis.lines), reverse=True)
        assert analysis.best.token == engine.play(game).token
    with pytest.raises(ValueError, match="is not one of this engine's settings"):
        open_engine("greedy,seed=3")
