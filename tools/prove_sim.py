"""Tests fair play by simulation: runs the whole server on virtual time, with hostile players and injected faults.

Every seed is a separate run: some games on several server instances that share one database, with crashes, dropped
connections, a failing disk and changes to the wall clock. The referee checks the invariants in ``docs/simulation.md``
throughout. A seed that breaks an invariant is printed, and ``--seed N`` replays it exactly. ``--search`` looks for the
hostile players that come closest to breaking an invariant. ``--old-faults`` reintroduces each fixed bug and looks for
the first seed that detects it.

The seeds run in chunks. An interrupted run resumes with the next chunk. Another machine can run some of the chunks
(``--from``, ``--to``); copy its results here and add them with ``--merge``.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import json
import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the harness

from harness.load.report import RESULTS, page, record
from harness.simulation import coverage
from harness.simulation.chunks import SEEDS, Chunk, Results, fingerprint, run_chunk
from harness.simulation.regressions import REGRESSIONS, first_seed
from harness.simulation.scenario import Report, simulate
from harness.simulation.search import Found, search

FULL_SEEDS: Final = 100_000
FAULT_SEEDS: Final = 1_000
"""The number of seeds within which each old fault must be detected."""
PROGRESS: Final = RESULTS.parents[1] / "build" / "prove-sim"


def prove(results: Results, firsts: list[int], workers: int, seconds: float | None) -> None:
    """Run all chunks that are not done yet. After ``seconds`` seconds, start no more chunks."""
    done = results.done()
    waiting = [first for first in firsts if first not in done]
    until = time.monotonic() + seconds if seconds else float("inf")
    finished, faults = len(firsts) - len(waiting), 0
    with pool_of(workers) as pool:
        running: set[concurrent.futures.Future[Chunk]] = set()
        while running or (waiting and time.monotonic() < until):
            while waiting and len(running) < workers and time.monotonic() < until:
                running.add(pool.submit(run_chunk, waiting.pop(0)))
            ended, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for chunk in (future.result() for future in ended):
                results.save(chunk)
                finished, faults = finished + 1, faults + len(chunk.broken)
                for line in chunk.broken:
                    print(f"prove-sim: {line}", flush=True)
            print(f"prove-sim: {finished * SEEDS:,} of {len(firsts) * SEEDS:,} seeds, {faults} new faults", flush=True)


def pool_of(workers: int) -> concurrent.futures.ProcessPoolExecutor:
    """A pool of spawned worker processes. Forked processes would inherit threads and connections."""
    return concurrent.futures.ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def find_old_faults(workers: int) -> bool:
    """Print the first seed that detects each old fault, and return whether every fault was detected."""
    with pool_of(workers) as pool:
        searches = {name: pool.submit(first_seed, name, FAULT_SEEDS) for name in REGRESSIONS}
        for name, running in searches.items():
            seed = running.result()
            found = f"seed {seed}" if seed is not None else f"not detected in {FAULT_SEEDS:,} seeds"
            print(f"{name}: {found}", flush=True)
    return all(running.result() is not None for running in searches.values())


def figures(total: Chunk) -> dict[str, object]:
    """The figures on the result page."""
    return {
        "seeds": f"{total.first:,} to {total.first + total.seeds - 1:,}",
        "games": f"{total.games:,}, with {total.tokens:,} decisions",
        "acknowledged commands": f"{total.counts.get('acknowledged', 0):,}",
        **coverage.table(total.counts),
        "CPU time": f"{total.seconds / 3600:.1f} h",
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
    """Run the test. The exit code is 1 if an invariant was broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--from", dest="first", type=int, default=0, help="first seed (default: %(default)s)")
    parser.add_argument("--to", type=int, default=FULL_SEEDS, help="end of the range, exclusive (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="number of worker processes")
    parser.add_argument("--seconds", type=float, help="start no chunk after this time; run again to resume")
    parser.add_argument(
        "--results", type=Path, default=PROGRESS, help="folder for finished chunks (default: %(default)s)"
    )
    parser.add_argument("--merge", type=Path, action="append", default=[], help="first add results from this folder")
    parser.add_argument("--seed", type=int, help="run only this seed and print its outcome")
    parser.add_argument("--search", type=int, metavar="ROUNDS", help="search for hostile programs for this many rounds")
    parser.add_argument("--old-faults", action="store_true", help="find the first seed that detects each old fault")
    options = parser.parse_args()
    if options.first % SEEDS or options.to % SEEDS or options.first >= options.to:
        parser.error(f"--from and --to must be multiples of {SEEDS}, and --from must be smaller")
    if options.seed is not None:
        report = simulate(options.seed)
        show(report)
        return 1 if report.broken else 0
    if options.search is not None:
        found = search(options.search, say=lambda text: print(f"prove-sim: {text}", flush=True))
        show_search(found)
        return 1 if any(each.broken for each in found) else 0
    if options.old_faults:
        return 0 if find_old_faults(options.workers) else 1
    results, firsts = Results(options.results, fingerprint()), list(range(options.first, options.to, SEEDS))
    for folder in options.merge:
        print(f"prove-sim: added {results.merge(folder)} chunks from {folder}")
    prove(results, firsts, options.workers, options.seconds)
    return finish(results.total(firsts), len(firsts) * SEEDS)


def finish(total: Chunk, seeds: int) -> int:
    """Print the result, and record it if the full run is complete."""
    absent = coverage.missing(total.counts)
    faults = [*total.broken, *(f"never occurred: {name}" for name in absent)]
    verdict = "No invariant was broken." if not total.broken else f"{len(total.broken)} faults."
    command = f"python tools/prove_sim.py --from {total.first} --to {total.first + seeds}"
    text = page("Fair play in simulation", verdict, command, figures(total), faults)
    print(text)
    if total.seeds < seeds:
        print(f"prove-sim: stopped after {total.seeds:,} of {seeds:,} seeds; run it again to resume")
    elif seeds >= FULL_SEEDS:
        print(f"prove-sim: recorded in {record('online-simulation', text)}")
    return 1 if total.broken or (absent and total.seeds == seeds) else 0


if __name__ == "__main__":
    sys.exit(main())
