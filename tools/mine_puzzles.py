"""Mines puzzles, selects a set of them, rates them, and writes the file of the package.

The same seed gives the same puzzles, on any number of machines, as long as the engine does not change. An interrupted
run continues. docs/puzzles.md describes the steps.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cairn import puzzles
from cairn.cluster import ClusterError
from cairn.puzzles import Puzzle
from cairn.puzzles.proof import native_faults
from cairn.puzzles.puzzle import FILE
from cairn.puzzles.selection import select
from cairn.puzzles.shards import MiningSettings, mine
from cairn.puzzles.trial import Trial

FOLDER: Final = Path("build/puzzles")
RATED: Final = "rated.jsonl"
PACKAGED: Final = Path(puzzles.__file__).parent / FILE
UNRATED: Final = 1500


def main() -> int:
    """Run the steps that are not done yet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: %(default)s)")
    parser.add_argument("--shards", type=int, default=80, help="number of shards (default: %(default)s)")
    parser.add_argument("--games", type=int, default=250, help="games in a shard (default: %(default)s)")
    parser.add_argument("--nodes", type=int, default=10_000, help="nodes for each decision (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes on this machine (default: %(default)s)")
    parser.add_argument("--ray", metavar="ADDRESS", help="mine on a Ray cluster instead, for example auto")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to keep the shards (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=PACKAGED, help="the file to write (default: the package's)")
    options = parser.parse_args()

    # 1. Mine. Every shard is a file.
    settings = MiningSettings(options.seed, options.games, options.nodes)
    mined: dict[int, list[Puzzle]] = {}
    try:
        for shard, found in mine(options.folder, settings, options.shards, options.jobs, options.ray):
            mined[shard] = found
            tell(f"{len(mined)} of {options.shards} shards, {sum(map(len, mined.values()))} puzzles")
    except (ClusterError, ValueError) as error:
        parser.error(str(error))

    # 2. Select, and prove what was selected a second time.
    selected = select(puzzle for shard in sorted(mined) for puzzle in mined[shard])
    for puzzle in selected:
        if faults := native_faults(puzzle):
            tell(f"{puzzle.id} is not proven: {'; '.join(faults)}")
            return 1
    show_counts(selected)

    # 3. Rate, and write the file from the easiest to the hardest puzzle.
    rated = list(rate(selected, options.folder / RATED, options.jobs))
    puzzles.write_puzzles(options.output, sorted(rated, key=lambda each: (each.rating or UNRATED, each.id)))
    tell(f"wrote {len(rated)} puzzles to {options.output}")
    return 0


def rate(selected: list[Puzzle], file: Path, jobs: int) -> Iterator[Puzzle]:
    """Rate the puzzles. The finished ones are in ``file``."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    known = {puzzle.id: puzzle for puzzle in puzzles.read_puzzles(text[: text.rfind("\n") + 1])}
    puzzles.write_puzzles(file, known.values())
    waiting = [puzzle for puzzle in selected if puzzle.id not in known]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool, file.open("a", encoding="utf-8") as out:
        for done, puzzle in enumerate(pool.map(rate_one, waiting, chunksize=4), 1):
            known[puzzle.id] = puzzle
            out.write(puzzles.line_of(puzzle))
            out.flush()
            if done % 50 == 0 or done == len(waiting):
                tell(f"{done} of {len(waiting)} rated")
    return (known[puzzle.id] for puzzle in selected)


def rate_one(puzzle: Puzzle) -> Puzzle:
    """Rate one puzzle in a worker process."""
    return Trial().rate(puzzle)


def show_counts(selected: list[Puzzle]) -> None:
    """Print how many puzzles of each kind there are."""
    kinds = collections.Counter(f"{each.goal.value} in {each.turns}, {each.variant.value}" for each in selected)
    themes = collections.Counter(theme.value for each in selected for theme in each.themes)
    for name, count in (*sorted(kinds.items()), *sorted(themes.items())):
        tell(f"{name}: {count}")
    tell(f"{len(selected)} puzzles selected and proven")


def tell(text: str) -> None:
    """Print a line of progress."""
    print(f"mine-puzzles: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
