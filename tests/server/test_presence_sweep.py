"""Presence rows are deleted when they are no longer needed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from cairn.server.live.server_time import utc_now
from cairn.server.settings import Settings
from cairn.server.storage.presence import FORGET_AFTER, FORGET_PROCESS_AFTER, PresenceRepository
from cairn.server.storage.tables import heartbeats, presences
from cairn.server.web import lifespan
from cairn.vocabulary import FOREST, SEA
from harness.server.processes import listening
from harness.server.visitors import Hands, application, begun, two
from tests.server.places import settings_at

pytestmark = pytest.mark.anyio

HOUR: Final = 3_600


async def places(app: FastAPI) -> set[tuple[str, str, str]]:
    """Return the game, tribe and process of every presence row that another process has stored."""
    own = app.state.services.authority.attendance.presence.process
    there = sa.select(presences.c.game, presences.c.tribe, presences.c.process).where(presences.c.process != own)
    rows = await app.state.services.database.read(lambda connection: connection.execute(there).all())
    return {(row.game, row.tribe, row.process) for row in rows}


async def processes(app: FastAPI) -> set[str]:
    names = sa.select(heartbeats.c.process)
    rows = await app.state.services.database.read(lambda connection: connection.execute(names).scalars().all())
    return set(rows)


async def test_only_rows_that_are_needed_are_kept(settings: Settings, place: Path | str) -> None:
    hands = Hands()
    async with (
        application(settings_at(settings, place), now=hands) as app,
        listening(app) as address,
        two(address) as (ann, ben),
    ):
        storage = PresenceRepository(app.state.services.database)
        running, finished = [(await begun(ann, ben))["id"] for _ in range(2)]
        await storage.beat("dead", hands.now, {(running, FOREST): None, (running, SEA): hands.now})
        hands.move(FORGET_PROCESS_AFTER.total_seconds() - HOUR)
        await storage.beat("alive", hands.now, {(finished, FOREST): None, (finished, SEA): hands.now})
        await storage.beat("alive", hands.now, {(running, FOREST): None, (running, SEA): hands.now})
        everything = await places(app)
        assert len(everything) == 6

        await storage.sweep(hands.now)
        assert await places(app) == everything, "rows that may still be needed were deleted"

        await ann.post(f"/games/{finished}/resign", {})
        await storage.sweep(hands.now)
        assert await places(app) == {each for each in everything if each[0] == running}

        hands.move(2 * HOUR)
        await storage.beat("alive", hands.now)
        await storage.sweep(hands.now)
        assert "dead" not in await processes(app)
        assert await places(app) == {(running, "forest", "alive"), (running, "sea", "alive")}

        hands.move(FORGET_AFTER.total_seconds())
        await storage.beat("alive", hands.now)
        await storage.sweep(hands.now)
        assert await places(app) == {(running, "forest", "alive")}


async def test_the_server_deletes_unneeded_rows_by_itself(
    settings: Settings, place: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifespan, "FIRST_SWEEP_SECONDS", 0.2)
    monkeypatch.setattr(lifespan, "SWEEP_SECONDS", 0.2)
    async with (
        application(settings_at(settings, place)) as app,
        listening(app) as address,
        two(address) as (ann, ben),
    ):
        game = await begun(ann, ben)
        storage = PresenceRepository(app.state.services.database)
        await storage.beat("another", utc_now(), {(game["id"], FOREST): None})
        await ann.post(f"/games/{game['id']}/resign", {})
        async with asyncio.timeout(20):
            while await places(app):
                await asyncio.sleep(0.05)
