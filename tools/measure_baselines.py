"""Measure the baselines of the benchmark, and write them to ``docs/results/benchmark.md``. Can be resumed."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from cairn.arena import display, play_here, run
from cairn.benchmark import ladder_settings, result_of, solve_all
from cairn.benchmark.ladder import LEVEL_ELOS
from cairn.benchmark.positions import VERSION, wilson
from cairn.engine import LEVELS, Limit

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "build" / "benchmark"


@dataclasses.dataclass(frozen=True, slots=True)
class Baseline:
    """An engine to measure."""

    name: str
    engine: str
    limit: Limit = dataclasses.field(default_factory=Limit)
    elo: int | None = None
    """The Elo of a level. Levels do not play here, because the scale is theirs."""

    @property
    def file_name(self) -> str:
        """A name for its files."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.name)


BASELINES: Final = (
    Baseline("random", "random"),
    Baseline("greedy, one token ahead", "greedy"),
    *(
        Baseline(f"level {level.number}", f"level:{level.number}", elo=elo)
        for level, elo in zip(LEVELS, LEVEL_ELOS, strict=True)
    ),
    *(Baseline(f"full, {nodes:,} nodes", "full,hash=16", Limit(nodes=nodes)) for nodes in (1_000, 10_000, 100_000)),
)


def main() -> int:
    """Measure what is missing, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10, help="pairs of games against each level (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="games or positions at a time (%(default)s)")
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results", help="where to write the results")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = [measure(each, options.pairs, options.jobs) for each in BASELINES]
    (options.results / "benchmark.md").write_text(page(rows, options.pairs), encoding="utf-8")
    return 0


def measure(baseline: Baseline, pairs: int, jobs: int) -> dict[str, Any]:
    """The results of a baseline. Positions are stored in a file, and games in a journal."""
    kept = FOLDER / f"{baseline.file_name}.json"
    if not kept.exists():
        found = solve_all(baseline.engine, baseline.limit, jobs)
        kept.write_text(json.dumps({"solved": sum(found.solved.values()), "kinds": found.by_kind()}), encoding="utf-8")
        print(f"{baseline.name}: {found.score:.1%} of the positions", flush=True)
    row: dict[str, Any] = {"name": baseline.name, "elo": baseline.elo, **json.loads(kept.read_text(encoding="utf-8"))}
    if baseline.elo is None:
        settings = ladder_settings(baseline.engine, baseline.limit, pairs)
        journal = FOLDER / f"{baseline.file_name}.jsonl"
        with display.progress(settings) as show:
            ladder = result_of(run(settings, journal, None, functools.partial(play_here, jobs=jobs), show))
        row |= {"elo": ladder.elo, "margin": ladder.margin, "scores": ladder.scores}
        print(f"{baseline.name}: {elo_text(row)}", flush=True)
    return row


def elo_text(row: dict[str, Any]) -> str:
    """The rating in words."""
    if "margin" not in row:
        return str(row["elo"])
    if math.isinf(row["elo"]):
        return f"{'above' if row['elo'] > 0 else 'below'} {row['margin']:.0f}"
    return f"{row['elo']:.0f} ± {row['margin']:.0f}"


def page(rows: list[dict[str, Any]], pairs: int) -> str:
    """The results as Markdown."""
    kinds = list(rows[0]["kinds"])
    table = ["| engine | solved | 95 % interval | Elo |", "|---|---:|---:|---:|"]
    by_kind = [f"| engine | {' | '.join(kinds)} |", "|---|" + "---:|" * len(kinds)]
    games = ["| engine | " + " | ".join(str(level.number) for level in LEVELS) + " |", "|---|" + "---:|" * len(LEVELS)]
    for row in rows:
        low, high = wilson(row["solved"], 1_000)
        interval = f"{100 * low:.1f} % to {100 * high:.1f} %"
        table.append(f"| {row['name']} | {row['solved'] / 10:.1f} % | {interval} | {elo_text(row)} |")
        cells = " | ".join(f"{row['kinds'][kind][0]} of {row['kinds'][kind][1]}" for kind in kinds)
        by_kind.append(f"| {row['name']} | {cells} |")
        if "scores" in row:
            games.append(
                f"| {row['name']} | " + " | ".join(f"{points:g}" for points, _ in row["scores"].values()) + " |"
            )
    return f"""# Baselines of the benchmark

Version {VERSION} of the [benchmark](../data.md#the-benchmark): 1,000 proven positions, and {2 * pairs} games against
each level. Elo is on the scale of the levels, where level 1 is 0; the levels have the Elo in [levels.md](levels.md).

- commit: `{commit()}`
- command: `python tools/measure_baselines.py --pairs {pairs}`

{chr(10).join(table)}

## Positions by goal and turns

{chr(10).join(by_kind)}

## Points against each level, in {2 * pairs} games

{chr(10).join(games)}
"""


def commit() -> str:
    """The commit of the working copy."""
    asked = ["git", "rev-parse", "HEAD"]
    return subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
