"""Position and token texts round-trip."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn import Board, CairnError, IllegalTokenError, MalformedError
from cairn.notation import read_position, read_setup, read_token, write_position
from cairn.vocabulary import Setup
from harness.token_universe import well_formed_tokens
from tests.strategies import Line, any_setups, boards, lines, setups


@given(setups())
def test_position_text_round_trips(setup: Setup) -> None:
    text = write_position(setup)
    assert read_position(text) == setup
    assert write_position(read_position(text)) == text


@given(setups())
def test_the_core_reads_and_writes_the_same_text(setup: Setup) -> None:
    board = Board(setup)
    assert board.text == write_position(setup)
    assert board.setup == setup
    assert Board(board.text) == board


@given(any_setups(), any_setups())
def test_equal_text_means_equal_positions(one: Setup, other: Setup) -> None:
    assert (write_position(one) == write_position(other)) == (one == other)


@given(boards())
def test_board_text_in_the_middle_of_a_turn_can_be_read(board: Board) -> None:
    assert write_position(read_setup(board.text)) == board.text


@given(setups(), st.data())
def test_a_text_without_faults_is_a_position(setup: Setup, data: st.DataObject) -> None:
    """The reader that reports faults and the core's fast reader both reject a damaged text, or read it alike."""
    text = write_position(setup)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 3, len(text))))
    damaged = text[:start] + data.draw(st.text("FS12345/abcdeADMCRS-(),wofm 0", max_size=3)) + text[end:]
    read = None
    with contextlib.suppress(MalformedError):
        read = read_position(damaged)
    if read is None:
        with pytest.raises(MalformedError):
            Board(damaged)
    else:
        assert write_position(read) == damaged  # only the canonical form is accepted
        assert Board(damaged).setup == read


def test_every_token_round_trips() -> None:
    for token in well_formed_tokens():
        assert read_token(str(token)) == token


@given(lines())
def test_core_tokens_round_trip(line: Line) -> None:
    board = Board(line.position)
    for token in line.tokens:
        for legal in board.legal_moves:
            assert read_token(str(legal)) == legal
            assert str(legal) in board.legal_moves
            assert legal in board.legal_moves
        board.push(str(token))
        assert board.peek() == token


@given(st.text("+-=?~/:TxabcdeDRSHPU123450usetopaflijmv", max_size=9))
def test_both_readers_accept_the_same_tokens(text: str) -> None:
    board = Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    expected: type[CairnError] = IllegalTokenError
    try:
        read_token(text)
    except MalformedError:
        expected = MalformedError
    if text not in board.legal_moves:
        with pytest.raises(expected):
            board.push(text)
