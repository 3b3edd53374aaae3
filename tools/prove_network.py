"""Measures what the network and the changes to the search gained over the version without a network.

The old version is compiled from the last commit without the network. Games can be interrupted at any token: run the
same command again to resume. ``--build`` compiles both versions; after that, matches need only Python's standard
library and the folder ``build/prove-network``, so that they can be played on another machine:

    python3 tools/prove_network.py --parts a --jobs 16 --seconds 540 --journal OUT/a1.jsonl --merge a0.jsonl

Without ``--parts``, the tool plays nothing. It reports all journals and writes ``docs/results/network.md``.
"""

from __future__ import annotations

import argparse
import pathlib
import random
import sys
import time
from typing import Final

ROOT: Final = pathlib.Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

from network_match import Journal, Match, Side, play  # noqa: E402
from versions import FOLDER, HAND_MADE, NEW, OLD, OLD_COMMIT, Player, versions  # noqa: E402

SPEED: Final = "d"
SPEED_ROUNDS: Final = 15
SPEED_NODES: Final = 1_000_000
SPEED_MATCH: Final = Match(SPEED, "nodes per second", Side(NEW, 0), Side(HAND_MADE, 0), 2)
RESULTS: Final = ROOT / "docs" / "results"


def matches() -> list[Match]:
    """All matches. Scores are those of the side named first."""
    return [
        Match("a", "new, 1 s, against old, 1 s", Side(NEW, 1000), Side(OLD, 1000), 800),
        Match("b", "old, 1 s, against old, 0.25 s", Side(OLD, 1000), Side(OLD, 250), 400),
        Match("c", "new, 0.25 s, against old, 1 s", Side(NEW, 250), Side(OLD, 1000), 400),
        Match("e", "new, two threads, against one, 0.1 s", Side(NEW, 100, 2), Side(NEW, 100), 1000),
    ]


def measure_speed(rounds: int, seed: int) -> list[list[float]]:
    """Nodes per second with the network and with the hand-made evaluation, alternating, on the same positions."""
    players = [Player(kind, 64, 1) for kind in (NEW, HAND_MADE)]
    rates = []
    for number in range(rounds):
        chance = random.Random(f"{seed}:speed:{number}")
        variant = number % 3
        order = players[0].tiles(variant)
        chance.shuffle(order)
        for player in players:
            player.deal(variant, order, number % 16, number % 2)
        for _ in range(chance.randrange(12)):  # so that not only starts are searched
            code = chance.choice(players[0].legal)
            for player in players:
                player.push(code)
        while players[0].state == 2:
            for player in players:
                player.push(player.legal[0])
        if players[0].state > 1:
            continue
        pair = []
        for player in players:
            began = time.process_time()
            nodes = player.go(nodes=SPEED_NODES)[2]
            pair.append(nodes / (time.process_time() - began))
        rates.append(pair)
    return rates


def main() -> int:
    """Build, play or report. The exit code is 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--build", action="store_true", help="only compile both versions")
    parser.add_argument("--parts", default="", help="parts to run, such as a,b; d measures the speed")
    parser.add_argument("--jobs", type=int, default=2, help="threads that play in parallel (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this many seconds, also within games")
    parser.add_argument("--seed", type=int, default=1, help="seed for starts and draws (default: %(default)s)")
    parser.add_argument("--games", type=int, help="maximum games per match; makes this a trial, which is not recorded")
    parser.add_argument("--journal", type=pathlib.Path, default=FOLDER / "games.jsonl", help="where to add games")
    parser.add_argument("--merge", type=pathlib.Path, nargs="*", default=[], help="journals of other runs")
    options = parser.parse_args()
    deadline = time.time() + options.seconds
    parts = set(options.parts.replace(",", ""))
    if not parts <= {SPEED, *(match.part for match in matches())}:
        parser.error(f"--parts: unknown part in {options.parts!r}")

    for version in versions().values():
        version.build()
    if options.build:
        return 0
    journal = Journal(options.journal, options.merge, options.seed)
    if parts:
        run(parts, journal, options, deadline)
        return 0
    return report(journal, options)


def run(parts: set[str], journal: Journal, options: argparse.Namespace, deadline: float) -> None:
    """Run what is missing in these parts, until the deadline."""
    if SPEED in parts and journal.find(SPEED_MATCH, 0) is None:
        journal.add(SPEED_MATCH, 0, {"tokens": [], "rates": measure_speed(SPEED_ROUNDS, options.seed)})
    for match in matches():
        games = min(match.games, options.games or match.games)
        if match.part in parts and time.time() < deadline:
            play(match, journal, games, options.jobs, deadline)
        scores = journal.scores(match, games)
        print(f"prove-network: {match.name}: {2 * sum(scores):g} points in {2 * len(scores)} games")


def report(journal: Journal, options: argparse.Namespace) -> int:
    """Print the results, and record them unless this is a trial. Returns 1 if a target was missed."""
    import network_report

    findings = network_report.findings(matches(), journal, options.games)
    if measured := journal.find(SPEED_MATCH, 0):
        findings.append(network_report.speed_finding(measured["rates"]))
    print(network_report.table(findings))
    if options.games is None:
        network_report.record(findings, RESULTS, options.seed, OLD_COMMIT)
        print("prove-network: recorded in docs/results/network.md")
    return 0 if all(each.is_met is not False for each in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
