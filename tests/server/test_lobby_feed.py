"""The lobby's socket: the lobby is read and encoded once for many watchers, and each watcher gets the right view."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import itertools
import json
from typing import Any

import pytest
import websockets

from cairn.server.lobby import feed
from cairn.server.lobby.feed import Listing
from cairn.server.messages.lobby import ChallengeView
from cairn.server.messages.sockets import LobbyChangeMessage, LobbyMessage
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.server.storage.challenges import ChallengeRepository
from harness.server.postgresql import PostgresServer
from harness.server.visitors import SLOW, Visitor, table, two, with_account

pytestmark = pytest.mark.anyio

WATCHERS = 30
CHALLENGES = 10


class Lobby:
    """The lobby as a page shows it."""

    def __init__(self, connection: websockets.ClientConnection) -> None:
        self.connection = connection
        self.challenges: dict[str, Any] = {}
        self.received = 0

    async def until(self, count: int) -> None:
        """Receive messages until there are ``count`` challenges."""
        async with asyncio.timeout(20):
            while not self.received or len(self.challenges) != count:
                message = json.loads(await self.connection.recv())
                model = LobbyMessage if message["type"] == "lobby" else LobbyChangeMessage
                model.model_validate(message)
                assert (message["type"] == "lobby") is (self.received == 0)
                self.received += 1
                for gone in message.get("gone", []):
                    del self.challenges[gone]
                self.challenges |= {each["id"]: each for each in message["challenges"]}


@contextlib.asynccontextmanager
async def watching(visitor: Visitor) -> Any:
    async with visitor.listen("/lobby/socket") as connection:
        yield Lobby(connection)


@pytest.mark.slow
async def test_many_watchers_cost_no_more_than_one(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lobby is read at most once per change, and each challenge is encoded once for each kind of watcher."""
    read, encoded = list[int](), list[str]()
    original_lobby, original_view = ChallengeRepository.lobby, Listing.view_for

    async def lobby(self: ChallengeRepository, *arguments: Any) -> Any:
        read.append(1)
        return await original_lobby(self, *arguments)

    def view_for(self: Listing, looks: Any) -> ChallengeView:
        encoded.append(self.view.id)
        return original_view(self, looks)

    monkeypatch.setattr(ChallengeRepository, "lobby", lobby)
    monkeypatch.setattr(Listing, "view_for", view_for)
    unlimited = dataclasses.replace(settings, limits=NO_LIMITS)
    async with table(unlimited) as address, Visitor(address) as ann, contextlib.AsyncExitStack() as stack:
        guests = [await stack.enter_async_context(Visitor(address)) for _ in range(WATCHERS)]
        lobbies = [await stack.enter_async_context(watching(guest)) for guest in guests]
        await asyncio.gather(*(each.until(0) for each in lobbies))
        read.clear()
        for _ in range(CHALLENGES):
            await ann.challenge(open=True, rated=False)
        await asyncio.gather(*(each.until(CHALLENGES) for each in lobbies))
        assert all(each.challenges == lobbies[0].challenges for each in lobbies)
        assert 1 <= len(read) <= CHALLENGES + 1
        assert len(encoded) == CHALLENGES  # not once per watcher
        await ann.ask("DELETE", f"/challenges/{next(iter(lobbies[0].challenges))}", status=204)
        await asyncio.gather(*(each.until(CHALLENGES - 1) for each in lobbies))
        assert len(encoded) == CHALLENGES


@pytest.mark.slow
async def test_the_lobby_is_read_at_most_a_few_times_a_second(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each read, all changes since the previous read are sent."""
    monkeypatch.setattr(feed, "PAUSE_SECONDS", 2.0)
    times: list[float] = []
    original = ChallengeRepository.lobby

    async def lobby(self: ChallengeRepository, *arguments: Any) -> Any:
        times.append(asyncio.get_running_loop().time())
        return await original(self, *arguments)

    monkeypatch.setattr(ChallengeRepository, "lobby", lobby)
    async with table(settings) as address, two(address) as (ann, ben), watching(ben) as seen:
        await seen.until(0)
        for _ in range(5):
            await ann.challenge(open=True)
        await seen.until(5)
        assert seen.received <= 3
        assert all(later - earlier >= 1.99 for earlier, later in itertools.pairwise(times))


async def test_each_watcher_sees_which_challenges_are_theirs_and_which_they_cannot_accept(settings: Settings) -> None:
    """This holds in the first message and in later ones, for an account, its bot, another account and a guest."""
    async with (
        table(dataclasses.replace(settings, limits=NO_LIMITS)) as address,
        two(address) as (ann, ben),
        Visitor(address) as guest,
        Visitor(address) as robot,
    ):
        for visitor in (ann, ben):
            await with_account(visitor)
        token = (await ann.post("/account/tokens", {"bot": "Robot"}, status=201))["token"]
        robot.http.headers["Authorization"] = f"Bearer {token}"
        everybody = {"ann": ann, "ben": ben, "guest": guest, "robot": robot}

        async def looks(lobbies: dict[str, Lobby], count: int) -> dict[str, Any]:
            await asyncio.gather(*(each.until(count) for each in lobbies.values()))
            return {
                name: {each["rated"]: (each["yours"], each["refusal"]) for each in lobby.challenges.values()}
                for name, lobby in lobbies.items()
            }

        expected = {
            "ann": {True: (True, None), False: (True, None)},
            "ben": {True: (False, None), False: (False, None)},
            "guest": {True: (False, "account-needed"), False: (False, None)},
            "robot": {True: (False, "own-bot"), False: (False, None)},
        }
        async with contextlib.AsyncExitStack() as stack:
            early = {name: await stack.enter_async_context(watching(each)) for name, each in everybody.items()}
            await looks(early, 0)
            for rated in (True, False):
                await ann.challenge(open=True, rated=rated, clock=SLOW)
            assert await looks(early, 2) == expected
            late = {name: await stack.enter_async_context(watching(each)) for name, each in everybody.items()}
            assert await looks(late, 2) == expected
        for name, visitor in everybody.items():
            listed = (await visitor.get("/lobby"))["challenges"]
            assert {each["rated"]: (each["yours"], each["refusal"]) for each in listed} == expected[name]


async def test_a_response_includes_every_change_made_before_the_request(settings: Settings) -> None:
    """Even a change between two reads is included, because the response waits for the next read."""
    async with table(settings) as address, two(address) as (ann, ben):
        for count in range(1, 5):
            made = await ann.challenge(open=True)
            listed = (await ben.get("/lobby"))["challenges"]
            assert len(listed) == count
            assert listed[0]["id"] == made["challenge"]["id"]


async def test_watchers_in_other_processes_receive_the_changes_too(
    settings: Settings, postgres: PostgresServer
) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"))
    async with table(shared) as one, table(shared) as other, Visitor(one) as ann, Visitor(other) as ben:
        async with watching(ben) as seen:
            await seen.until(0)
            made = await ann.challenge(open=True)
            await seen.until(1)
            await ann.ask("DELETE", f"/challenges/{made['challenge']['id']}", status=204)
            await seen.until(0)
        await ann.challenge(open=True)
        async with asyncio.timeout(20):
            while len((await ben.get("/lobby"))["challenges"]) != 1:
                await asyncio.sleep(0.05)
