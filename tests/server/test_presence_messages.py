"""Presence messages: many arrivals or departures share a few messages."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
from typing import Any

import pytest
import websockets

from cairn.server.live import attendance
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from harness.server.visitors import Visitor, application, begun, table, two

pytestmark = pytest.mark.anyio

WATCHERS = 60


class Watcher:
    """A socket that collects presence messages."""

    def __init__(self, connection: websockets.ClientConnection) -> None:
        self._connection = connection
        self.presence: list[dict[str, Any]] = []
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                message = json.loads(await self._connection.recv())
                if message["type"] == "presence":
                    self.presence.append(message)

    async def until(self, **expected: object) -> None:
        """Wait until the latest message has these values."""
        async with asyncio.timeout(20):
            while not self.presence or any(self.presence[-1][name] != value for name, value in expected.items()):
                await asyncio.sleep(0.01)


@pytest.mark.slow
async def test_watchers_who_arrive_together_share_messages(settings: Settings) -> None:
    """If each arrival sent a message to everybody, n watchers would cause about n²/2 messages."""
    unlimited = dataclasses.replace(settings, limits=NO_LIMITS)
    async with table(unlimited) as address, two(address) as (ann, ben), contextlib.AsyncExitStack() as stack:
        game = await begun(ann, ben)
        target = f"ws{ann.address.removeprefix('http')}/api/games/{game['id']}/socket"
        connections = await asyncio.gather(
            *(stack.enter_async_context(websockets.connect(target)) for _ in range(WATCHERS))
        )
        watchers = [Watcher(each) for each in connections]
        await asyncio.gather(*(each.until(watchers=WATCHERS) for each in watchers))
        received = sum(len(each.presence) for each in watchers)
        assert received < 5 * WATCHERS
        # Their departures share messages too.
        for connection in connections[1:]:
            connection.transport.abort()
        await watchers[0].until(watchers=1)
        assert len(watchers[0].presence) < 12


@pytest.mark.slow
async def test_players_who_come_and_go_are_announced(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of watchers does not delay messages about players."""
    monkeypatch.setattr(attendance, "SECONDS_PER_WATCHER", 3_600.0)
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as cat:
        game = await begun(ann, ben)
        async with cat.listen(f"/games/{game['id']}/socket") as connection:
            watcher = Watcher(connection)
            await watcher.until(forest=False, sea=False, watchers=1)
            async with ann.socket(game["id"]):
                await watcher.until(forest=True, sea=False)
                async with ben.socket(game["id"]):
                    await watcher.until(forest=True, sea=True)
                await watcher.until(forest=True, sea=False)
            await watcher.until(forest=False, sea=False)


@pytest.mark.slow
async def test_presenting_a_seat_token_again_has_no_further_effect(settings: Settings) -> None:
    """A spectator cannot flood a table with messages by presenting valid or invalid seat tokens."""
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as cat:
        game = await begun(ann, ben)
        async with cat.listen(f"/games/{game['id']}/socket") as connection, cat.socket(game["id"]) as showing:
            watcher = Watcher(connection)
            assert (await showing.send("hello", seat=ann.seat))["type"] == "done"
            await watcher.until(forest=True, watchers=1)
            before = len(watcher.presence)
            for _ in range(30):
                assert (await showing.send("hello", seat=ann.seat))["type"] == "done"
                assert (await showing.send("hello", seat=ann.seat[::-1]))["type"] == "refused"
            await asyncio.sleep(2 * attendance.PAUSE_SECONDS)  # no message may arrive during this time
            assert len(watcher.presence) == before


async def test_a_change_just_after_the_last_announcement_is_announced(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change comes when the task that announces changes has just ended, before any other code has run."""
    monkeypatch.setattr(attendance, "PAUSE_SECONDS", 0.01)
    async with application(settings) as app:
        tables, hub = app.state.services.authority.attendance, app.state.services.hub
        async with tables.present_at("game", [], announced=True):
            announcing = tables._announcing["game"]
            while not announcing.done():
                await asyncio.sleep(0)
            received = hub.subscribe("game")
            async with tables.present_at("game", [], announced=True), asyncio.timeout(20):
                assert json.loads(await anext(aiter(received)))["watchers"] == 2
            received.close()
