"""The board has two symmetries, and the rules respect both: the mirror image of a legal game is a legal game.

The half-turn swaps the tribes, including their scores and their turns. The left-right mirror swaps the colours of the
totem spaces, so the add tile shows its other face.
"""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given

from cairn import Board
from cairn.notation import read_setup, write_position
from cairn.symmetry import SYMMETRIES, Symmetry
from cairn.vocabulary import Tribe
from tests.strategies import Line, lines

IDENTITY: Final = Symmetry(mirrors=False, turns=False)
MIRRORS: Final = {"half-turn": Symmetry(mirrors=False, turns=True), "left-right": Symmetry(mirrors=True, turns=False)}


def image(symmetry: Symmetry, text: str) -> str:
    """The board text of the image of a moment."""
    return write_position(symmetry.setup(read_setup(text)))


@pytest.mark.slow
@pytest.mark.parametrize("mirror", MIRRORS.values(), ids=MIRRORS.keys())
@given(line=lines(longest=60))
def test_mirrored_tokens_lead_to_mirrored_positions(mirror: Symmetry, line: Line) -> None:
    board, mirrored = Board(line.position), Board(image(mirror, line.position))
    for token in (*line.tokens, None):
        assert mirrored.text == image(mirror, board.text)
        assert mirrored.phase is board.phase
        expected = mirror.tribe(board.decider) if isinstance(board.decider, Tribe) else board.decider
        assert mirrored.decider is expected
        if board.outcome:
            assert mirrored.outcome
            assert board.outcome.winner
            assert mirrored.outcome.winner is mirror.tribe(board.outcome.winner)
            assert mirrored.outcome.reason is board.outcome.reason
        by_meaning = {IDENTITY.token(legal): legal for legal in mirrored.legal_moves}
        assert len(by_meaning) == len(mirrored.legal_moves)
        assert by_meaning.keys() == {mirror.token(legal) for legal in board.legal_moves}
        if token is not None:
            board.push(token)
            mirrored.push(by_meaning[mirror.token(token)])


@pytest.mark.parametrize("mirror", MIRRORS.values(), ids=MIRRORS.keys())
@given(line=lines(longest=5))
def test_mirrored_positions_have_the_same_perft(mirror: Symmetry, line: Line) -> None:
    start = line.board().turn_start
    assert Board(start).perft(3) == Board(image(mirror, start)).perft(3)
    assert image(mirror, image(mirror, start)) == start


@given(line=lines(longest=5))
def test_symmetric_positions_have_one_normal_form(line: Line) -> None:
    start = read_setup(line.board().turn_start)
    images = [each.setup(start) for each in SYMMETRIES]
    normal = [write_position(Symmetry.normalizing(each).setup(each)) for each in images]
    assert len({write_position(each) for each in images}) == len(SYMMETRIES)
    assert len(set(normal)) == 1
    assert normal[0] in map(write_position, images)
