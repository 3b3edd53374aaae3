"""Proves every puzzle of the package a second time, without the solver that found it.

A plain search of the core, without a table, a move order or bounds, proves all of them. A search over the Python
rulebook, which shares no code with the core, proves those whose trees are small enough. The result is recorded in
``docs/results/puzzles.md``.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from cairn import puzzles
from cairn.puzzles import Puzzle
from cairn.puzzles.proof import TooLongError, native_faults, rulebook_faults

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = ROOT / "docs" / "results" / "puzzles.md"
RULEBOOK_NODES: Final = 500


def main() -> int:
    """Prove all puzzles. The exit code is 1 if one of them is wrong, and 0 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes (default: %(default)s)")
    parser.add_argument(
        "--nodes", type=int, default=RULEBOOK_NODES, help="limit for the rulebook, per puzzle (default: %(default)s)"
    )
    options = parser.parse_args()
    released = puzzles.released()
    wrong: list[str] = []
    by_rulebook = collections.Counter[str]()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        work = pool.map(prove, released, [options.nodes] * len(released), chunksize=8)
        for done, (puzzle, (faults, small)) in enumerate(zip(released, work, strict=True), 1):
            wrong += [f"{puzzle.id}: {fault}" for fault in faults]
            by_rulebook[kind_of(puzzle)] += small
            if done % 100 == 0:
                print(f"prove-puzzles: {done} of {len(released)}", flush=True)
    for line in wrong:
        print(f"prove-puzzles: {line}", file=sys.stderr)
    kinds = collections.Counter(map(kind_of, released))
    print(f"prove-puzzles: {len(released)} puzzles, {by_rulebook.total()} also by the rulebook, {len(wrong)} wrong")
    if not wrong:
        RESULTS.write_text(report(released, kinds, by_rulebook, options.nodes), encoding="utf-8")
    return 1 if wrong else 0


def prove(puzzle: Puzzle, nodes: int) -> tuple[list[str], bool]:
    """The faults of a puzzle, and whether the rulebook could prove it too."""
    faults = native_faults(puzzle)
    try:
        return faults + rulebook_faults(puzzle, nodes), True
    except TooLongError:
        return faults, False


def kind_of(puzzle: Puzzle) -> str:
    """The kind of a puzzle, as a row of the table."""
    return f"{puzzle.goal.value} in {puzzle.turns} | {puzzle.variant.value}"


def report(
    released: tuple[Puzzle, ...], kinds: collections.Counter[str], small: collections.Counter[str], nodes: int
) -> str:
    """The page for docs/results."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty=, with changes", "--abbrev=40"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    themes = collections.Counter(theme.value for puzzle in released for theme in puzzle.themes)
    seeds = sorted({puzzle.source.partition(":")[0] for puzzle in released})
    rows = "".join(f"| {kind} | {kinds[kind]} | {small[kind]} |\n" for kind in sorted(kinds))
    of_themes = "".join(f"| {name} | {count} |\n" for name, count in sorted(themes.items()))
    return f"""# The puzzles, proven a second time

**All {len(released):,} puzzles are proven, and none is ambiguous.** A plain search of the core without a table, a move
order or bounds proved all of them. The Python rulebook, which shares no code with the core, also proved the
{small.total():,} whose trees have at most {nodes:,} tokens. [docs/puzzles.md](../puzzles.md) says what is proven.

- commit: `{commit}`
- command: `make prove-puzzles`
- seed of the games: {", ".join(seeds)}; the puzzles were mined with `tools/mine_puzzles.py`

| goal and turns | variant | puzzles | also proven with the rulebook |
|---|---|---:|---:|
{rows}
| theme | puzzles |
|---|---:|
{of_themes}"""


if __name__ == "__main__":
    sys.exit(main())
