"""Restarts PostgreSQL while many game clocks are running, and compares the clocks before and after."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import time
from collections.abc import Mapping
from typing import Any, Final

from cairn.server.settings import Settings
from harness.server.postgresql import PostgresServer, rows_of
from harness.server.processes import Process
from harness.server.visitors import Visitor, begun

CLOCK: Final = {"kind": "real-time", "initial": 3_600_000, "increment": 0}
AT_ONCE: Final = 10
"""The number of concurrent requests."""
CORRECTION_SECONDS: Final = 60.0
"""How long to wait until the clocks of all games have been corrected for the outage."""
MOST_ERROR: Final = 1_000
"""The largest allowed clock error after the outage, in milliseconds."""


@dataclasses.dataclass
class OutageResult:
    """The effects of an outage on the games."""

    games: int = 0
    away: float = 0.0
    """How long the database was unavailable, in seconds."""
    corrected: float = 0.0
    """Seconds from the restart of the database until the clocks of all games had been corrected."""
    pauses: int = 0
    downtimes: int = 0
    clock_error: int = 0
    """The largest clock error, in milliseconds."""
    faults: list[str] = dataclasses.field(default_factory=list)


async def restart_database(
    settings: Settings,
    server: PostgresServer,
    *,
    games: int,
    processes: int = 2,
    away: float = 2.0,
    watched: float = 4.0,
    commit_delay: float = 0.0,
) -> OutageResult:
    """Start ``games`` games with clocks on several server processes, and restart PostgreSQL during the games.

    Every process has all games in memory. The database is unavailable for ``away`` seconds. After the restart, every
    commit takes ``commit_delay`` seconds longer, and the games are watched for ``watched`` seconds, to check that they
    are not paused a second time.
    """
    url = settings.database
    assert url is not None
    async with contextlib.AsyncExitStack() as stack:
        addresses = [stack.enter_context(Process(settings)).address for _ in range(processes)]
        visitors = [await stack.enter_async_context(Visitor(each)) for each in addresses]
        other = await stack.enter_async_context(Visitor(addresses[0]))
        for visitor in (*visitors, other):
            # The server closes idle connections after a few seconds, possibly just as the next request is sent.
            visitor.http.headers["Connection"] = "close"
        await visitors[0].sign_up("Ann")  # before the first games, because concurrent requests would create two guests
        await other.sign_up("Ben")
        ids = [each["id"] for each in await _gather(begun(visitors[0], other, clock=CLOCK) for _ in range(games))]
        for visitor in visitors[1:]:
            await _gather(visitor.get(f"/games/{game}") for game in ids)

        before = await _clocks(visitors[0], ids)
        stopped = _milliseconds()
        if commit_delay:
            server.query(f"ALTER SYSTEM SET commit_delay = {round(commit_delay * 1_000_000)}")
            server.query("ALTER SYSTEM SET commit_siblings = 0")
        await asyncio.to_thread(server.stop)
        await asyncio.sleep(away)
        await asyncio.to_thread(server.start)
        back = _milliseconds()
        outcome = OutageResult(games, away=(back - stopped) / 1000)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CORRECTION_SECONDS):
                while len(await _pauses(url)) < games:
                    await asyncio.sleep(0.05)
        outcome.corrected = (_milliseconds() - back) / 1000
        await asyncio.sleep(watched)
        after = await _clocks(visitors[-1], ids)

        pauses = await _pauses(url)
        outcome.pauses = sum(pauses.values())
        outcome.downtimes = len(await asyncio.to_thread(rows_of, url, "SELECT began FROM downtimes"))
        if outcome.downtimes != 1:
            outcome.faults.append(f"{outcome.downtimes} downtimes were stored instead of one")
        for game in ids:
            if pauses.get(game) != 1:
                outcome.faults.append(f"game {game} was paused {pauses.get(game, 0)} times instead of once")
            error = _error(before[game], after[game], stopped, back)
            outcome.clock_error = max(outcome.clock_error, error)
            if error > MOST_ERROR:
                outcome.faults.append(f"the clocks of game {game} are wrong by {error} ms")
        return outcome


def _error(before: Mapping[str, Any], after: Mapping[str, Any], stopped: int, back: int) -> int:
    """How far the clocks of a game deviate from the player's actual thinking time, in milliseconds."""
    charged: int = before["forest"] - after["forest"]
    thought: int = stopped - before["at"] + after["at"] - back
    other: int = before["sea"] - after["sea"]
    return max(abs(charged - thought), abs(other))


async def _clocks(visitor: Visitor, games: list[str]) -> dict[str, Mapping[str, Any]]:
    views = await _gather(visitor.get(f"/games/{game}") for game in games)
    return {view["id"]: view["now"]["clock"] for view in views}


async def _pauses(url: str) -> dict[str, int]:
    """How many pauses each game has had."""
    counted = "SELECT game, count(*) AS pauses FROM events WHERE kind = 'pause' GROUP BY game"
    return {row["game"]: row["pauses"] for row in await asyncio.to_thread(rows_of, url, counted)}


async def _gather(requests: Any) -> list[Any]:
    """Run many requests, a few at a time, and return the responses."""
    limit = asyncio.Semaphore(AT_ONCE)

    async def answer(request: Any) -> Any:
        async with limit:
            return await request

    return await asyncio.gather(*map(answer, requests))


def _milliseconds() -> int:
    return int(time.time() * 1000)
