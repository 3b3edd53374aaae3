"""The whole server in virtual time: a short version of ``make prove-sim``."""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from cairn.server.lobby.challenges import Challenges
from harness.simulation.coverage import missing
from harness.simulation.regressions import REGRESSIONS, finds
from harness.simulation.scenario import Size, simulate

SEEDS = 6
MOST_SEEDS = 60
SPECIAL = Size(special=0.3)
"""A larger share of special games than in the full run, so that a few seeds cover everything."""
FOUND_BY = {
    "offers make decisions stale": 2,
    "every replayed turn earns an increment": 77,
    "undone decisions earn lag compensation": 30,
    "logs have no bounds": 73,
    "clocks follow the wall clock": 2,
    "no clock runs while a draw waits": 0,
}
"""For each old fault, a seed that reveals it. To find new seeds, run ``tools/prove_sim.py --old-faults``."""


@pytest.mark.slow
def test_a_short_run_covers_everything_and_does_not_break_an_invariant() -> None:
    counts = collections.Counter[str]()
    for seed in range(MOST_SEEDS):
        report = simulate(seed, SPECIAL)
        assert report.broken == [], f"seed {seed}"
        assert report.games == SPECIAL.games
        counts.update(report.counts)
        if seed >= SEEDS and not missing(counts):
            break
    assert missing(counts) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", REGRESSIONS)
def test_an_old_fault_is_found(name: str) -> None:
    assert finds(name, FOUND_BY[name]), "not found with this seed: run python tools/prove_sim.py --old-faults"


@pytest.mark.slow
@pytest.mark.parametrize("seed", sorted(set(FOUND_BY.values())))
def test_nothing_is_found_without_the_old_faults(seed: int) -> None:
    assert simulate(seed).broken == []


@pytest.mark.slow
def test_a_server_that_cannot_start_games_is_detected() -> None:
    with mock.patch.object(Challenges, "accept", side_effect=RuntimeError):
        assert simulate(0, Size(games=2)).broken == ["every game starts: 0 of 2 have started"]


@pytest.mark.slow
def test_a_seed_gives_the_same_run_everywhere(repository: Path) -> None:
    here = [simulate(seed).trace for seed in (7, 8, 7)]
    assert here[0] == here[2] != here[1]
    code = (
        "import json; from harness.simulation.scenario import simulate;"
        "print(json.dumps([simulate(seed).trace for seed in (8, 7)]))"
    )
    # The other process uses a different hash seed, so that its sets have a different order.
    hash_seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    other = subprocess.run(
        [sys.executable, "-c", code],
        cwd=repository,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(repository)},
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(other.stdout) == [here[1], here[0]]
