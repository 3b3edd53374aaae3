"""Proves that ``kill -9`` loses nothing: a real server is killed a hundred times in the middle of play.

After every kill it is started again, and every game has to stand where it was last acknowledged, or one step further if
the kill cut an answer off. A full proof is recorded in ``docs/results/kills.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the players are a part of the tests

if TYPE_CHECKING:
    from tests.server.kills import Tally

FULL: Final = 100


def main() -> int:
    """0 when nothing was lost, 1 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=FULL, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices (default: %(default)s)")
    options = parser.parse_args()

    from tests.server.kills import kill_often

    from cairn.server.settings import Settings

    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder) / "data", pages=Path(folder))
        tally = asyncio.run(kill_often(settings, options.kills, options.seed))
    for line in tally.lost:
        print(f"prove-kills: {line}", file=sys.stderr)
    report = told(tally, options.seed, time.monotonic() - began)
    print(report)
    if tally.lost:
        return 1
    if tally.kills >= FULL:
        (ROOT / "docs" / "results" / "kills.md").write_text(report, encoding="utf-8")
        print("prove-kills: recorded in docs/results/kills.md")
    return 0


def told(tally: Tally, seed: int, seconds: float) -> str:
    """The result as a page."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    verdict = "nothing acknowledged was lost" if not tally.lost else f"{len(tally.lost)} losses"
    return f"""# The server, killed during play

**{tally.kills} times `kill -9`, {tally.acknowledged:,} acknowledged changes: {verdict}.** After every kill each game
stood where it was last acknowledged, or one change further where the kill cut an answer off, and was played on.

- commit: `{commit.strip()}`
- command: `python tools/prove_kills.py --kills {tally.kills} --seed {seed}`
- games begun: {tally.games}, of which finished: {tally.finished}
- changes whose answer was cut off: {tally.uncertain}, of which made: {tally.kept}
- the database in the end: whole, no log with a gap
- time: {seconds:.0f} s; four players, one of them against the computer; each server lived for 1 to 16 changes
"""


if __name__ == "__main__":
    sys.exit(main())
