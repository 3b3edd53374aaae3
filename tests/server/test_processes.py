"""Several processes share one PostgreSQL database: each can serve any game, and games survive when a process dies."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
import websockets

from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from harness.server.client import AGAINST_COMPUTER, PERSONS, START, Client, choices, some_choice, tokens, updated
from harness.server.postgresql import PostgresServer
from harness.server.processes import Process

pytestmark = pytest.mark.anyio


@pytest.fixture
def shared(settings: Settings, postgres: PostgresServer) -> Settings:
    return dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS)


@pytest.fixture
def pair(shared: Settings) -> Iterator[tuple[Process, Process]]:
    """Two server processes that share a database."""
    with Process(shared) as first, Process(shared) as second:
        yield first, second


@contextlib.asynccontextmanager
async def clients(*processes: Process) -> AsyncIterator[list[Client]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [
            Client(await stack.enter_async_context(httpx.AsyncClient(base_url=process.address, timeout=30)))
            for process in processes
        ]


def watching(process: Process, game: str) -> websockets.connect:
    return websockets.connect(f"ws{process.address.removeprefix('http')}/api/games/{game}/socket")


async def heard(socket: websockets.ClientConnection, kind: str = "update") -> Any:
    """Return the content of the next message of the given kind."""
    async with asyncio.timeout(15):
        while True:
            message = json.loads(await socket.recv())
            if message["type"] == kind:
                return message[kind]


async def test_a_game_on_two_processes_continues_when_one_is_killed(pair: tuple[Process, Process]) -> None:
    rng = random.Random(1)
    async with clients(*pair) as (one, two):
        game = await one.begin(PERSONS, variant="beginner")
        async with watching(pair[1], game["id"]) as socket:
            seen = await heard(socket, "game")
            for number in range(12):
                client = (one, two)[number % 2]
                game = updated(game, await client.play(game, some_choice(game, rng)))
                seen = updated(seen, await heard(socket))
                assert (seen["revision"], seen["steps"], seen["now"]) == (
                    game["revision"], game["steps"], game["now"]
                )  # fmt: skip
            game = updated(game, await one.undo(game)) if game["now"]["undo"]["step"] else game
            if game["revision"] != seen["revision"]:
                seen = updated(seen, await heard(socket))
                assert tokens(seen) == tokens(game)
            pair[0].kill()
            while not game["now"]["outcome"] and len(game["steps"]) < 40:
                game = updated(game, await two.play(game, some_choice(game, rng)))
                seen = updated(seen, await heard(socket))
            assert seen["steps"] == game["steps"]
        assert tokens(await two.view(game)) == tokens(game)


async def test_only_one_of_many_submissions_to_two_processes_succeeds(pair: tuple[Process, Process]) -> None:
    async with clients(*pair) as (one, two):
        game = await one.begin(PERSONS, position=START)
        for _ in range(6):
            path = f"/api/games/{game['id']}/tokens"
            bodies = [
                {"revision": game["revision"], "tribe": game["now"]["decider"], "token": token}
                for token in choices(game) * 2
            ]
            asked = [client.http.post(path, json=body) for body in bodies for client in (one, two)]
            answers = await asyncio.gather(*asked)
            won = [answer for answer in answers if answer.status_code == 200]
            assert (len(won), {answer.status_code for answer in answers} - {200}) == (1, {409})
            game = updated(game, won[0].json())
            for client in (one, two):
                assert tokens(await client.view(game)) == tokens(game)


async def test_watchers_in_both_processes_receive_the_accepted_token(pair: tuple[Process, Process]) -> None:
    async with clients(*pair) as (one, two):
        game = await one.begin(PERSONS, position=START)
        async with watching(pair[0], game["id"]) as first, watching(pair[1], game["id"]) as second:
            sockets = [(first, await heard(first, "game")), (second, await heard(second, "game"))]
            for _ in range(8):
                token = choices(game)[0]
                body = {"revision": game["revision"], "tribe": game["now"]["decider"], "token": token}
                path = f"/api/games/{game['id']}/tokens"
                answers = await asyncio.gather(*(each.http.post(path, json=body) for each in (one, two)))
                won = next(answer for answer in answers if answer.status_code == 200)
                game = updated(game, won.json())
                sockets = [(socket, updated(seen, await heard(socket))) for socket, seen in sockets]
                assert all(seen["steps"] == game["steps"] for _, seen in sockets)


@pytest.mark.slow
async def test_the_computer_continues_when_its_process_is_killed(shared: Settings) -> None:
    slow = dataclasses.replace(shared, engine_threads=1)
    with Process(slow) as first, Process(shared) as second:
        async with clients(first, second) as (one, two):
            seats = {**AGAINST_COMPUTER, "sea": {"kind": "computer", "level": 10}}
            games = [await one.begin(seats, position=START) for _ in range(4)]
            for game in games:
                await one.play(game, "a1-a2")
            first.kill()
            for game in games:
                view = await two.until_asked(game, seconds=60)
                assert view["steps"][1]["by"] == "sea"
                revisions = [step["token"] for step in view["steps"]]
                assert len(revisions) == view["revision"]


async def test_a_deleted_game_is_gone_in_both_processes(pair: tuple[Process, Process]) -> None:
    async with clients(*pair) as (one, two):
        game = await one.begin(PERSONS, position=START)
        async with watching(pair[1], game["id"]) as socket:
            await heard(socket, "game")
            await one.ask("DELETE", f"/games/{game['id']}", status=204)
            with pytest.raises(websockets.ConnectionClosed):
                await heard(socket)
        await two.get(f"/games/{game['id']}", status=404)
        await two.post(f"/games/{game['id']}/restore", status=204)
        await one.play(await one.view(game), "a1-a2")
