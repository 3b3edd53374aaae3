"""A board is a value: equality, hashes, keys, copies, pickles and ``repr``."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Iterator

import pytest
from hypothesis import given

from cairn import Board
from cairn.vocabulary import MEGALITHS, SPACES, TRIBES, ActionTile, Deck, Megalith, Setup, Space, Tribe
from tests.strategies import Line, boards, lines, setups


def rebuilt(board: Board) -> Board:
    """A new board from the ``repr`` of another."""
    made = eval(repr(board), {"Board": Board})
    assert isinstance(made, Board)
    return made


@given(lines(longest=80))
def test_the_incremental_key_equals_a_freshly_computed_one(line: Line) -> None:
    board = Board(line.position)
    for token in line.tokens:
        board.push(token)
        assert board.is_ok()
        assert board.key == rebuilt(board).key


@given(boards())
def test_repr_round_trips_at_any_moment(board: Board) -> None:
    again = rebuilt(board)
    assert again == board
    assert repr(again) == repr(board)
    assert (again.text, again.turn_start, again.turn_tokens) == (board.text, board.turn_start, board.turn_tokens)
    assert list(again.legal_moves) == list(board.legal_moves)
    assert (again.phase, again.decider, again.outcome) == (board.phase, board.decider, board.outcome)


@given(boards())
def test_copies_are_equal_and_independent(board: Board) -> None:
    text = board.text
    for other in (Board(board), board.copy(), board.copy(history=False), copy.copy(board), copy.deepcopy(board),
                  pickle.loads(pickle.dumps(board))):  # fmt: skip
        assert type(other) is Board
        assert other == board
        assert hash(other) == hash(board)
        assert other.key == board.key
        assert other.text == text
        if other.legal_moves:
            other.push(other.legal_moves[0])
            assert other != board
            assert board.text == text
    assert board == board.copy()
    assert board != text


@given(boards(), boards())
def test_boards_are_equal_exactly_when_their_keys_are(one: Board, other: Board) -> None:
    assert (one == other) == (one.key == other.key)
    if one == other:
        assert hash(one) == hash(other)
        assert one.text == other.text
        assert list(one.legal_moves) == list(other.legal_moves)


@pytest.mark.slow
@given(setups())
def test_boards_that_differ_in_one_field_are_unequal(setup: Setup) -> None:
    board = Board(setup)
    for changed in changes(setup):
        other = Board(changed)
        assert other != board
        assert other.key != board.key
        assert other.text != board.text


def changes(setup: Setup) -> Iterator[Setup]:
    """Valid set-ups that differ from this one in exactly one field."""
    candidates = [
        *(dataclasses.replace(setup, shamans=shamans) for shamans in changed_shamans(setup)),
        *(dataclasses.replace(setup, megaliths=megaliths) for megaliths in changed_megaliths(setup)),
        dataclasses.replace(setup, upcoming=setup.upcoming[::-1]),
        dataclasses.replace(setup, upcoming=(None, setup.upcoming[1])),
        *(dataclasses.replace(setup, deck=deck) for deck in changed_decks(setup.deck)),
        *(dataclasses.replace(setup, faces=setup.faces.flipped(tile)) for tile in ActionTile),
        dataclasses.replace(setup, faces=setup.faces.transformed()),
        *(
            dataclasses.replace(setup, scores={**setup.scores, tribe: points})
            for tribe in TRIBES
            for points in range(3)
        ),
        dataclasses.replace(setup, active=setup.active.enemy),
    ]
    return (candidate for candidate in candidates if candidate != setup and not candidate.faults())


def changed_shamans(setup: Setup) -> Iterator[dict[Space, Tribe]]:
    for space in SPACES:
        without = {place: tribe for place, tribe in setup.shamans.items() if place != space}
        yield {**without}
        for tribe in TRIBES:
            yield {**without, space: tribe}


def changed_megaliths(setup: Setup) -> Iterator[dict[Space, Megalith]]:
    for space in SPACES:
        without = {place: tile for place, tile in setup.megaliths.items() if place != space}
        yield {**without}
        for tile in MEGALITHS.values():
            yield {**without, space: tile}


def changed_decks(deck: Deck) -> Iterator[Deck]:
    yield Deck(deck.unknown, deck.known[::-1])
    yield Deck(deck.unknown, deck.known[:-1])
    yield Deck(deck.unknown | frozenset(deck.known[:2]), deck.known[2:])
    yield Deck(frozenset(), (*sorted(deck.unknown), *deck.known))
    for tile in MEGALITHS.values():
        yield deck.with_at_bottom(tile)
