"""Fair play on virtual time: a short form of ``make prove-sim``."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.simulation.loop import Stuck, run
from harness.simulation.regressions import REGRESSIONS
from harness.simulation.scenario import Size, simulate

SEEDS = range(4)
QUICKLY_FOUND = {"offers make decisions stale": 10}
"""Old faults that few seeds are enough for, with the number of seeds. The proof also looks for the others."""


@pytest.mark.slow
@pytest.mark.parametrize("first", [SEEDS.start, SEEDS.start + len(SEEDS) // 2])
def test_no_seed_breaks_an_invariant(first: int) -> None:
    for seed in range(first, first + len(SEEDS) // 2):
        report = simulate(seed)
        assert report.broken == [], f"run python tools/prove_sim.py --seed {seed}"
        assert report.games == Size().games
        assert report.tokens > 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seeds"), QUICKLY_FOUND.items())
def test_an_old_fault_is_found(name: str, seeds: int) -> None:
    invariant, regression = REGRESSIONS[name]
    with regression():
        found = (line.startswith(invariant) for seed in range(seeds) for line in simulate(seed).broken)
        assert any(found)


@pytest.mark.slow
def test_a_seed_gives_the_same_run_everywhere(repository: Path) -> None:
    code = (
        "import json; from harness.simulation.scenario import Size, simulate;"
        "print(json.dumps(simulate(7, Size(games=4)).trace))"
    )
    traces = {
        json.loads(
            subprocess.run(
                [sys.executable, "-c", code],
                cwd=repository,
                env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(repository)},
                capture_output=True,
                check=True,
                text=True,
            ).stdout
        )
        for hash_seed in ("1", "2")
    }
    assert len(traces) == 1


def test_time_is_virtual() -> None:
    async def sleep() -> float:
        await asyncio.sleep(86_400)
        return asyncio.get_running_loop().time()

    began = time.monotonic()
    assert run(sleep) == 86_400
    assert time.monotonic() - began < 60


def test_a_deadlock_is_an_error() -> None:
    async def wait() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(Stuck):
        run(wait)


def test_an_error_in_a_forgotten_task_fails_the_run() -> None:
    async def forget() -> None:
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await asyncio.sleep(1)

    with pytest.raises(AssertionError, match="not handled"):
        run(forget)
