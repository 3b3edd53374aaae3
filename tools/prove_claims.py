"""Checks that the search proves nothing false: every win that it claims within three turns, by brute force.

Random moments of all kinds are searched at full strength, with the network, on tables that keep the entries of earlier
and interrupted searches. A claim that brute force cannot settle within its node limit is counted as open. Finished
chunks are lines in ``build/claims.jsonl``, so that an interrupted run can be resumed; chunks of other builds do not
count. A full run is recorded in ``docs/results/claims.md``.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import datetime
import hashlib
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from cairn import Game, _native
from cairn.engine.network import RELEASED, open_network
from cairn.engine.score import Score
from cairn.vocabulary import TRIBES, Phase

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for the harness

from harness.positions import KINDS, text_of  # noqa: E402

JOURNAL: Final = ROOT / "build" / "claims.jsonl"
POSITIONS: Final = 100_000
CHUNK: Final = 500
TURNS: Final = 3
MOST_TOKENS: Final = 12
SEARCHED_NODES: Final = (300, 2_000, 20_000, 100_000)
CHECKED_NODES: Final = 5_000_000


def check_chunk(seed: int, number: int) -> dict[str, Any]:
    """Search the moments of one chunk and check the claims. The same seed and number give the same moments."""
    rng = random.Random(f"claims {seed} {number}")
    engine = _native.Engine(16, 1, open_network(RELEASED))
    counts: collections.Counter[str] = collections.Counter()
    false: list[str] = []
    while counts["positions"] < CHUNK:
        game = Game(text_of(KINDS[rng.choice(list(KINDS))](rng)))
        for _ in range(rng.randrange(MOST_TOKENS)):
            if game.outcome is None:
                game.push(rng.choice(game.legal_moves))
        if game.outcome is not None or game.phase is Phase.DRAW:
            continue
        counts["positions"] += 1
        engine.arm()
        score = Score(engine.search(game.board, rng.choice(SEARCHED_NODES), 0, 1, 0, 0, None)[0][0])
        if score.turns is None:
            continue
        counts["claims"] += 1
        if score.turns > TURNS:
            continue
        counts["checked"] += 1
        decider = game.board.decider_number
        winner = decider if score.is_win else 1 - decider
        verdict = _native.core.wins_exhaustively(game.board, winner, score.turns, CHECKED_NODES)
        counts["right" if verdict else "open" if verdict is None else "false"] += 1
        if verdict is False:
            false.append(f"{game.start_text} {' '.join(map(str, game.tokens))}: {TRIBES[winner].value} {score}")
    return {**counts, "examples": false}


def fingerprint(seed: int) -> str:
    """A hash of the core, the network and this tool."""
    files = [Path(str(_native.core.__file__)), ROOT / "src/cairn/engine/network.bin", Path(__file__)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files) + str(seed).encode()).hexdigest()[:16]


def main() -> int:
    """Check all chunks that are missing. The exit code is 1 if a claim is false."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=POSITIONS, help="moments to search (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed for the moments (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no further chunk after this time")
    options = parser.parse_args()
    mark, deadline = fingerprint(options.seed), time.monotonic() + options.seconds
    lines = JOURNAL.read_text(encoding="utf-8").splitlines() if JOURNAL.exists() else []
    entries = [json.loads(line) for line in lines if line.endswith("}")]
    done = {entry["chunk"]: entry for entry in entries if entry["fingerprint"] == mark}
    chunks = range(-(-options.positions // CHUNK))
    missing = iter([number for number in chunks if number not in done])
    JOURNAL.parent.mkdir(exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool, JOURNAL.open("a", encoding="utf-8") as journal:
        running: dict[concurrent.futures.Future[dict[str, Any]], int] = {}
        while True:
            while len(running) < options.jobs and time.monotonic() < deadline:
                number = next(missing, None)
                if number is None:
                    break
                running[pool.submit(check_chunk, options.seed, number)] = number
            if not running:
                break
            finished, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for each in finished:
                number = running.pop(each)
                done[number] = {"chunk": number, "fingerprint": mark, **each.result()}
                journal.write(json.dumps(done[number]) + "\n")
                journal.flush()
    return report([done[number] for number in chunks if number in done], options)


def report(found: list[dict[str, Any]], options: argparse.Namespace) -> int:
    """Print the counts, and record a full run."""
    keys = ("positions", "claims", "checked", "right", "open", "false")
    counts = {key: sum(int(entry.get(key, 0)) for entry in found) for key in keys}
    for entry in found:
        for example in entry["examples"]:
            print(f"prove-claims: false: {example}")
    line = (
        f"{counts['positions']:,} random moments: {counts['claims']:,} proven wins and losses, {counts['checked']:,} "
        f"of them within {TURNS} turns; by brute force {counts['right']:,} right, {counts['false']:,} false, "
        f"{counts['open']:,} not settled within {CHECKED_NODES:,} nodes"
    )
    print(f"prove-claims: {line}")
    if counts["positions"] >= POSITIONS:
        command = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=40", "--dirty"]
        commit = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        date = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        text = f"# Claims of the search\n\n- commit: {commit}\n- command: make prove-claims\n- seed: {options.seed}\n"
        (ROOT / "docs/results/claims.md").write_text(f"{text}- date: {date}\n\n{line}.\n", encoding="utf-8")
    return 1 if counts["false"] else 0


if __name__ == "__main__":
    sys.exit(main())
