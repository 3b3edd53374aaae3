"""The speed benchmark: Cairn, other libraries and the floor (the reference), interleaved. See docs/bench.md."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, Final

import report
from floor import Floor, cpu_field, cpus
from measure import Tally

HERE: Final = pathlib.Path(__file__).parent
FLOOR_GAMES_CHECKED: Final = 1_000_000
SEED: Final = 2026

ENVIRONMENTS: Final = {
    "pgx": ("connect_four", "animal_shogi"),
    "pettingzoo": ("connect_four", "cairn"),
    "threads": ("1", "2"),
}
"""The contenders of environments.py, with their measurements."""

Measure = Callable[[int], float]
"""Measures the rate that a contender reaches in the given round."""


class Failed(Exception):
    """A contender could not run."""


class Worker:
    """A contender in a separate process."""

    def __init__(self, contender: str, environment: dict[str, str]) -> None:
        self.contender = contender
        command = [sys.executable, str(HERE / "worker.py"), contender, str(SEED)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )
        self.facts: dict[str, Any] = json.loads(self._answer())

    def rate(self, name: str, seconds: float) -> float:
        """Measure the contender's current rate."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{name} {seconds}\n")
        self.process.stdin.flush()
        return float(self._answer())

    def measures(self, names: dict[str, str], seconds: float) -> dict[str, Measure]:
        """Return a function for each measurement, under the name that the report uses."""

        def measure(name: str) -> Measure:
            return lambda _: self.rate(name, seconds)

        return {shown: measure(name) for shown, name in names.items()}

    def close(self) -> None:
        """End the worker by closing its input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise Failed(f"{self.contender} ended with status {self.process.wait()}; see its output above")
        return line


class Bench:
    """The contenders that could be started, and the errors from those that could not."""

    def __init__(self, seconds: float, folder: pathlib.Path, stack: contextlib.ExitStack) -> None:
        self.seconds = seconds
        self.folder = folder
        self.stack = stack
        self.measures: dict[str, Measure] = {}
        self.facts: dict[str, Any] = {}
        self.failures: list[str] = []
        self.checks: list[report.Check] = []
        self.cpus = cpus()

    def start(self) -> None:
        """Start all contenders in the order of a round: each build of the core follows the same build of the floor."""
        floors: dict[str, Floor] = {}
        for cpu in self.cpus:
            with self._noting_failures():
                floors[cpu] = Floor(cpu, self.folder, self.seconds)
                self.measures[f"floor {cpu}"] = floors[cpu].rate
            with self._noting_failures():
                self._start_core(cpu)
        with self._noting_failures():
            self._start_openspiel(floors)
        for contender, names in ENVIRONMENTS.items():
            with self._noting_failures():
                worker = self._worker(contender, {})
                self.facts[contender] = worker.facts
                self.measures |= worker.measures({f"{contender} {name}": name for name in names}, self.seconds)

    def run(self, rounds: int) -> dict[str, list[float]]:
        """Measure every contender once per round, so that changes in the machine's speed affect all of them alike."""
        rates: dict[str, list[float]] = {name: [] for name in self.measures}
        for number in range(1, rounds + 1):
            print(f"\rround {number} of {rounds}", end="", file=sys.stderr, flush=True)
            for name, measure in self.measures.items():
                rates[name].append(measure(number))
        print(file=sys.stderr)
        return rates

    def _start_core(self, cpu: str) -> None:
        worker = self._worker("cairn", {"CAIRN_CPU": cpu})
        self.facts[f"cairn {cpu}"] = worker.facts
        if worker.facts["cpu"] != cpu:
            raise Failed(f"expected the {cpu} build of the core, but {worker.facts['cpu']} was loaded")
        names = {f"{name} {cpu}": name for name in ("playouts", "perft", "loop", "batch", "batch-bits")}
        self.measures |= worker.measures(names, self.seconds)

    def _start_openspiel(self, floors: dict[str, Floor]) -> None:
        worker = self._worker("openspiel", {})
        self.facts["openspiel"] = worker.facts
        self.measures |= worker.measures({f"openspiel {name}": name for name in ("rollouts", "loop")}, self.seconds)
        counted = Tally(**worker.facts["counted"])
        rolled_out = Tally(worker.facts["rollouts"], 0, 0, worker.facts["rollout_first_wins"])
        for cpu, floor in floors.items():
            tally, _ = floor.play(FLOOR_GAMES_CHECKED, SEED)
            self.checks = report.checks(tally, counted, rolled_out)
            self.failures += [f"floor {cpu}: {each.what} differs" for each in self.checks if not each.agrees]

    def _worker(self, contender: str, environment: dict[str, str]) -> Worker:
        worker = Worker(contender, environment)
        self.stack.callback(worker.close)
        return worker

    @contextlib.contextmanager
    def _noting_failures(self) -> Iterator[None]:
        try:
            yield
        except (Failed, OSError, subprocess.CalledProcessError) as error:
            self.failures.append(str(error))


def stay_on_one_core() -> None:
    """Pin this process and its children to one core, if the system supports it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def commit() -> str:
    """The measured commit, with a plus sign if tracked files differ from it."""
    head = _git("rev-parse", "HEAD")
    return head + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True, check=False).stdout.strip()


def main() -> int:
    """Measure, print the tables and write the results. The exit code is 1 if something failed to run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="number of rounds (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.25, help="length of each measurement (default: %(default)s)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write the results to FILE")
    options = parser.parse_args()

    stay_on_one_core()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        bench = Bench(options.seconds, pathlib.Path(folder), stack)
        bench.start()
        rates = bench.run(options.rounds)
    ratios = report.ratios(rates, bench.cpus)
    print(report.checks_table(bench.checks), report.rates_table(rates), report.ratios_table(ratios), sep="\n")
    for failure in bench.failures:
        print(f"failed: {failure}", file=sys.stderr)
    if options.json:
        results = {
            "commit": commit(),
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "cpu": cpu_field("model name") or platform.processor(),
            "python": platform.python_version(),
            "rounds": options.rounds,
            "seconds": options.seconds,
            "contenders": bench.facts,
            "checks": [vars(each) | {"agrees": each.agrees} for each in bench.checks],
            "medians": {name: statistics.median(values) for name, values in rates.items()},
            "rates": rates,
            "ratios": [vars(each) | {"verdict": each.verdict} for each in ratios],
            "failures": bench.failures,
        }
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
