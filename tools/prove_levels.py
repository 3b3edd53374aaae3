"""Tests that each level is stronger than the one below, by fitting one Elo scale to games between nearby levels.

Each level plays the next two levels above it, on paired starts with sides swapped. Every finished game is a line in the
journal, so the test can be interrupted, resumed, and moved to another machine. It needs only the ``cairn`` package. A
run of 2,000 games or more is recorded in ``docs/results/``. See docs/arena.md.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cairn.arena import ArenaSettings, Standings

ROOT: Final = Path(__file__).parents[1]
FULL: Final = 2_000
NEIGHBOURS: Final = 2
"""How many of the next higher levels each level plays against."""
SAMPLES: Final = 3


def main() -> int:
    """Run the test. The exit code is 0 if every level is stronger than the one below with 95% confidence."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games-per-pairing", type=int, default=120, help="an even number (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed for all random choices (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes (default: %(default)s)")
    parser.add_argument(
        "--journal",
        type=Path,
        default=ROOT / "build" / "levels.jsonl",
        help="journal of finished games (default: %(default)s)",
    )
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results", help="folder for the results")
    options = parser.parse_args()

    from cairn.arena import ArenaError, display, play_here, run, sentences

    try:
        settings = settings_for(options.games_per_pairing, options.seed)
        pool = functools.partial(play_here, jobs=options.jobs)
        with display.progress(settings) as show:
            standings = run(settings, options.journal, options.journal.with_suffix(".cairn"), pool, show)
    except ArenaError as error:
        print(f"prove-levels: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("prove-levels: stopped; run the same command again to continue", file=sys.stderr)
        return 130
    print(sentences.summary(standings))
    if settings.games >= FULL:
        record(standings, options)
    unproved = [number for number, (elo, margin) in steps(standings).items() if elo <= margin]
    for number in unproved:
        print(f"prove-levels: level {number} is not proven stronger than level {number - 1}", file=sys.stderr)
    return 1 if unproved else 0


def settings_for(games_per_pairing: int, seed: int) -> ArenaSettings:
    """The arena settings: every level plays the next levels above it."""
    from cairn.arena import ArenaSettings
    from cairn.arena.settings import pairs_for
    from cairn.engine import LEVELS, Limit

    levels = range(len(LEVELS))
    return ArenaSettings(
        players=tuple(f"level:{level.number}" for level in LEVELS),
        limit=Limit(),
        seed=seed,
        pairs=pairs_for(None, games_per_pairing),
        pairings=tuple((low, high) for low in levels for high in levels if low < high <= low + NEIGHBOURS),
        build=fingerprint(),
    )


def fingerprint() -> str:
    """A hash of the tokens that the levels play at a few moments. It changes only if a level plays differently."""
    from cairn.arena.start import start
    from cairn.engine import LEVELS, Limit, open_engine

    played = hashlib.sha256()
    for level in LEVELS:
        with open_engine(f"level:{level.number},seed=1") as engine:
            for pair in range(SAMPLES):
                # After nine tokens, hardly any tile has been drawn. If a draw comes next, use the moment before it.
                game = start(1, pair, opening_plies=9)
                if not game.outcome and game.phase.value == "draw":
                    game.pop()
                played.update(f"{engine.play(game, Limit()).token} ".encode())
    return played.hexdigest()[:16]


def steps(standings: Standings) -> dict[int, tuple[float, float]]:
    """The Elo gain of each level over the one below, with half the width of its 95% interval."""
    scale = standings.scale()
    return {player + 1: scale.difference(player, player - 1) for player in range(1, len(scale.elos))}


def record(standings: Standings, options: argparse.Namespace) -> None:
    """Write the results with the commit and the command."""
    data = facts(standings, options)
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "levels.json").write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    (options.results / "levels.md").write_text(page(data), encoding="utf-8")
    print(f"prove-levels: recorded in {options.results / 'levels.md'}")


def facts(standings: Standings, options: argparse.Namespace) -> dict[str, Any]:
    """The results, and the command that reproduces them, as plain data."""
    from cairn.engine import LEVELS

    scale, above = standings.scale(), steps(standings)
    lowest = scale.elos[0]
    levels = []
    for player, level in enumerate(LEVELS):
        games, points = standings.totals(player)
        elo, margin = above.get(level.number, (None, None))
        levels.append(
            {
                "level": level.number,
                "name": level.name,
                "elo": round(scale.elos[player] - lowest, 1),
                "margin": round(scale.margin(player), 1),
                "games": games,
                "points": points,
                "step": None if elo is None else round(elo, 1),
                "step_margin": None if margin is None else round(margin, 1),
            }
        )
    pairings = [
        {
            "levels": [first + 1, second + 1],
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "pairs": score.pentanomial,
        }
        for (first, second), score in standings.scores.items()
    ]
    return {
        "commit": commit(),
        "command": f"make prove-levels  # tools/prove_levels.py --games-per-pairing {options.games_per_pairing} "
        f"--seed {options.seed}",
        "seed": options.seed,
        "fingerprint": standings.settings.build,
        "games": standings.games,
        "faults": sum(standings.forfeits.values()),
        "levels": levels,
        "pairings": pairings,
    }


def page(data: dict[str, Any]) -> str:
    """The facts as a Markdown page."""
    proved = all(level["step"] > level["step_margin"] for level in data["levels"][1:])
    verdict = "Each level is stronger than the one below" if proved else "Not every level is proven stronger"
    lines = [
        "# The levels on one Elo scale",
        "",
        f"**{verdict}, with 95% confidence, after {data['games']:,} games.** Each level played the next two above it",
        "on paired starts (the same deal, the same draws, sides swapped) in all three variants. One logistic scale was",
        "fitted to all games (docs/arena.md), with level 1 at zero. The interval of a step is the interval of the",
        "difference between the two levels.",
        "",
        f"- commit: `{data['commit']}`",
        f"- command: `{data['command']}`",
        f"- seed: {data['seed']}",
        f"- fingerprint of the levels: `{data['fingerprint']}`",
        f"- games forfeited by a crash, an illegal token or a timeout: {data['faults']}",
        "",
        "| level | name | Elo | ± | above the one below | ± | games | score |",
        "|---:|---|---:|---:|---:|---:|---:|---:|",
    ]
    for level in data["levels"]:
        step = "" if level["step"] is None else f"{level['step']:+.0f}"
        margin = "" if level["step_margin"] is None else f"{level['step_margin']:.0f}"
        share = f"{level['points'] / level['games']:.1%}" if level["games"] else ""
        numbers = f"{level['elo']:.0f} | {level['margin']:.0f} | {step} | {margin} | {level['games']:,} | {share}"
        lines.append(f"| {level['level']} | {level['name']} | {numbers} |")
    lines += [
        "",
        "## Pairings",
        "",
        "Results are from the lower level's point of view. The last column counts the pairs of games by the lower",
        "level's points in both games: 0, ½, 1, 1½, 2.",
        "",
        "| levels | won | drawn | lost | pairs |",
        "|---|---:|---:|---:|---|",
    ]
    for pairing in data["pairings"]:
        low, high = pairing["levels"]
        counts = f"{pairing['wins']} | {pairing['draws']} | {pairing['losses']} | {pairing['pairs']}"
        lines.append(f"| {low} against {high} | {counts} |")
    return "\n".join(lines) + "\n"


def commit() -> str:
    """The commit that is checked out, with a note if the source code of the levels has uncommitted changes."""
    changed = _git("status", "--porcelain", "--", "src", "native")
    return _git("rev-parse", "HEAD") + (" with changes" if changed not in ("", "unknown") else "")


def _git(*arguments: str) -> str:
    try:
        answer = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return answer.stdout.strip() if answer.returncode == 0 else "unknown"


if __name__ == "__main__":
    sys.exit(main())
