"""Simultaneous commands: each revision is written only once."""

from __future__ import annotations

import asyncio
import json
import random

import httpx
import pytest

from cairn.server.game.access import Actor
from cairn.server.game.commands import Play
from cairn.server.game.creation import NewGame
from cairn.server.game.seats import Seat, Seats
from cairn.server.live.authority import Authority
from cairn.server.settings import Settings
from harness.server.client import PERSONS, START, Client, choices, tokens, updated
from harness.server.processes import Process, running

pytestmark = pytest.mark.anyio


@pytest.mark.slow
@pytest.mark.parametrize("times", [5])
async def test_only_one_of_many_submissions_succeeds(process: Process, times: int) -> None:
    async with httpx.AsyncClient(base_url=process.address, timeout=60) as http:
        client = Client(http)
        game = await client.begin(PERSONS, position=START)
        for _ in range(times):
            path = f"/api/games/{game['id']}/tokens"
            bodies = [
                {"revision": game["revision"], "tribe": game["now"]["decider"], "token": token}
                for token in choices(game) * 4
            ]
            random.Random(1).shuffle(bodies)
            answers = await asyncio.gather(*(http.post(path, json=body) for body in bodies))
            won = [answer for answer in answers if answer.status_code == 200]
            lost = [answer for answer in answers if answer.status_code == 409]
            assert (len(won), len(lost)) == (1, len(bodies) - 1)
            assert {answer.json()["kind"] for answer in lost} == {"stale-revision"}
            game = updated(game, won[0].json())
            assert tokens(await client.view(game)) == tokens(game)


async def test_a_simultaneous_undo_and_token_do_not_both_succeed(settings: Settings) -> None:
    async with running(settings) as client:
        game = await client.begin(PERSONS, position=START)
        game = updated(game, await client.play(game, "a1-a2"))
        path = f"/api/games/{game['id']}"
        play = client.http.post(f"{path}/tokens", json={"revision": 1, "tribe": "sea", "token": "a5-b4"})
        undo = client.http.post(f"{path}/undo", json={"revision": 1})
        statuses = sorted(answer.status_code for answer in await asyncio.gather(play, undo))
        assert statuses == [200, 409]
        assert (await client.view(game))["revision"] == 2


async def test_games_do_not_wait_for_each_other(settings: Settings) -> None:
    async with running(settings) as client:
        games = await asyncio.gather(*(client.begin(PERSONS, position=START) for _ in range(20)))
        for _ in range(4):
            played = await asyncio.gather(*(client.play(game, choices(game)[0]) for game in games))
            games = [updated(game, update) for game, update in zip(games, played, strict=True)]
        assert {len(game["steps"]) for game in games} == {4}


@pytest.mark.parametrize("leaves", [True, False])
async def test_watchers_get_a_stored_change_even_if_its_broadcast_was_cancelled(
    settings: Settings, leaves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(settings) as client:
        assert client.app is not None
        authority: Authority = client.app.state.services.authority
        person, owner = Seat(kind="person"), Actor(owns_local_games=True)
        game = await authority.create(NewGame(seats=Seats(person, person), position=START), None, owner)
        async with authority.watch(game.id, owner) as (_, subscription):

            def cancelled(*_: object) -> None:
                raise asyncio.CancelledError

            with monkeypatch.context() as broken:
                broken.setattr(authority._hub, "broadcast_update", cancelled)
                with pytest.raises(asyncio.CancelledError):
                    await authority.perform(game.id, Play(revision=0, tribe="forest", token="a1-a2"), owner)
            if not leaves:
                assert (await authority.view(game.id, owner)).revision == 1
                async with asyncio.timeout(10):
                    message = json.loads(await anext(aiter(subscription)))
                assert (message["update"]["base"], message["update"]["revision"]) == (0, 1)
        assert authority._cache._behind == {}  # no watcher is behind
