"""Levels: the table, and sensible play. The tests in native/tests check how a level chooses among candidate tokens."""

from __future__ import annotations

import itertools
import statistics
import time

import pytest

from cairn import CHANCE, Board, Game
from cairn.engine import LEVELS, Limit, NativeEngine, Score
from cairn.engine.levels import level_of
from cairn.engine.stopper import Stopper
from harness.vectors import read_vectors


def test_the_table_goes_from_weak_to_strong() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 11))
    assert len({level.name for level in LEVELS}) == 10
    for weak, strong in itertools.pairwise(LEVELS):
        assert weak.nodes < strong.nodes
        assert weak.sight <= strong.sight
        assert weak.temperature >= strong.temperature
        assert weak.cap >= strong.cap
        assert weak.lines >= strong.lines
    assert LEVELS[-1].temperature == 0


def moments_with_a_win() -> list[Game]:
    """The moments in the recorded games at which one token is enough to win."""
    found = []
    for vector in read_vectors("games"):
        game = Game(vector["position"])
        for ply in vector["plies"]:
            if game.decider is not CHANCE and any(wins(game.board, str(token)) for token in game.legal_moves):
                found.append(Game(game.start_text, game.tokens))
            game.push(ply["token"])
    return found


def wins(board: Board, token: str) -> bool:
    after = board.copy()
    after.push(token)
    return after.outcome is not None and after.outcome.winner is board.decider


@pytest.mark.slow
def test_every_level_takes_a_win() -> None:
    moments = moments_with_a_win()
    assert len(moments) > 5
    moments = moments[:8]
    for number in range(1, 11):
        engine = NativeEngine(level=number, seed=number)
        for moment in moments:
            played = engine.play(moment, Limit())
            assert played.score == Score.win(1)
            game, decider = Game(moment.start_text, [*moment.tokens, played.token]), moment.decider
            while game.board.turn_tokens and not game.board.is_over:  # a win may take several tokens
                game.push(game.legal_moves[0] if game.decider is CHANCE else engine.play(game, Limit()).token)
            assert game.outcome
            assert game.outcome.winner is decider


@pytest.mark.parametrize("number", [1, 4, 7])
def test_a_levels_choice_depends_only_on_game_and_seed(number: int) -> None:
    games = [Game.start("expert", seed=seed) for seed in range(6)]
    fresh = [NativeEngine(level=number, seed=9).play(game, Limit()) for game in games]
    engine = NativeEngine(threads=2, hash_megabytes=1, level=number, seed=9)
    list(engine.analyse(games[0], Limit(depth=7)))
    assert [engine.play(game, Limit()) for game in reversed(games)] == fresh[::-1]


def test_different_seeds_give_different_choices() -> None:
    game = Game.start("expert", seed=3)
    assert len({NativeEngine(level=1, seed=seed).play(game, Limit()).token for seed in range(20)}) > 1


def test_any_integer_is_a_seed() -> None:
    game = Game.start("expert", seed=3)
    plays = [NativeEngine(level=1, seed=seed).play(game, Limit()) for seed in (5, 5 + 2**64, 5 - 2**64)]
    assert plays[0] == plays[1] == plays[2]


def test_a_stop_ends_every_search_for_a_decision() -> None:
    game, stopper = Game.start("expert", seed=3), Stopper()
    stopper.stop()
    engine = NativeEngine(level=10, seed=1)
    played = engine.play(game, Limit(), stopper)
    assert played.token in game.legal_moves
    assert played.nodes < 5_000
    assert engine.play(game, Limit()).nodes > 100_000  # the stop affects only one decision


def test_a_limit_given_with_a_level_is_an_upper_bound() -> None:
    game = Game.start("expert", seed=3)
    assert NativeEngine(level=9, seed=1).play(game, Limit(depth=2)).depth == 2
    assert NativeEngine(level=2, seed=1).play(game, Limit(depth=30)).depth == level_of(2).sight


@pytest.mark.parametrize("number", [9, 10])
def test_a_time_limit_covers_all_searches_of_a_level(number: int) -> None:
    # Without a limit, these levels need more than 30 ms. CPU time is not affected by other programs.
    engine, took = NativeEngine(level=number, seed=1), []
    for seed in range(15):
        began = time.thread_time()
        engine.play(Game.start("expert", seed=seed), Limit(movetime_ms=6))
        took.append(time.thread_time() - began)
    assert statistics.median(took) < 0.009


def test_a_level_searches_even_when_its_budget_is_too_small_for_all_choices() -> None:
    engine = NativeEngine(level=1, seed=1)
    for vector in read_vectors("powers"):
        game = Game(vector["position"], vector["tokens"])
        if game.decider in (None, CHANCE):
            continue
        played = engine.play(game, Limit())
        assert played.token in game.legal_moves
        assert played.depth > 0
