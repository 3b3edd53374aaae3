"""Tests the review on many games between levels: sums, luck, claims and retries.

Every reviewed game is a line in the journal, so the test can be interrupted and resumed. A run of 1,000 games or more
is recorded in ``docs/results/review.md``. See docs/review.md.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
FULL: Final = 1_000
MOST_MEDIAN: Final = 10_000
LEAST_SHARE: Final = 0.8
NORMAL_95: Final = 1.96


def main() -> int:
    """Review the games. The exit code is 0 if everything holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=FULL, help="number of games (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: %(default)s)")
    parser.add_argument("--journal", type=Path, default=ROOT / "build" / "review.jsonl")
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.games)
    rows = reviewed(seeds, options.journal, options.jobs)
    facts = summary(rows)
    print(json.dumps(facts, indent=2))
    if options.games >= FULL:
        record(facts, options)
    problems = list(failures(facts))
    for problem in problems:
        print(f"prove-review: {problem}", file=sys.stderr)
    return 1 if problems else 0


def reviewed(seeds: range, journal: Path, jobs: int) -> list[dict[str, Any]]:
    """The facts about each game, from the journal or from a new review."""
    journal.parent.mkdir(parents=True, exist_ok=True)
    build = fingerprint()
    rows: dict[int, dict[str, Any]] = {}
    if journal.exists():
        for line in journal.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["build"] == build and row["seed"] in seeds:
                rows[row["seed"]] = row
    missing = [seed for seed in seeds if seed not in rows]
    with journal.open("a", encoding="utf-8") as file, concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for row in pool.map(examine, missing):
            rows[row["seed"]] = row | {"build": build}
            file.write(json.dumps(rows[row["seed"]]) + "\n")
            file.flush()
            if len(rows) % 50 == 0:
                print(f"prove-review: {len(rows)} of {len(seeds)} games", flush=True)
    return [rows[seed] for seed in seeds]


def fingerprint() -> str:
    """Identifies how this build plays and reviews, by one short game."""
    import hashlib

    return hashlib.sha256(json.dumps(examine(2)).encode()).hexdigest()[:16]


def examine(seed: int) -> dict[str, Any]:
    """Play and review a game, and check its sums, claims and retries."""
    from cairn.engine.review import Judgement, Reviewer
    from harness.reviews import claim_faults, ledger_faults, played_game

    game = played_game(seed)
    reviewer = Reviewer(game)
    review = reviewer.run()
    mistakes = [each for each in review.decisions if each.loss >= Judgement.MISTAKE.least_loss]
    disagreed = 0
    for each in mistakes:
        again, better = reviewer.retry(each.index, each.token), reviewer.retry(each.index, each.better[0])
        disagreed += (again.loss, again.good, better.loss, better.good) != (each.loss, False, 0, True)
    claims = [each for each in review.decisions if each.claim]
    return {
        "seed": seed,
        "tokens": len(game.tokens),
        "faults": list(ledger_faults(game, review)),
        "search": review.search,
        "search_steps": [abs(each.search) for each in review.draws],
        "lucks": [each.luck for each in review.draws],
        "mistakes": len(mistakes),
        "explained": sum(each.claim is not None for each in mistakes),
        "disagreed": disagreed,
        "claims": len(claims),
        "false_claims": [f"{each.index}: {fault}" for each in claims for fault in claim_faults(game, each)],
    }


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The facts about all games together."""
    lucks = [luck for row in rows for luck in row["lucks"]]
    searches = [abs(row["search"]) for row in rows]
    mistakes = sum(row["mistakes"] for row in rows)
    return {
        "games": len(rows),
        "tokens": sum(row["tokens"] for row in rows),
        "faults": sum(len(row["faults"]) for row in rows),
        "search_median": statistics.median(searches),
        "search_mean": round(statistics.mean(searches)),
        "search_largest": max(searches),
        "games_with_search_term": sum(search > 0 for search in searches),
        "draws": len(lucks),
        "luck_mean": round(statistics.mean(lucks), 1),
        "luck_margin": round(NORMAL_95 * statistics.stdev(lucks) / len(lucks) ** 0.5, 1),
        "luck_deviation": round(statistics.stdev(lucks)),
        "mistakes": mistakes,
        "explained": sum(row["explained"] for row in rows),
        "explained_share": round(sum(row["explained"] for row in rows) / max(1, mistakes), 4),
        "claims": sum(row["claims"] for row in rows),
        "false_claims": sum(bool(row["false_claims"]) for row in rows),
        "retries_disagreed": sum(row["disagreed"] for row in rows),
    }


def failures(facts: dict[str, Any]) -> list[str]:
    """What does not meet its target."""
    targets = [
        (facts["faults"] == 0, "a sum is not exact"),
        (facts["search_median"] < MOST_MEDIAN, "the median search term is too large"),
        (abs(facts["luck_mean"]) <= facts["luck_margin"], "the mean luck is not zero"),
        (facts["false_claims"] == 0, "a claim does not hold"),
        (facts["explained_share"] >= LEAST_SHARE, "too few mistakes are explained"),
        (facts["retries_disagreed"] == 0, "a retry disagrees with the review"),
    ]
    return [text for holds, text in targets if not holds]


def record(facts: dict[str, Any], options: argparse.Namespace) -> None:
    """Write the results with the commit and the command."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()
    f = facts
    text = f"""# Reviews of {f["games"]:,} games

Measured at commit {commit} with `make prove-review`
(`tools/prove_review.py --games {options.games} --seed {options.seed}`). The games are between random levels, in all
variants; every tenth ends by a resignation or an agreement after half of its tokens. Values are millionths of a game.
[review.md](../review.md) defines the terms.

| | found | target |
|---|---|---|
| games, tokens | {f["games"]:,}, {f["tokens"]:,} | |
| sums that are not exact | {f["faults"]} | 0 |
| search term of a game: median of its size | {f["search_median"]:,.0f} | below 10,000 |
| search term of a game: mean, largest | {f["search_mean"]:,}, {f["search_largest"]:,} | |
| games with a search term other than 0 | {f["games_with_search_term"]:,} | |
| draws | {f["draws"]:,} | |
| mean luck of a draw, with its 95 % interval | {f["luck_mean"]:,} ± {f["luck_margin"]:,} | 0 in the interval |
| standard deviation of the luck of a draw | {f["luck_deviation"]:,} | |
| mistakes and blunders | {f["mistakes"]:,} | |
| of these with a sentence | {f["explained"]:,} ({f["explained_share"]:.1%}) | 80 % |
| sentences checked by replay (also of inaccuracies) | {f["claims"]:,} | |
| sentences that do not hold | {f["false_claims"]} | 0 |
| mistakes on which retry and review disagree | {f["retries_disagreed"]} | 0 |
"""
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "review.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
