"""A token can be pushed if and only if it is in the list of legal moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn import Board, GameOverError, IllegalTokenError
from cairn.vocabulary import Token
from harness.token_universe import plain_tokens, well_formed_tokens
from tests.strategies import boards, boards_where_the_shifting_stone_chooses

forms = st.sampled_from([str, lambda token: token])
"""Ways to pass a token to the board: as text or as an object."""


def accepted(board: Board, token: Token | str) -> bool:
    """Whether the token can be pushed; the board is unchanged either way."""
    try:
        board.push(token)
    except GameOverError:
        assert board.is_over
        return False
    except IllegalTokenError:
        assert not board.is_over
        return False
    board.pop()
    return True


@pytest.mark.slow
@settings(max_examples=40)
@given(boards(), forms)
def test_an_unprefixed_token_is_accepted_only_if_it_is_listed(
    board: Board, form: Callable[[Token], Token | str]
) -> None:
    before, legal = board.copy(), board.legal_moves
    generated = {str(token) for token in legal}
    assert len(generated) == len(legal) == legal.count() == len(list(legal))
    assert [str(token) for token in legal] == sorted(generated)
    for token in plain_tokens():
        assert (form(token) in legal) == (str(token) in generated)
        assert accepted(board, form(token)) == (str(token) in generated)
    assert board == before


@pytest.mark.slow
@settings(max_examples=3)
@given(boards_where_the_shifting_stone_chooses(), forms)
def test_a_token_of_the_shifting_stone_is_accepted_only_if_it_is_listed(
    board: Board, form: Callable[[Token], Token | str]
) -> None:
    generated = {str(token) for token in board.legal_moves}
    assert {str(token) for token in well_formed_tokens() if accepted(board, form(token))} == generated


@pytest.mark.slow
@settings(max_examples=40)
@given(boards())
def test_membership_agrees_with_the_list_for_every_token(board: Board) -> None:
    legal = board.legal_moves
    assert {token for token in well_formed_tokens() if token in legal} == set(legal)
