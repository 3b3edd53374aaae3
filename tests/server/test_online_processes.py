"""An online game across two server processes over one PostgreSQL, one of which is killed in the middle."""

from __future__ import annotations

import asyncio
import dataclasses
import random

import httpx
import pytest
from tests.server.duel import Socket, Visitor, begun, number
from tests.server.helpers import Process, choices
from tests.server.postgresql import PostgresServer

from cairn import read_record
from cairn.fairness import Verdict, overall, verify
from cairn.server.limits import NO_LIMITS
from cairn.server.settings import Settings

pytestmark = pytest.mark.anyio


async def one_token(forest: Socket, sea: Socket, rng: random.Random) -> None:
    here, there = (forest, sea) if forest.game["now"]["decider"] == "forest" else (sea, forest)
    answer = await here.play(rng.choice(choices(here.game)))
    assert answer["type"] == "done", answer
    await there.until(answer["revision"])


async def test_two_players_by_two_processes(settings: Settings, postgres: PostgresServer) -> None:
    rng = random.Random(2)
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS, shared=True)
    with Process(shared) as first, Process(shared) as second:
        async with Visitor(first.address) as ann, Visitor(second.address) as ben:
            clock = {"kind": "real-time", "initial": 600_000, "increment": 1_000}
            game = await begun(ann, ben, rated=True, clock=clock)
            async with ben.socket(game["id"]) as sea:
                async with ann.socket(game["id"]) as forest:
                    await asyncio.sleep(1.5)  # until both processes have told each other
                    assert (await ann.view(game))["players"]["sea"]["online"]
                    assert (await ben.view(game))["players"]["forest"]["online"]
                    for _ in range(6):
                        await one_token(forest, sea, rng)
                    await forest.send("chat", phrase="good-luck")
                    assert (await sea.hear("chat"))["line"]["phrase"] == "good-luck"
                    revision = sea.game["revision"]
                    await sea.send("offer", what="draw", revision=revision)
                    await forest.until(revision + 1)
                    await forest.send("answer", answer="decline", revision=revision + 1)
                    await sea.until(revision + 2)
                    first.kill()
                async with Visitor(second.address) as again:
                    again.http.cookies = httpx.Cookies(ann.http.cookies)
                    async with again.socket(game["id"]) as forest:
                        assert (forest.game["you"], forest.game["steps"]) == (["forest"], sea.game["steps"])
                        for _ in range(4):
                            await one_token(forest, sea, rng)
                        await forest.send("resign")
                        await sea.until(forest.game["revision"])
                    assert sea.game["players"]["sea"]["rating"] > 1500
                    record = (await again.http.get(f"/api/games/{game['id']}/record")).text
            assert overall(verify(read_record(record))) is Verdict.RIGHT


async def test_of_many_who_accept_at_two_processes_one_plays(settings: Settings, postgres: PostgresServer) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS, shared=True)
    with Process(shared) as first, Process(shared) as second:
        async with Visitor(first.address) as ann:
            for _ in range(3):
                made = await ann.challenge(open=True)
                path = f"/api/challenges/{made['challenge']['id']}/accept"
                others = [Visitor(process.address) for process in (first, second) * 4]
                racing = (other.http.post(path, json={"number": number()}) for other in others)
                answers = await asyncio.gather(*racing)
                assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
                for other in others:
                    await other.http.aclose()
