"""Taking back tokens restores every earlier moment."""

from __future__ import annotations

import pytest
from hypothesis import given

from cairn import Board, Game
from tests.strategies import Line, lines


def seen(board: Board) -> tuple[object, ...]:
    """The whole observable state of a board."""
    return (
        board.text,
        board.key,
        [str(token) for token in board.legal_moves],
        board.phase,
        board.decider,
        board.outcome,
        board.turn_start,
        board.turn_tokens,
        board.history,
        repr(board),
    )


@given(lines(longest=80))
def test_taking_back_restores_every_moment_of_a_board(line: Line) -> None:
    board = Board(line.position)
    moments = [(board.copy(), seen(board))]
    for token in line.tokens:
        board.push(token)
        moments.append((board.copy(), seen(board)))
    for token in reversed(line.tokens):
        expected, shown = moments.pop()
        assert board == expected
        assert seen(board) == shown
        assert board.is_ok()
        assert board.peek() == token
        assert board.pop() == token
    assert board == moments[0][0]
    assert seen(board) == moments[0][1]
    with pytest.raises(IndexError):
        board.pop()


@given(lines())
def test_every_legal_token_can_be_taken_back(line: Line) -> None:
    board = line.board()
    before, shown = board.copy(), seen(board)
    for token in board.legal_moves:
        board.push(token)
        assert board.is_ok()
        board.pop()
        assert board == before
    assert seen(board) == shown


@given(lines(longest=80))
def test_taking_back_restores_every_moment_of_a_game(line: Line) -> None:
    def shown(game: Game) -> tuple[object, ...]:
        return seen(game.board), game.outcome, game.phase, game.decider, game.legal_moves, game.last_turn

    game = Game(line.position)
    moments = []
    for token in line.tokens:
        if game.outcome:
            break
        moments.append(shown(game))
        game.push(token)
    while game.tokens:
        game.pop()
        assert shown(game) == moments.pop()


@given(lines())
def test_a_copy_without_history_goes_back_to_the_start_of_the_turn(line: Line) -> None:
    board = line.board()
    short = board.copy(history=False)
    assert short == board
    assert short.history == board.turn_tokens
    while short.history:
        short.pop()
    assert short.text == board.turn_start
