"""A message reaches the watchers in another process, or those watchers are disconnected."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI

from cairn.server.messages.announcements import ChangedMessage
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.server.transport import process_hub
from cairn.server.transport.hub import Hub, Subscription
from harness.server.postgresql import PostgresServer, rows_of
from harness.server.processes import listening
from harness.server.visitors import Visitor, application

pytestmark = pytest.mark.anyio

ROLE = "restricted"


def hub_of(app: FastAPI) -> Hub:
    hub: Hub = app.state.services.hub
    return hub


@contextlib.asynccontextmanager
async def two_processes(settings: Settings, here: str, there: str) -> AsyncIterator[tuple[FastAPI, FastAPI]]:
    """Run two applications that act as two processes. ``here`` and ``there`` must be addresses of the same database."""
    shared = dataclasses.replace(settings, limits=NO_LIMITS, public=True)
    async with (
        application(dataclasses.replace(shared, database=here)) as one,
        application(dataclasses.replace(shared, database=there)) as other,
    ):
        yield one, other


async def everything(subscription: Subscription) -> list[str]:
    """Return all messages that a watcher receives until it is disconnected."""
    async with asyncio.timeout(10):
        return [message async for message in subscription]


async def test_messages_reach_the_other_process(settings: Settings, postgres: PostgresServer) -> None:
    url = postgres.new_database("empty")
    async with two_processes(settings, url, url) as (one, other):
        watcher = hub_of(other).subscribe("topic")
        await hub_of(one).broadcast("topic", ChangedMessage())
        async with asyncio.timeout(10):
            assert json.loads(await anext(aiter(watcher))) == {"type": "changed"}


async def test_a_challenge_accepted_in_one_process_is_reported_in_the_other(
    settings: Settings, postgres: PostgresServer
) -> None:
    url = postgres.new_database("empty")
    async with (
        two_processes(settings, url, url) as (one, other),
        listening(one) as here,
        listening(other) as there,
        Visitor(here) as ann,
        Visitor(there) as ben,
    ):
        made = await ann.challenge()
        async with ann.listen(f"/challenges/{made['challenge']['id']}/socket") as socket:
            assert (await state_in(socket))["state"] == "open"
            await ben.accept(made["invite"])
            # The message arrives well before the socket would poll the database.
            async with asyncio.timeout(5):
                assert (await state_in(socket))["state"] == "accepted"


async def state_in(socket: Any) -> Any:
    return json.loads(await socket.recv())["challenge"]


async def test_watchers_are_disconnected_if_the_queue_had_no_room_for_a_message(
    settings: Settings, postgres: PostgresServer
) -> None:
    url = postgres.new_database("empty")
    async with two_processes(settings, url, url) as (one, other):
        lost, kept = hub_of(other).subscribe("lost"), hub_of(other).subscribe("kept")
        await hub_of(one).broadcast("kept", ChangedMessage())
        for _ in range(process_hub.LONGEST_QUEUE):  # nothing is sent meanwhile, because none of these awaits suspends
            await hub_of(one).broadcast("busy", ChangedMessage())
        await hub_of(one).broadcast("lost", ChangedMessage())
        assert await everything(lost) == []
        async with asyncio.timeout(10):
            assert json.loads(await anext(aiter(kept))) == {"type": "changed"}
        assert hub_of(other).is_watched("kept"), "a watcher of another topic was disconnected"


async def test_watchers_are_disconnected_if_a_message_could_not_be_sent(
    settings: Settings, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    url = postgres.new_database("empty")
    for statement in (
        f"DROP ROLE IF EXISTS {ROLE}",
        f"CREATE ROLE {ROLE} LOGIN",
        f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {ROLE}",
    ):
        rows_of(url, statement)
    async with two_processes(settings, url.replace("//cairn@", f"//{ROLE}@"), url) as (one, other):
        lost, kept = hub_of(other).subscribe("lost"), hub_of(other).subscribe("kept")
        await asyncio.to_thread(rows_of, url, "REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC")
        await hub_of(one).broadcast("lost", ChangedMessage())
        async with asyncio.timeout(10):
            while "did not reach other processes" not in caplog.text:
                await asyncio.sleep(0.05)
        assert hub_of(other).is_watched("lost")  # the watcher cannot be disconnected without a notification
        await asyncio.to_thread(rows_of, url, "GRANT EXECUTE ON FUNCTION pg_notify(text, text) TO PUBLIC")
        assert await everything(lost) == []
        await hub_of(one).broadcast("kept", ChangedMessage())
        async with asyncio.timeout(10):
            assert json.loads(await anext(aiter(kept))) == {"type": "changed"}
    rows_of(url, f"DROP OWNED BY {ROLE}")
    rows_of(url, f"DROP ROLE {ROLE}")
