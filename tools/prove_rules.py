"""Tests that both implementations of the rules agree on every test vector and at a million random moments.

The moments come in batches that depend only on the seed. Finished batches are stored in ``build/``, so that an
interrupted run can be resumed. A difference is printed with the smallest position and tokens that reproduce it. A
run of a million moments or more is recorded in ``docs/results/``.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for the harness

if TYPE_CHECKING:
    from harness.parity.coverage import Tally
    from harness.parity.progress import Progress

FULL: Final = 1_000_000
BATCH_SIZE: Final = 5_000
SECONDS_BETWEEN_LINES: Final = 10.0


def main() -> int:
    """Run the test. The exit code is 0 if nothing differs and every event occurred often enough, and 1 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--moments", type=int, default=FULL, help="number of moments to compare (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed for all random choices (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes (default: %(default)s)")
    options = parser.parse_args()

    from harness.parity.comparison import Difference
    from harness.parity.coverage import shortfalls
    from harness.parity.progress import Progress

    try:
        # 1. Replay the test vectors.
        facts = replay_vectors()
        # 2. Compare random moments.
        progress = Progress(ROOT / "build" / "prove-rules.json", options.seed, BATCH_SIZE)
        tally = compare(progress, options.moments, options.seed, options.jobs)
    except Difference as difference:
        print(f"prove-rules: the implementations differ\n{difference}", file=sys.stderr)
        return 1
    except AssertionError as error:
        print(f"prove-rules: an implementation does not reproduce a test vector\n{error}", file=sys.stderr)
        return 1

    # 3. Check that every event occurred often enough.
    missing = shortfalls(tally, options.moments / FULL)
    for line in missing:
        print(f"prove-rules: this event occurred too rarely: {line}", file=sys.stderr)
    if missing:
        return 1
    print(f"prove-rules: {tally['moments']:,} moments, {tally['games']:,} games, no difference")
    if options.moments >= FULL:
        record(facts, tally, options)
    return 0


def replay_vectors() -> dict[str, int]:
    """Check every implementation against every test vector. Return how many facts were compared, by implementation."""
    from harness.implementations import IMPLEMENTATIONS
    from harness.vectors import REPLAYS, read_vectors

    facts = {
        name: sum(replay(make, vector) for kind, replay in REPLAYS.items() for vector in read_vectors(kind))
        for name, make in IMPLEMENTATIONS.items()
    }
    for name, number in facts.items():
        print(f"prove-rules: the {name} reproduces the test vectors ({number:,} facts)", flush=True)
    return facts


def compare(progress: Progress, moments: int, seed: int, jobs: int) -> Tally:
    """Compare the batches that are not finished yet, and return the tally of all batches."""
    wanted = range(-(-moments // BATCH_SIZE))
    missing = [number for number in wanted if number not in progress.batches]
    if len(missing) < len(wanted):
        print(f"prove-rules: resuming after {len(wanted) - len(missing)} of {len(wanted)} batches")
    begin = last_line = time.monotonic()
    for done, (number, tally) in enumerate(_run(missing, seed, jobs), start=1):
        progress.finish(number, tally)
        now = time.monotonic()
        if now - last_line >= SECONDS_BETWEEN_LINES or done == len(missing):
            last_line = now
            left = (now - begin) / done * (len(missing) - done)
            compared = progress.total()["moments"]
            print(f"prove-rules: {compared:,} moments, no difference, about {left / 60:.0f} min left", flush=True)
    return sum((progress.batches[number] for number in wanted), start=type(progress.total())())


def _run(numbers: list[int], seed: int, jobs: int) -> Iterator[tuple[int, Tally]]:
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(compare_batch, seed, number): number for number in numbers}
        try:
            for finished in concurrent.futures.as_completed(running):
                yield running[finished], finished.result()
        finally:
            pool.shutdown(cancel_futures=True)


def compare_batch(seed: int, number: int) -> Tally:
    """Compare one batch, in a separate process."""
    from harness.parity.batch import Batch

    begin = time.process_time()
    tally = Batch(f"{seed}:{number}", BATCH_SIZE).compare()
    tally["processor milliseconds"] = round((time.process_time() - begin) * 1000)
    return tally


def record(facts: dict[str, int], tally: Tally, options: argparse.Namespace) -> None:
    """Write the results with the commit and the command."""
    from cairn._native import cpu
    from harness.parity.progress import SOURCES
    from harness.parity.report import Record

    seconds = tally.pop("processor milliseconds") / 1000
    changed = _git("status", "--porcelain", "--", *SOURCES)
    Record(
        commit=_git("rev-parse", "HEAD") + (" with changes" if changed else ""),
        command=f"make prove-rules  # tools/prove_rules.py --moments {options.moments} --seed {options.seed}",
        seed=options.seed,
        build=cpu,
        seconds=seconds,
        vectors=facts,
        tally=tally,
    ).write(ROOT / "docs" / "results", "prove-rules")
    print("prove-rules: recorded in docs/results/prove-rules.md")


def _git(*arguments: str) -> str:
    answer = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return answer.stdout.strip() if answer.returncode == 0 else "unknown"


if __name__ == "__main__":
    sys.exit(main())
