"""Proves fair play by simulation: the whole server on virtual time, with hostile players and faults, seed by seed.

Every seed is a run of its own: some games on several server instances over one database, with crashes, cut lines, a
failing disk and a wall clock that is set. The referee checks the invariants of ``docs/simulation.md`` throughout. A
seed that breaks one is printed, and ``--seed N --verbose`` runs it again, step by step the same. ``--search`` looks for
hostile players that come closest to breaking something. An interrupted proof resumes where it stopped.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the harness

from harness.load.report import RESULTS, page, record
from harness.simulation.scenario import Report, Size, simulate
from harness.simulation.search import Found, search

FULL_SEEDS: Final = 100_000
GAMES: Final = 10
BATCH: Final = 50
ROOT: Final = RESULTS.parents[1]
PROGRESS: Final = ROOT / "build" / "prove-sim"


@dataclasses.dataclass
class Total:
    """What all finished batches came to."""

    seeds: int = 0
    games: int = 0
    tokens: int = 0
    seconds: float = 0.0
    """Of one processor."""
    broken: list[str] = dataclasses.field(default_factory=list)
    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    batches: list[int] = dataclasses.field(default_factory=list)
    """The first seeds of the finished batches."""

    def add(self, first: int, reports: Iterable[Report], seconds: float) -> None:
        """Add a batch."""
        counts = collections.Counter(self.counts)
        for report in reports:
            self.seeds += 1
            self.games += report.games
            self.tokens += report.tokens
            self.broken += [f"seed {report.seed}: {line}" for line in report.broken[:3]]
            counts.update(report.counts)
        self.counts = dict(counts)
        self.seconds += seconds
        self.batches.append(first)


def run_batch(first: int, count: int) -> tuple[int, list[Report], float]:
    """Run some seeds in this process."""
    began = time.process_time()
    reports = [simulate(seed, Size(games=GAMES)) for seed in range(first, first + count)]
    return first, reports, time.process_time() - began


def prove(seeds: int, workers: int, seconds: float | None) -> Total:
    """Run all seeds that are not done yet, for at most so many seconds."""
    path = PROGRESS / f"{fingerprint()}.json"
    total = Total(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else Total()
    waiting = [first for first in range(0, seeds, BATCH) if first not in set(total.batches)]
    until = time.monotonic() + seconds if seconds else float("inf")
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(workers, mp_context=context) as pool:
        running: set[concurrent.futures.Future[tuple[int, list[Report], float]]] = set()
        while waiting or running:
            while waiting and len(running) < 2 * workers and time.monotonic() < until:
                first = waiting.pop(0)
                running.add(pool.submit(run_batch, first, min(BATCH, seeds - first)))
            if not running:
                break
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                total.add(*future.result())
            save(path, total)
            print(f"prove-sim: {total.seeds:,} seeds, {total.games:,} games, {len(total.broken)} faults", flush=True)
    return total


def save(path: Path, total: Total) -> None:
    """Keep what is done, so that an interrupted proof can resume."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(dataclasses.asdict(total)), encoding="utf-8")
    temporary.replace(path)


def fingerprint() -> str:
    """A digest of everything that a run depends on: results of another version do not count."""
    digest = hashlib.sha256()
    for folder in ("src/cairn", "harness/simulation", "native"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".cpp", ".h", ".json") and "pages" not in path.parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def figures(total: Total) -> dict[str, object]:
    """What the page of a result says."""
    ends = {name.removeprefix("ended by "): each for name, each in total.counts.items() if name.startswith("ended by")}
    refused = {name.removeprefix("refused "): each for name, each in total.counts.items() if name.startswith("refused")}
    return {
        "seeds": f"0 to {total.seeds - 1:,}",
        "games": f"{total.games:,}, with {total.tokens:,} decisions",
        "acknowledged commands": f"{total.counts.get('acknowledged', 0):,}",
        "ends": ", ".join(f"{name} {each:,}" for name, each in sorted(ends.items())),
        "refused tokens, all for a reason": ", ".join(f"{name} {each:,}" for name, each in sorted(refused.items())),
        "processor time": f"{total.seconds / 3600:.1f} h",
    }


def show(report: Report) -> None:
    """Print the outcome of one seed."""
    print(f"seed {report.seed}: {report.games} games, {report.tokens} decisions, trace {report.trace}")
    for line in report.broken:
        print(f"  {line}")


def show_search(found: list[Found]) -> None:
    """Print the strongest hostile programs."""
    for each in found:
        print(json.dumps({"pressure": round(each.pressure, 2), **dataclasses.asdict(each.program)}))


def main() -> int:
    """0 if no invariant was broken, 1 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=FULL_SEEDS, help="number of seeds (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="run only this seed, and print what it came to")
    parser.add_argument("--search", type=int, metavar="ROUNDS", help="search for hostile programs for so many rounds")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="number of worker processes")
    parser.add_argument("--seconds", type=float, help="stop after this time; the next run resumes")
    options = parser.parse_args()
    if options.seed is not None:
        report = simulate(options.seed, Size(games=GAMES))
        show(report)
        return 1 if report.broken else 0
    if options.search is not None:
        found = search(options.search, say=lambda text: print(f"prove-sim: {text}", flush=True))
        show_search(found)
        return 1 if any(each.broken for each in found) else 0
    total = prove(options.seeds, options.workers, options.seconds)
    if total.seeds < options.seeds:
        print(f"prove-sim: stopped after {total.seeds:,} of {options.seeds:,} seeds; run it again to resume")
        return 1 if total.broken else 0
    return finish(total)


def finish(total: Total) -> int:
    """Print the page of a complete proof, and record a full one."""
    verdict = "No invariant was broken." if not total.broken else f"{len(total.broken)} faults."
    command = f"python tools/prove_sim.py --seeds {total.seeds}"
    text = page("Fair play in simulation", verdict, command, figures(total), total.broken)
    print(text)
    if total.seeds >= FULL_SEEDS:
        print(f"prove-sim: recorded in {record('simulation', text)}")
    return 1 if total.broken else 0


if __name__ == "__main__":
    sys.exit(main())
