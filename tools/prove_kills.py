"""Tests that ``kill -9`` does not lose acknowledged changes, by killing a real server repeatedly in the middle of play.

After every kill, the server is restarted. Every game must then be in its last acknowledged state, or one change further
if the kill cut off a response. ``--database postgresql`` starts and uses a PostgreSQL server. ``--of-database``
kills PostgreSQL instead, while the server keeps running. Full runs are recorded in ``docs/results``.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the harness

from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from harness.server.kills import Tally, kill_database_often, kill_often
from harness.server.postgresql import running_postgres

ROOT: Final = Path(__file__).parents[1]
FULL: Final = 200
FULL_OF_DATABASE: Final = 20


def main() -> int:
    """Run the test. The exit code is 1 if a change was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--kills", type=int, help=f"number of kills (default: {FULL}, or {FULL_OF_DATABASE} with --of-database)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed for all random choices (default: %(default)s)")
    parser.add_argument(
        "--database", choices=["sqlite", "postgresql"], default="sqlite", help="database to use (default: %(default)s)"
    )
    parser.add_argument("--of-database", action="store_true", help="kill PostgreSQL instead of the server")
    options = parser.parse_args()
    full = FULL_OF_DATABASE if options.of_database else FULL
    kills = options.kills or full

    began = time.monotonic()
    tally = asyncio.run(_prove(options.database, options.of_database, kills, options.seed))
    for line in tally.lost:
        print(f"prove-kills: {line}", file=sys.stderr)
    report = told(tally, options, time.monotonic() - began)
    print(report)
    if tally.lost:
        return 1
    if tally.kills >= full:
        kind = "-of-postgresql" if options.of_database else "-postgresql" if options.database == "postgresql" else ""
        path = ROOT / "docs" / "results" / f"kills{kind}.md"
        path.write_text(report, encoding="utf-8")
        print(f"prove-kills: recorded in {path.relative_to(ROOT)}")
    return 0


async def _prove(database: str, of_database: bool, kills: int, seed: int) -> Tally:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        settings = Settings(data=folder / "data", pages=folder, limits=NO_LIMITS)
        if database == "sqlite" and not of_database:
            return await kill_often(settings, kills, seed)
        server = stack.enter_context(running_postgres(safe=True))
        settings = dataclasses.replace(settings, database=server.new_database())
        if of_database:
            return await kill_database_often(settings, server, kills, seed)
        return await kill_often(settings, kills, seed)


def told(tally: Tally, options: argparse.Namespace, seconds: float) -> str:
    """The result as a Markdown page."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    verdict = "none was lost" if not tally.lost else f"{len(tally.lost)} losses"
    command = f"python tools/prove_kills.py --kills {tally.kills} --seed {options.seed}"
    title, players = "The server, killed during play", "four players, one of them against the computer"
    if options.of_database:
        title, players = "PostgreSQL, killed during play", "four players on one server, which kept running"
        command += " --of-database"
        players += f"; at most {tally.slowest:.1f} s from the restart until all players could continue"
    elif options.database == "postgresql":
        title += ", on PostgreSQL"
        command += " --database postgresql"
    return f"""# {title}

**`kill -9` {tally.kills} times, {tally.acknowledged:,} acknowledged changes: {verdict}.** After every kill each game
was in its last acknowledged state, or one change further if the kill cut off a response, and play continued.

- commit: `{commit.strip()}`
- command: `{command}`
- games started: {tally.games}, of which finished: {tally.finished}
- changes whose response was cut off: {tally.uncertain}, of which stored: {tally.kept}
- the database at the end: intact, no log with a gap
- time: {seconds:.0f} s; {players}; 1 to 16 changes between kills
"""


if __name__ == "__main__":
    sys.exit(main())
