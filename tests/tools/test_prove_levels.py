"""The results of ``prove_levels``, computed from made-up games."""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cairn.arena import GameResult, Job, Standings
from cairn.arena.elo import score_of
from cairn.engine import LEVELS

if TYPE_CHECKING:
    import prove_levels


@pytest.fixture(autouse=True)
def tool(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import the tool as a module, and replace its slow fingerprint."""
    monkeypatch.syspath_prepend(repository / "tools")
    globals()["prove_levels"] = importlib.import_module("prove_levels")
    monkeypatch.setattr(prove_levels, "fingerprint", lambda: "abc")


@pytest.fixture
def standings() -> Standings:
    """Standings in which each level is about 100 Elo above the level below."""
    settings = prove_levels.settings_for(120, seed=1)
    assert len(settings.pairings) == 17
    assert settings.games == 2_040
    played = Standings(settings)
    for job in settings.jobs():
        low, high = job.pairing
        low_wins = (job.pair * 2 + job.swapped) % 60 < 60 * score_of(100 * (low - high))
        played.add(result(job, low_wins))
    return played


def result(job: Job, first_wins: bool) -> GameResult:
    return GameResult(job, "", (), 0, "F" if first_wins != job.swapped else "S", "score")


def test_each_level_plays_the_two_levels_on_either_side() -> None:
    pairings = prove_levels.settings_for(2, seed=1).pairings
    for level in range(len(LEVELS)):
        met = {other for pairing in pairings if level in pairing for other in pairing} - {level}
        assert met == {level - 2, level - 1, level + 1, level + 2} & set(range(10))


def test_the_record_lists_all_levels(standings: Standings, tmp_path: Path) -> None:
    for elo, margin in prove_levels.steps(standings).values():
        assert elo == pytest.approx(100, abs=10)
        assert 0 < margin < 100
    prove_levels.record(standings, argparse.Namespace(games_per_pairing=120, seed=1, results=tmp_path))
    data = json.loads((tmp_path / "levels.json").read_text(encoding="utf-8"))
    assert data["games"] == 2_040
    assert data["fingerprint"] == "abc"
    assert [level["level"] for level in data["levels"]] == list(range(1, 11))
    page = (tmp_path / "levels.md").read_text(encoding="utf-8")
    assert "Each level is stronger than the one below" in page
    assert "| 1 | Pebble | 0 |" in page
    assert "| 9 against 10 |" in page
