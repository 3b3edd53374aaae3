"""The race to the first megalith is a game at two all, and 16 classes cover all 32 beginner starts."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from cairn import Board
from cairn.engine import solver
from cairn.symmetry import look
from cairn.vocabulary import TRIBES, Tribe

FACES = ["".join(faces) for faces in itertools.product("wb", "od", "fe", "me")]


def start(faces: str, active: str) -> str:
    return f"S1S1S/5/5/5/F1F1F b3CG,d3CD ---- - {faces} 2-2 {active}"


def test_the_starts_form_16_classes() -> None:
    classes = {look(start(faces, active), ()) for faces in FACES for active in "FS"}
    assert len(classes) == 16
    assert classes == {look(start(faces, "F"), ()) for faces in FACES}


def recorded(repository: Path) -> dict[str, tuple[Tribe, int] | int]:
    """The recorded result of each start: the winner and the turns, or the turns in which nobody wins."""
    page = (repository / "docs" / "results" / "openings.md").read_text(encoding="utf-8")
    results: dict[str, tuple[Tribe, int] | int] = {}
    for faces, result in re.findall(r"^\| `(\w{4})` \| ([^|]+) \|", page, re.MULTILINE):
        turns = int((re.findall(r"in (\d+) turns", result) or ["1000"])[0])
        winner = [tribe for tribe in TRIBES if result.lower().startswith(f"{tribe.value} forces")]
        results[faces] = (winner[0], turns) if winner else turns
    return results


@pytest.mark.parametrize("faces", FACES)
def test_the_solver_agrees_with_the_recorded_results(repository: Path, faces: str) -> None:
    turns = 5
    result = recorded(repository)[faces]
    decided = isinstance(result, tuple) and result[1] <= turns
    other = ("b" if faces[0] == "w" else "w") + faces[1:]
    for position, swapped in ((start(faces, "F"), False), (start(other, "S"), True)):
        solution = solver.solve(Board(position), turns)
        if decided:
            assert isinstance(result, tuple)
            assert (solution.winner, solution.turns) == (result[0].enemy if swapped else result[0], result[1])
        else:
            assert solution.winner is None
