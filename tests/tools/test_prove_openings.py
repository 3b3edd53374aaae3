"""``make prove-openings`` confirms right results of the race to the first megalith, and detects wrong ones."""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cairn.engine.solver import SolverResult
from cairn.puzzles.proof import TooLongError

if TYPE_CHECKING:
    import prove_openings

WON_AT_ONCE = "2F2/5/5/5/5 b3CG,d3CD ---- - wofm 2-2 F"


@pytest.fixture(autouse=True)
def tool(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import the tool as a module."""
    monkeypatch.syspath_prepend(repository / "tools")
    globals()["prove_openings"] = importlib.import_module("prove_openings")


def a_pass(
    turns: int, seconds: float = 1.0, *, complete: bool = False, samples: tuple[str, ...] = ()
) -> prove_openings.Pass:
    return prove_openings.Pass(turns, 5, 10, 100, complete, seconds, seconds, 7, 600, 700, (-1,) * 16, samples)


def test_starts_are_named_by_their_faces() -> None:
    named = [prove_openings.faces_of(number) for number in (0, 1, 2, 4, 8, 15)]
    assert named == ["wofm", "bofm", "wdfm", "woem", "wofe", "bdee"]
    assert prove_openings.start_with(2) == "S1S1S/5/5/5/F1F1F b3CG,d3CD ---- - wdfm 2-2 F"


def test_the_parity_of_the_turns_says_who_wins() -> None:
    assert prove_openings.expected(3, 5) == (SolverResult.WIN, 3)
    assert prove_openings.expected(4, 5) == (SolverResult.LOSS, 4)
    assert prove_openings.expected(7, 5) == (SolverResult.NOT_WITHIN, 5)
    assert prove_openings.expected(-1, 5) == (SolverResult.NOT_WITHIN, 5)
    assert prove_openings.in_words(13, a_pass(22)) == "Forest forces the first megalith in 13 turns"
    assert prove_openings.in_words(14, a_pass(22)) == "Sea forces the first megalith in 14 turns"
    assert prove_openings.in_words(-1, a_pass(22)) == "nobody can force the first megalith within 22 turns"
    assert prove_openings.in_words(-1, a_pass(30, complete=True)) == "nobody can force the first megalith"


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_wrong_numbers_of_turns_are_detected(turns: int) -> None:
    """Forest's exit from c5 is possible at once; nothing else is true of this position."""
    assert (prove_openings.solver_fault(WON_AT_ONCE, turns, max(turns, 1)) is None) == (turns == 1)
    assert (prove_openings.rulebook_fault(WON_AT_ONCE, turns, 100_000) is None) == (turns == 1)


def test_a_transformation_wins_the_race_except_on_a_megalith() -> None:
    """With c3-c4 or c2-c3, Forest has an enemy between two of its shamans."""
    assert prove_openings.solver_fault("5/FS3/2F2/5/5 b3CG,d3CD ---- - wofm 2-2 F", 1, 1) is None
    assert prove_openings.solver_fault("5/5/FS3/2F2/5 b3CG,d3CD ---- - wofm 2-2 F", -1, 1) is None


def test_a_start_is_confirmed_and_a_wrong_claim_is_not() -> None:
    assert prove_openings.solver_fault(prove_openings.start_with(0), -1, 4) is None
    assert "not win 3" in str(prove_openings.solver_fault(prove_openings.start_with(0), 3, 4))


def test_a_win_needs_a_first_turn_that_wins_in_time() -> None:
    """After c4-c5, Sea cannot stop the exit from c5; after c4-c3, nothing is won."""
    position = "5/2F2/5/4S/5 b3CG,d3CD ---- - wofm 2-2 F"
    assert prove_openings.solver_fault(position, 3, 3) is None
    assert prove_openings.win_fault(position, 3, ("c4-c3", "c4-c5")) is None
    assert "no first turn" in str(prove_openings.win_fault(position, 3, ("c4-c3",)))
    assert "no first turn" in str(prove_openings.win_fault(position, 5, ("c4-c5",)))


def test_the_rulebook_has_a_limit() -> None:
    with pytest.raises(TooLongError):
        prove_openings.rulebook_fault(prove_openings.start_with(0), 5, 50)


def test_checks_are_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("prove_openings.CHECKS", tmp_path / "checks.jsonl")
    options = argparse.Namespace(solver_turns=2, sample_turns=3, win_turns=21, nodes=1_000)
    passes = [a_pass(0), a_pass(1, samples=(WON_AT_ONCE,)), a_pass(2)]
    checks = prove_openings.check_all(passes, [], options, deadline=1e18)
    assert (checks.starts, checks.samples, checks.by_rulebook, checks.wrong) == (16, 1, 1, [])
    written = (tmp_path / "checks.jsonl").read_text()
    assert written.count("\n") == 18
    resumed = prove_openings.check_all(passes, [], options, deadline=0)  # no time: everything is already confirmed
    assert resumed == checks
    assert (tmp_path / "checks.jsonl").read_text() == written
    wrong = prove_openings.check_all([a_pass(2, samples=(WON_AT_ONCE,))], [], options, deadline=1e18)
    assert len(wrong.wrong) == 2
    assert "confirmed" in capsys.readouterr().out


def test_the_report_is_complete(tmp_path: Path) -> None:
    journal = tmp_path / "passes.jsonl"
    lines = [{**vars(a_pass(turns, 90.0)), "starts": [-1] * 16, "samples": []} for turns in range(23)]
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    passes = prove_openings.read_passes(journal)
    assert passes == [a_pass(turns, 90.0) for turns in range(23)]
    assert "the forecast for 22 turns was 0.57 hours" in prove_openings.forecast(passes[:11])
    assert "In fact" not in prove_openings.forecast(passes[:11])
    assert "In fact, 22 turns took 0.57 hours" in prove_openings.forecast(passes)
    options = argparse.Namespace(solver_turns=10, turns=22, threads=1, seed=1)
    text = prove_openings.report(passes, [("+d1",), *[()] * 15], prove_openings.Checks(16, 1, 40, 20), options)
    assert "| `wofm` | nobody can force the first megalith within 22 turns | `+d1` |" in text
    assert "all 16 starts\n  within 10 turns" in text
    assert text.count("\n| 1") == 11  # the passes 1 and 10 to 19
