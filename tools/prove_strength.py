"""Measures the search: its strength against random play, UCT and OpenSpiel, its speed, and how late its answers are.

Every finished game is a line in ``build/strength.jsonl``, so that an interrupted run can be resumed. Lines from other
builds or with other opponents are ignored. Full runs are recorded in ``docs/results/``. See docs/strength.md.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

ROOT: Final = Path(__file__).parents[1]
BENCH: Final = ROOT / "bench"
sys.path.insert(0, str(BENCH))  # for the players and the measurements

if TYPE_CHECKING:
    from match import Match

BUILD: Final = ROOT / "build"
PARTS: Final = "abcdef"
OPPONENTS: Final = ("uct.cpp", "openspiel_mcts.py", "match.py")
ROUNDS: Final = 15
LATENESS_MOVES: Final = 500
LATENESS_MILLISECONDS: Final = 100
SECONDS_BETWEEN_LINES: Final = 20.0


def matches() -> dict[str, list[Match]]:
    """The matches of each part. Scores are those of the player named first."""
    from match import Match

    return {
        "a": [Match("a: random play, 0.1 s", "full", "random", 100, 400)],
        "b": [
            Match("b: textbook UCT, both 0.2 s", "full", "uct", 200, 200),
            Match("b: textbook UCT, both 1 s", "full", "uct", 1000, 40),
        ],
        "c": [Match("c: OpenSpiel's MCTS with 300 simulations, 0.1 s", "full", "openspiel-300", 100, 40)],
        "e": [Match("e: two threads against one, both 0.1 s", "full-2", "full-1", 100, 100)],
    }


class Journal:
    """Finished games and measurements: one JSON object per line, append-only."""

    def __init__(self, path: Path, fingerprint: str, seed: int) -> None:
        self.path = path
        self.stamp: Final = {"fingerprint": fingerprint, "seed": seed}
        self.entries: dict[tuple[str, int], dict[str, Any]] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # the last line of a run that was killed
            if self.stamp.items() <= entry.items():
                self.entries[entry["what"], entry["number"]] = entry

    def finish(self, what: str, number: int, result: dict[str, Any]) -> None:
        """Store the result."""
        entry = {"what": what, "number": number, **self.stamp, **result}
        self.entries[what, number] = entry
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def results(self, what: str, count: int) -> list[dict[str, Any]]:
        """The results recorded so far for numbers below ``count``."""
        return [self.entries[what, number] for number in range(count) if (what, number) in self.entries]


def play(match: Match, journal: Journal, games: int, jobs: int, seed: int) -> None:
    """Play the games that are not in the journal yet."""
    missing = [number for number in range(games) if (match.name, number) not in journal.entries]
    if not missing:
        return
    last_line = time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(play_one, match, number, seed): number for number in missing}
        try:
            for finished in concurrent.futures.as_completed(running):
                journal.finish(match.name, running[finished], finished.result())
                if time.monotonic() - last_line >= SECONDS_BETWEEN_LINES:
                    last_line = time.monotonic()
                    done = journal.results(match.name, games)
                    score = sum(each["score"] for each in done)
                    print(f"prove-strength: {match.name}: {score:g} of {len(done)}", flush=True)
        finally:
            pool.shutdown(cancel_futures=True)


def play_one(match: Match, number: int, seed: int) -> dict[str, Any]:
    """Play one game, in a separate process."""
    return match.play(number, seed, BUILD / "strength" / "uct")


def measurement_name(part: str, options: argparse.Namespace) -> str:
    """The key of a measurement in the journal."""
    return f"{part} of {options.moves if part == 'f' else options.rounds}"


def run(parts: str, journal: Journal, options: argparse.Namespace) -> None:
    """Run everything that is missing in these parts. Measurements of speed and time run one at a time."""
    import clock

    rounds, moves, seed = options.rounds, options.moves, options.seed
    measurements: dict[str, Callable[[], object]] = {
        "d": lambda: clock.search_and_playouts(rounds, seed),
        "e": lambda: clock.second_thread(rounds, seed),
        "f": lambda: clock.lateness(moves, LATENESS_MILLISECONDS, seed),
    }
    for part in parts:
        what = measurement_name(part, options)
        if part in measurements and (what, 0) not in journal.entries:
            journal.finish(what, 0, {"measured": measurements[part]()})
        for match in matches().get(part, []):
            games = min(match.games, options.games or match.games)
            jobs = max(1, options.jobs // 2) if part == "e" else options.jobs  # a game of part e uses two threads
            play(match, journal, games, jobs, seed)


def fingerprint() -> str:
    """A hash of the core build, the opponents and the code that plays the games."""
    from cairn._native import core

    files = [Path(str(core.__file__)), *(BENCH / name for name in OPPONENTS)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def main() -> int:
    """Run the chosen parts. The exit code is 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--parts", default=",".join(PARTS), help="parts to run, such as a,b (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="parallel games in parts a, b and c (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed for starts and players (default: %(default)s)")
    parser.add_argument("--games", type=int, help="maximum games per match; makes this a trial, which is not recorded")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds in parts d and e (default: %(default)s)")
    parser.add_argument("--moves", type=int, default=LATENESS_MOVES, help="moves in part f (default: %(default)s)")
    options = parser.parse_args()
    parts = options.parts.replace(",", "")
    if not parts or not set(parts) <= set(PARTS):
        parser.error(f"--parts: expected some of {','.join(PARTS)}, not {options.parts!r}")

    import strength_report
    import uct

    if "b" in parts:
        uct.build(BUILD / "strength")
    trial = options.games is not None or options.rounds < ROUNDS or options.moves < LATENESS_MOVES
    journal = Journal(BUILD / ("strength-trial.jsonl" if trial else "strength.jsonl"), fingerprint(), options.seed)
    run(parts, journal, options)

    # A trial reports its own games; a full run reports and records the whole journal.
    findings = strength_report.Findings()
    for part in parts if trial else PARTS:
        for match in matches().get(part, []):
            games = min(match.games, options.games or match.games)
            findings.add_match(part, match, journal.results(match.name, games), games)
        if entry := journal.entries.get((measurement_name(part, options), 0)):
            findings.add_measurement(part, entry["measured"])
    print(findings.text())
    if not trial:
        command = "make prove-strength  # tools/prove_strength.py --seed " + str(options.seed)
        strength_report.record(findings, ROOT, command, options.seed)
        print("prove-strength: recorded in docs/results/strength.md")
    return 0 if all(each.is_met is not False for each in findings.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
