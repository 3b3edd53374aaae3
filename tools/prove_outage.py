"""Tests that no player loses time during a database outage: restarts PostgreSQL while hundreds of clocks are running.

Every game must be paused exactly once, and every clock must be correct to within a second. A full run is recorded in
``docs/results/outage.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the harness

from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from harness.load.report import RESULTS, page
from harness.server.outage import OutageResult, restart_database
from harness.server.postgresql import running_postgres

ROOT: Final = Path(__file__).parents[1]
FULL: Final = 500
PROCESSES: Final = 2
WATCHED_SECONDS: Final = 30.0
"""How long to wait for a second pause, which would be a fault."""


def main() -> int:
    """Run the test. The exit code is 1 if a clock is wrong or a game was not paused exactly once."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=FULL, help="number of games with clocks (default: %(default)s)")
    options = parser.parse_args()
    began = time.monotonic()
    outcome = asyncio.run(_prove(options.games))
    for fault in outcome.faults:
        print(f"prove-outage: {fault}", file=sys.stderr)
    report = _report(outcome, time.monotonic() - began)
    print(report)
    if not outcome.faults and outcome.games >= FULL:
        path = RESULTS / "outage.md"
        path.write_text(report, encoding="utf-8")
        print(f"prove-outage: recorded in {path.relative_to(ROOT)}")
    return 1 if outcome.faults else 0


async def _prove(games: int) -> OutageResult:
    with tempfile.TemporaryDirectory() as folder, running_postgres(safe=True) as server:
        settings = Settings(
            data=Path(folder), pages=Path(folder), database=server.new_database(), limits=NO_LIMITS, public=True
        )
        return await restart_database(settings, server, games=games, processes=PROCESSES, watched=WATCHED_SECONDS)


def _report(outcome: OutageResult, seconds: float) -> str:
    """The result as a Markdown page."""
    verdict = "Some clocks are wrong." if outcome.faults else "Every game was paused once, and every clock is correct."
    figures = {
        "seed": "none, because the test makes no random choices",
        "games with clocks": f"{outcome.games}, in the memory of {PROCESSES} server processes",
        "PostgreSQL was down for": f"{outcome.away:.1f} s",
        "all games were paused after": f"{outcome.corrected:.1f} s",
        "pauses": f"{outcome.pauses} in total, counted {WATCHED_SECONDS:.0f} s later",
        "stored downtimes": outcome.downtimes,
        "largest clock error": f"{outcome.clock_error} ms",
        "time": f"{seconds:.0f} s",
    }
    command = f"python tools/prove_outage.py --games {outcome.games}"
    return page("PostgreSQL, restarted while clocks are running", verdict, command, figures, outcome.faults)


if __name__ == "__main__":
    sys.exit(main())
