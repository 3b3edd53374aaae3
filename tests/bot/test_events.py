"""The event stream for bots: who can open it, and which events it sends."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from cairn.server.lobby import bots
from cairn.server.settings import Settings
from harness.server.visitors import Visitor, number, table

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("data")
    return Settings(data=folder, pages=folder, computer_seed=1)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(bots, "ALIVE_SECONDS", 0.2)


class Stream:
    """An open event stream."""

    def __init__(self, answer: httpx.Response) -> None:
        self._lines = answer.aiter_lines()

    async def next(self, *kinds: str) -> Any:
        """Return the next event of the given kinds, by default of any kind except ``alive``."""
        async for line in self._lines:
            event = json.loads(line)
            if event["type"] in kinds or (not kinds and event["type"] != "alive"):
                return event
        return None


@contextlib.asynccontextmanager
async def stream(address: str, token: str) -> AsyncIterator[Stream]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx.AsyncClient(base_url=address, headers=headers, timeout=20) as http,
        http.stream("GET", "/api/bot/events") as answer,
    ):
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        yield Stream(answer)


async def robot(owner: Visitor) -> Any:
    await owner.post("/account", {"name": "Owner", "password": "correct horse"}, status=201)
    return await owner.post("/account/tokens", {"bot": "Robot"}, status=201)


async def test_only_bots_receive_events(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as person:
        assert (await person.get("/bot/events", status=401))["kind"] == "sign-in-needed"
        await person.challenge()
        assert (await person.get("/bot/events", status=403))["kind"] == "bot-needed"
        await robot(person)
        assert (await person.get("/bot/events", status=403))["kind"] == "bot-needed"
        person.http.headers["Authorization"] = "Bearer " + "x" * 43
        assert (await person.get("/bot/events", status=401))["kind"] == "unknown-bearer"


@pytest.mark.slow
async def test_challenges_and_games_are_sent_as_events(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as owner, Visitor(address) as person:
        token = (await robot(owner))["token"]
        own = Visitor(address)
        own.http.headers["Authorization"] = f"Bearer {token}"
        async with own, stream(address, token) as events:
            hello = await events.next()
            assert (hello["type"], hello["player"]["name"], hello["player"]["kind"]) == ("hello", "Robot", "bot")
            # 1. A lobby challenge appears and disappears. Private challenges and the bot's own challenges are not sent.
            await person.challenge()
            await own.challenge(open=True)
            gone = (await person.challenge(open=True))["challenge"]["id"]
            assert (await events.next())["challenge"]["id"] == gone
            await person.ask("DELETE", f"/challenges/{gone}", status=204)
            assert await events.next() == {"type": "challenge-gone", "challenge": gone}
            # 2. A player accepts the bot's invitation: the start and the end of the game are sent.
            made = await own.challenge()
            game = (await person.accept(made["invite"]))["game"]["id"]
            begun = await events.next()
            assert (begun["type"], begun["game"]["id"]) == ("game", game)
            await person.post(f"/games/{game}/resign", {})
            assert await events.next() == {"type": "game-over", "game": game}
            # 3. A rematch offer is sent to the bot.
            again = (await person.post(f"/games/{game}/rematch", status=201))["challenge"]["id"]
            await person.ask("PUT", f"/challenges/{again}/number", {"number": number()})
            offer = await events.next()
            assert (offer["type"], offer["challenge"]["rematch_of"]) == ("challenge", game)
            await own.accept(again)
        # 4. A new stream begins with the current games.
        async with stream(address, token) as events:
            assert (await events.next())["type"] == "hello"
            assert (await events.next())["game"]["id"] == again
            assert (await events.next("alive"))["type"] == "alive"


@pytest.mark.slow
async def test_a_stream_ends_when_too_many_are_open_or_its_token_is_revoked(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as owner:
        made = await robot(owner)
        async with contextlib.AsyncExitStack() as stack:
            streams = [
                await stack.enter_async_context(stream(address, made["token"])) for _ in range(bots.MOST_STREAMS + 1)
            ]
            for each in streams[1:]:
                assert (await each.next("alive"))["type"] == "alive"
            assert await streams[0].next("nothing") is None, "too many streams are open, but the oldest was not closed"
            await owner.ask("DELETE", f"/account/tokens/{made['about']['id']}", status=204)
            for each in streams[1:]:
                assert await each.next("nothing") is None, "a stream stayed open after its token was revoked"
