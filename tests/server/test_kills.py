"""``kill -9`` during play loses nothing that was acknowledged. The longer proof is ``tools/prove_kills.py``."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3

from tests.server.helpers import START, running
from tests.server.kills import damages, kill_often

from cairn.server.data import DATABASE
from cairn.server.settings import Settings

KILLS = 10


def test_kills_lose_nothing(settings: Settings) -> None:
    tally = asyncio.run(kill_often(settings, KILLS, seed=1))
    assert tally.lost == []
    assert tally.kills == KILLS
    assert tally.acknowledged > KILLS


def test_damages_would_be_seen(settings: Settings) -> None:
    async def play() -> None:
        async with running(settings) as client:
            await client.play(await client.begin(position=START), "a1-a2")

    asyncio.run(play())
    assert damages(settings.data / DATABASE) == []
    with contextlib.closing(sqlite3.connect(settings.data / DATABASE)) as connection, connection:
        connection.execute("DELETE FROM events WHERE revision = 1")
    assert damages(settings.data / DATABASE)
