"""The clock of one game is checked even while the check of another game hangs."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Final

import asyncpg
import pytest

from cairn.server.live.clock_watch import ClockWatch
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from harness.server.postgresql import PostgresServer
from harness.server.processes import listening
from harness.server.visitors import application, begun, two

pytestmark = pytest.mark.anyio

SECONDS: Final = 5.0
"""The time limit for checks that do not hang. A commit that waits for a lock takes far longer."""


async def test_a_check_that_hangs_does_not_delay_other_games() -> None:
    checked: list[str] = []
    released = asyncio.Event()

    async def check(game: str) -> None:
        if game == "hangs":
            await released.wait()
        checked.append(game)

    now = 0
    watch = ClockWatch(check, lambda: now)
    watch.start()
    try:
        watch.set("hangs", 10)
        watch.set("second", 10)
        watch.set("third", 20)
        now = 15
        async with asyncio.timeout(SECONDS):
            while checked != ["second"]:
                await asyncio.sleep(0.01)
            now = 25
            while checked != ["second", "third"]:
                await asyncio.sleep(0.01)
        watch.set("hangs", 22)  # due again while its check is still running; that check will set the next deadline
        await asyncio.sleep(0.1)
        released.set()
        async with asyncio.timeout(SECONDS):
            while checked != ["second", "third", "hangs"]:
                await asyncio.sleep(0.01)
    finally:
        await watch.close()


async def test_a_flag_falls_while_the_row_of_another_game_is_locked(
    settings: Settings, postgres: PostgresServer
) -> None:
    url = postgres.new_database("empty")
    shared = dataclasses.replace(settings, database=url, limits=NO_LIMITS, public=True)
    async with application(shared) as app, listening(app) as address, two(address) as (ann, ben):
        clock = {"kind": "real-time", "initial": 1_500, "increment": 0}
        blocked = await begun(ann, ben, clock=clock)
        connection = await asyncpg.connect(url)
        try:
            transaction = connection.transaction()
            await transaction.start()
            await connection.execute("SELECT * FROM standings WHERE game = $1 FOR UPDATE", blocked["id"])
            await asyncio.sleep(0.5)  # so that the two losses on time are not stored in one commit
            free = await begun(ann, ben, clock=clock)
            async with asyncio.timeout(1.5 + SECONDS):
                while await reason(url, free["id"]) is None:
                    await asyncio.sleep(0.05)
            assert await reason(url, blocked["id"]) is None
            await transaction.rollback()
            async with asyncio.timeout(20):
                while await reason(url, blocked["id"]) is None:
                    await asyncio.sleep(0.05)
        finally:
            await connection.close()


async def reason(url: str, game: str) -> str | None:
    """Return the stored reason for the end of a game, or None if the game is still running."""
    connection = await asyncpg.connect(url)
    try:
        found: str | None = await connection.fetchval("SELECT reason FROM standings WHERE game = $1", game)
        return found
    finally:
        await connection.close()
