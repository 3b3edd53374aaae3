"""In every mined position, the fastest win is found, and no other win is claimed."""

from __future__ import annotations

import collections

import pytest

from cairn import Board
from cairn.engine import solver
from harness.mined import LATER, QUOTAS, TURNS, Mined, judge_search, read

MINED = read()


def test_every_length_variant_and_player_is_represented() -> None:
    assert collections.Counter(mined.turns for mined in MINED) == QUOTAS
    assert len({mined.position for mined in MINED}) == len(MINED)
    for turns in QUOTAS:
        kinds = collections.Counter((mined.variant, mined.player) for mined in MINED if mined.turns == turns)
        assert len(kinds) == 9


def test_the_solver_finds_every_win_and_claims_no_other() -> None:
    for mined in MINED:
        solution = solver.solve(Board(mined.position), TURNS)
        claimed = (solution.winner.value, solution.turns) if solution.winner else (None, None)
        assert claimed == (mined.winner, mined.turns), mined


def test_a_deeper_search_still_finds_the_shortest_win() -> None:
    for mined in MINED[::10]:
        if mined.turns:
            assert solver.solve(Board(mined.position), TURNS + 3).turns == mined.turns


@pytest.mark.slow
def test_the_main_search_finds_every_win_and_claims_no_other() -> None:
    sample: list[Mined] = MINED[::5]
    wrong = [(verdict, mined) for mined in sample if (verdict := judge_search(mined)) not in (None, LATER)]
    assert not wrong
