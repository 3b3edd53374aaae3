"""The public API as used in a notebook: names, copies, and clear error messages."""

from __future__ import annotations

import random
from importlib import metadata
from typing import Any, Final

import pytest

import cairn
from cairn import FOREST, Board, Game, Outcome, Phase, Reason, Token
from cairn._native import Moments
from cairn.engine import NativeEngine, RandomEngine
from cairn.engine.counting import DEEPEST, divide, perft
from cairn.refusal import refusal

POSITION: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


def test_the_version_matches_the_package_metadata() -> None:
    assert cairn.__version__ == metadata.version("cairn-game")
    with pytest.raises(AttributeError, match="no attribute 'versoin'"):
        cairn.versoin  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("tokens", [[], ["a1-a2"], ["a1-a2", "a5-b4"]])
def test_a_game_can_be_copied_and_evaluated_from_its_repr(tokens: list[str]) -> None:
    game = Game(POSITION, tokens)
    again = eval(repr(game), {"Game": Game})
    for other in (game.copy(), again):
        assert (other.start_text, other.tokens, other.board) == (game.start_text, game.tokens, game.board)
    copy = game.copy()
    copy.push(copy.legal_moves[0])
    assert len(game.tokens) == len(tokens)


def long_game(length: int) -> Game:
    """A random game in which nobody scores, so that it does not end."""
    rng, game = random.Random(1), Game.start("expert", seed=1)
    for _ in range(length):
        moves = game.legal_moves
        game.push(rng.choice([move for move in moves if not str(move).startswith("T") and "out" not in str(move)]))
    assert game.outcome is None
    return game


def test_copying_a_game_replays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = long_game(5_000)
    pushes = []

    def push(board: Board, token: Token | str) -> None:
        pushes.append(token)
        Moments.push(board, token)

    monkeypatch.setattr(Board, "push", push)
    copy = game.copy()
    assert pushes == []
    assert (copy.start_text, copy.tokens, copy.board) == (game.start_text, game.tokens, game.board)
    copy.push(copy.legal_moves[0])
    assert len(pushes) == 1


def test_a_copy_can_be_taken_back_to_the_start() -> None:
    game = long_game(200)
    copy = game.copy()
    while copy.tokens:
        copy.pop()
    assert copy.board.text == copy.start_text == game.start_text
    assert len(game.tokens) == 200
    for token in game.tokens:
        copy.push(token)
    assert (copy.board, copy.outcome) == (game.board, game.outcome)


def test_a_copy_counts_repetitions_independently() -> None:
    game = Game.start("beginner", seed=1)
    while game.outcome is None:
        game.push(game.legal_moves[0])
    last = game.pop()
    one, other = game.copy(), game.copy()
    for each in (one, other):
        assert each.outcome is None
        each.push(last)
        assert each.outcome == Outcome(None, Reason.REPETITION)
    assert game.outcome is None


def test_a_copy_keeps_repetition_and_declared_outcomes() -> None:
    game = Game.start("beginner", seed=1)
    while game.outcome is None:
        game.push(game.legal_moves[0])
    assert game.copy().outcome == game.outcome
    resigned = Game(POSITION)
    resigned.end(Outcome(FOREST, Reason.RESIGNATION))
    assert resigned.copy().outcome == resigned.outcome


def test_pop_takes_back_a_declared_end() -> None:
    game = Game(POSITION, ["a1-a2"])
    for _ in range(2):
        game.end(Outcome(FOREST, Reason.RESIGNATION))
        assert (game.phase, game.decider, game.legal_moves) == (Phase.OVER, None, ())
        if game.tokens:
            game.pop()
            assert (game.outcome, game.phase, game.decider) == (None, Phase.ACTION, FOREST)
    with pytest.raises(IndexError):
        game.pop()
    assert game.outcome == game.declared == Outcome(FOREST, Reason.RESIGNATION)


@pytest.mark.parametrize("kind", [Board, Game])
def test_wrong_arguments_raise_clear_errors(kind: Any) -> None:
    with pytest.raises(TypeError, match="expected a position as text, Setup or Board, not NoneType"):
        kind(None)
    with pytest.raises(TypeError, match=r"expected a list of tokens such as \['a1-c3'\], not the string 'a1-c3'"):
        kind(POSITION, "a1-c3")
    with pytest.raises(ValueError, match="expected a non-negative whole number as the seed, not -1"):
        kind.start(seed=-1)
    with pytest.raises(TypeError, match="expected a non-negative whole number as the seed, not str"):
        kind.start(seed="x")
    with pytest.raises(ValueError, match=r"expected a variant \(beginner, standard, expert\), not 'huge'"):
        kind.start("huge")


def test_wrong_types_raise_type_error() -> None:
    assert isinstance(refusal(Board(POSITION), 5), TypeError)
    for kind in (Board, Game):
        with pytest.raises(TypeError, match="expected a token or its text, not int"):
            kind(POSITION).push(5)  # type: ignore[arg-type]


def test_an_engine_with_a_level_does_not_need_a_limit() -> None:
    game = Game(POSITION)
    with NativeEngine(level=1) as level, NativeEngine() as full:
        assert level.play(game).token in game.legal_moves
        with pytest.raises(ValueError, match="never end"):
            full.play(game)
    assert RandomEngine().play(game).token in game.legal_moves


@pytest.mark.parametrize("depth", [-1, DEEPEST + 1])
def test_perft_rejects_a_depth_out_of_range(depth: int) -> None:
    with pytest.raises(ValueError, match=f"from 0 to {DEEPEST}, not {depth}"):
        perft(Board(POSITION), depth)
    with pytest.raises(ValueError, match=f"from 0 to {DEEPEST}, not {depth}"):
        list(divide(Board(POSITION), depth))


def test_push_takes_exactly_one_token() -> None:
    board = Board(POSITION)
    board.push(token="+d1")
    assert str(board.peek()) == "+d1"
    calls: list[tuple[tuple[str, ...], dict[str, str]]] = [
        ((), {}),
        (("a5-a4", "a4-a3"), {}),
        ((), {"move": "a5-a4"}),
        (("a5-a4",), {"token": "a5-a4"}),
    ]
    for arguments, named in calls:
        with pytest.raises(TypeError, match="one argument: token"):
            board.push(*arguments, **named)
    assert len(board.history) == 1


def test_a_board_that_was_not_initialised_cannot_be_played() -> None:
    board = Board.__new__(Board)
    with pytest.raises(TypeError, match="not initialised"):
        board.legal_moves  # noqa: B018
    with pytest.raises(TypeError, match="not initialised"):
        board.push("+d1")
    with pytest.raises(TypeError, match="'push'"):
        Moments.push(POSITION, "+d1")  # type: ignore[arg-type]
