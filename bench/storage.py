"""Measure how fast the server stores game logs when concurrent appends share commits.

python bench/storage.py [--games 64] [--seconds 3] [--database URL]
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import tempfile
import time
from pathlib import Path

from cairn.server.game.events import TokenPlayed
from cairn.server.game.header import GameHeader
from cairn.server.game.log import GameProjection
from cairn.server.game.seats import Seat, Seats
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.repository import GameRepository

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


def projection(revision: int) -> GameProjection:
    now = datetime.datetime.now(datetime.UTC)
    return GameProjection(revision, now, 1, START, "forest", None, None, waits_for_computer=False)


async def measure(place: Path | str, games: int, seconds: float) -> tuple[float, float]:
    """Measure commits and appends per second while ``games`` games append as fast as they can."""
    database = await Database.open(place)
    repository = GameRepository(database)
    seats = Seats(forest=Seat(kind="person"), sea=Seat(kind="person"))
    try:
        names = [f"bench{time.time_ns()}-{number}" for number in range(games)]
        for name in names:
            header = GameHeader(name, datetime.datetime.now(datetime.UTC), None, START, seats, bytes(32))
            await repository.create(header, [], projection(0))
        end = time.monotonic() + seconds

        async def play(name: str) -> None:
            revision = 0
            while time.monotonic() < end:
                revision += 1
                await repository.append(name, revision, [TokenPlayed("a1-a2")], projection(revision))

        began = time.monotonic()
        await asyncio.gather(*map(play, names))
        took = time.monotonic() - began
        counts = database.commits.counts
        return counts.commits / took, counts.appends / took
    finally:
        await database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--database", help="database URL (default: SQLite in a new file)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for games in (1, options.games):
            place = options.database or Path(folder) / f"{games}.db"
            commits, appends = asyncio.run(measure(place, games, options.seconds))
            print(f"{games:4} concurrent games: {commits:7.0f} commits/s, {appends:7.0f} appends/s")


if __name__ == "__main__":
    main()
