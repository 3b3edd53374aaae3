"""The board has two symmetries, and the rules respect both: the mirror image of a legal game is a legal game.

The half-turn swaps the tribes, including their scores and their turns. The left-right mirror swaps the colours of the
totem spaces, so the add tile shows its other face.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import Final

import pytest
from hypothesis import given

from cairn import Board
from cairn.notation import read_setup, write_position
from cairn.vocabulary import (
    TRIBES,
    ActionTile,
    Add,
    Banish,
    Copy,
    Push,
    Put,
    Setup,
    Space,
    Swap,
    Token,
    Transform,
    Travel,
    Tribe,
)
from cairn.vocabulary.spaces import SIZE
from tests.strategies import Line, lines


@dataclasses.dataclass(frozen=True)
class Mirror:
    """A symmetry of the board."""

    name: str
    turns: bool
    """Whether it is a half-turn with swapped tribes. Otherwise, it swaps left and right."""

    def space(self, space: Space) -> Space:
        return Space(SIZE + 1 - space.column, SIZE + 1 - space.row if self.turns else space.row)

    def tribe(self, tribe: Tribe) -> Tribe:
        return tribe.enemy if self.turns else tribe

    def text(self, text: str) -> str:
        """The board text of the mirrored moment."""
        return write_position(self.setup(read_setup(text)))

    def setup(self, setup: Setup) -> Setup:
        return dataclasses.replace(
            setup,
            shamans={self.space(space): self.tribe(tribe) for space, tribe in setup.shamans.items()},
            megaliths={self.space(space): tile for space, tile in setup.megaliths.items()},
            faces=setup.faces if self.turns else setup.faces.flipped(ActionTile.ADD),
            scores={self.tribe(tribe): setup.scores[tribe] for tribe in TRIBES},
            active=self.tribe(setup.active),
        )

    def token(self, token: Token) -> Hashable:
        """The mirrored token, ignoring the order of the two spaces in a swap."""
        match token:
            case Add(space) | Banish(space) | Transform(space):
                return type(token)(self.space(space))
            case Travel(origin, target):
                return Travel(self.space(origin), self.space(target) if target else None)
            case Push(origin, target):
                return Push(self.space(origin), self.space(target))
            case Put(space, tile):
                return Put(self.space(space), tile)
            case Swap(first, second):
                return frozenset((self.space(first), self.space(second)))
            case Copy(tile, choice):
                return tile, self.token(choice)
        return token


def unmirrored(token: Token) -> Hashable:
    """The token in the form that :meth:`Mirror.token` returns."""
    match token:
        case Swap(first, second):
            return frozenset((first, second))
        case Copy(tile, choice):
            return tile, unmirrored(choice)
    return token


MIRRORS: Final = (Mirror("half-turn", turns=True), Mirror("left-right", turns=False))


@pytest.mark.slow
@pytest.mark.parametrize("mirror", MIRRORS, ids=lambda mirror: mirror.name)
@given(line=lines(longest=60))
def test_mirrored_tokens_lead_to_mirrored_positions(mirror: Mirror, line: Line) -> None:
    board, mirrored = Board(line.position), Board(mirror.text(line.position))
    for token in (*line.tokens, None):
        assert mirrored.text == mirror.text(board.text)
        assert mirrored.phase is board.phase
        expected = mirror.tribe(board.decider) if isinstance(board.decider, Tribe) else board.decider
        assert mirrored.decider is expected
        if board.outcome:
            assert mirrored.outcome
            assert board.outcome.winner
            assert mirrored.outcome.winner is mirror.tribe(board.outcome.winner)
            assert mirrored.outcome.reason is board.outcome.reason
        by_meaning = {unmirrored(legal): legal for legal in mirrored.legal_moves}
        assert len(by_meaning) == len(mirrored.legal_moves)
        assert by_meaning.keys() == {mirror.token(legal) for legal in board.legal_moves}
        if token is not None:
            board.push(token)
            mirrored.push(by_meaning[mirror.token(token)])


@pytest.mark.parametrize("mirror", MIRRORS, ids=lambda mirror: mirror.name)
@given(line=lines(longest=5))
def test_mirrored_positions_have_the_same_perft(mirror: Mirror, line: Line) -> None:
    start = line.board().turn_start
    assert Board(start).perft(3) == Board(mirror.text(start)).perft(3)
    assert mirror.text(mirror.text(start)) == start
