"""No clock runs while a commit is slow, and the clock of a new game starts when the game is stored."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import asyncpg
import pytest

from cairn.server.settings import Settings
from cairn.server.storage.presence import SHORTEST_DOWNTIME
from harness.server.postgresql import PostgresServer
from harness.server.visitors import begun, table, two
from tests.server.places import settings_at

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

BLITZ = {"kind": "real-time", "initial": 60_000, "increment": 0}
SLOW_SECONDS = 6.0
MOST_LOST = 3_000
"""Milliseconds that a clock may lose in these tests, much less than a slow commit takes."""


@contextlib.asynccontextmanager
async def locked(address: str, statement: str) -> AsyncIterator[asyncio.Task[None]]:
    """Execute a statement that takes a lock. The yielded task releases the lock after ``SLOW_SECONDS``."""
    connection = await asyncpg.connect(address)
    transaction = connection.transaction()
    await transaction.start()
    await connection.execute(statement)

    async def release() -> None:
        await asyncio.sleep(SLOW_SECONDS)
        await transaction.rollback()

    releasing = asyncio.create_task(release())
    try:
        yield releasing
    finally:
        await releasing
        await connection.close()


async def test_the_opponent_does_not_pay_for_a_slow_commit(settings: Settings, postgres: PostgresServer) -> None:
    address = postgres.new_database()
    async with table(settings_at(settings, address)) as url, two(url) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            async with locked(address, "LOCK TABLE events IN EXCLUSIVE MODE") as releasing:
                while forest.game["now"]["decider"] == "forest":
                    await forest.play()
                assert releasing.done()
            await sea.until(forest.game["revision"] + 1)  # the event that pauses the clocks
            assert sea.game["now"]["clock"]["sea"] > 60_000 - MOST_LOST
            assert sea.game["now"]["clock"]["forest"] > 60_000 - MOST_LOST


async def test_a_new_game_starts_with_a_full_clock(settings: Settings, postgres: PostgresServer) -> None:
    address = postgres.new_database()
    async with table(settings_at(settings, address)) as url, two(url) as (ann, ben):
        await begun(ann, ben, clock=BLITZ)  # heartbeats begin with the first clock
        made = await ann.challenge(tribe="forest", first="forest", clock=BLITZ)
        # The time of this process stands still because its heartbeat cannot be stored. Another process is alive.
        async with (
            locked(address, "SELECT * FROM heartbeats FOR UPDATE"),
            table(settings_at(settings, address)) as other_url,
            two(other_url) as others,
        ):
            await begun(*others, clock=BLITZ)
            await asyncio.sleep(4 * SHORTEST_DOWNTIME.total_seconds())
            game = (await ben.accept(made["invite"]))["game"]
            left = (await others[0].get(f"/games/{game['id']}"))["now"]["clock"]["forest"]
        assert left > 60_000 - MOST_LOST
