"""Two server processes share one PostgreSQL database. Games continue when a process or the database is killed."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import time
from pathlib import Path

import httpx
import pytest
import websockets

from cairn import read_record
from cairn.fairness import Verdict, overall, verify
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.server.web.close_codes import TRY_AGAIN_LATER
from harness.server.client import choices
from harness.server.postgresql import PostgresServer, running_postgres
from harness.server.processes import Process
from harness.server.visitors import Socket, Visitor, begun, number, refused

pytestmark = pytest.mark.anyio

CLOCK = {"kind": "real-time", "initial": 600_000, "increment": 1_000}


async def one_token(forest: Socket, sea: Socket, rng: random.Random, *, sent_before: bool = False) -> bool:
    """Play a token. Returns false if a token that was sent before has made this one stale."""
    here, there = (forest, sea) if forest.game["now"]["decider"] == "forest" else (sea, forest)
    answer = await here.play(rng.choice(choices(here.game)))
    if sent_before and answer["type"] == "refused" and refused(answer) == "stale-revision":
        return False
    assert answer["type"] == "done", answer
    await there.until(answer["revision"])
    return True


async def one_token_after_an_outage(ann: Visitor, ben: Visitor, game: str) -> None:
    """Play a token the way two browser clients would, reconnecting whenever the server asks them to try again later.

    A process also closes all sockets when its ``LISTEN`` connection is restored, because it may have missed messages.
    A token that was sent over such a socket may still be stored later.
    """
    sent_before = False
    async with asyncio.timeout(30):
        while True:
            try:
                async with ann.socket(game) as forest, ben.socket(game) as sea:
                    if await one_token(forest, sea, random.Random(1), sent_before=sent_before):
                        return
            except websockets.ConnectionClosed as closed:
                if closed.rcvd is None or closed.rcvd.code != TRY_AGAIN_LATER:
                    raise
                sent_before = True


@pytest.mark.slow
async def test_two_players_on_two_processes_continue_when_one_process_is_killed(
    settings: Settings, postgres: PostgresServer
) -> None:
    rng = random.Random(2)
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS, public=True)
    with Process(shared) as first, Process(shared) as second:
        async with Visitor(first.address) as ann, Visitor(second.address) as ben:
            game = await begun(ann, ben, rated=True, clock=CLOCK)
            async with ben.socket(game["id"]) as sea:
                async with ann.socket(game["id"]) as forest:
                    await asyncio.sleep(1.5)  # until the processes have shared who is present
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


@pytest.mark.slow
async def test_a_clock_keeps_running_while_another_process_is_alive(
    settings: Settings, postgres: PostgresServer
) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS, public=True)
    with Process(shared) as first, Process(shared) as second:
        async with Visitor(first.address) as ann, Visitor(second.address) as ben:
            game = await begun(ann, ben, clock=CLOCK)
            before = game["now"]["clock"]
            first.kill()  # while Forest is thinking
            await asyncio.sleep(2)  # long enough to count as downtime if no process were alive
            with Process(shared) as third:
                for process in (second, third):
                    async with Visitor(process.address) as anybody:
                        view = await anybody.view(game)
                        after = view["now"]["clock"]
                        assert view["revision"] == game["revision"]
                        assert after["forest"] == before["forest"] - (after["at"] - before["at"])
                        assert after["sea"] == before["sea"]


@pytest.mark.slow
async def test_a_flag_falls_even_if_the_process_that_watched_the_clock_is_dead(
    settings: Settings, postgres: PostgresServer
) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS, public=True)
    with Process(shared) as first, Process(shared) as second:
        async with Visitor(first.address) as ann, Visitor(first.address) as ben, Visitor(second.address) as anybody:
            game = await begun(ann, ben, clock={**CLOCK, "initial": 1_000})
            first.kill()
            async with asyncio.timeout(20):
                while (await anybody.get("/live"))["games"]:
                    await asyncio.sleep(0.2)
            view = await anybody.view(game)
            assert view["now"]["outcome"] == {"winner": "sea", "reason": "time", "rule": "G3"}
            assert view["now"]["clock"]["forest"] == 0


@pytest.mark.slow
async def test_a_kill_while_a_player_is_thinking_does_not_cost_time(settings: Settings, place: Path | str) -> None:
    """The time left is accurate to a second, although nobody knows exactly when the server died."""
    here = dataclasses.replace(settings, **({"data": place.parent} if isinstance(place, Path) else {"database": place}))
    process = Process(dataclasses.replace(here, limits=NO_LIMITS))
    process.start()
    try:
        async with Visitor(process.address) as ann, Visitor(process.address) as ben:
            game = await begun(ann, ben, clock=CLOCK)
            await asyncio.sleep(1.2)  # Forest is thinking
            before = (await ben.view(game))["now"]["clock"]
        killed = milliseconds()
        process.kill()
        await asyncio.sleep(0.5 if isinstance(place, Path) else 2)  # charged to nobody
        started = milliseconds()
        process.start()
        ready = milliseconds()
        async with Visitor(process.address) as anybody:
            after = (await anybody.view(game))["now"]["clock"]
    finally:
        process.close()
    left = before["forest"] - (killed - before["at"])
    assert left - (after["at"] - started) - 1 <= after["forest"] <= left - (after["at"] - ready) + 1_000
    assert (after["sea"], after["running"]) == (before["sea"], "forest")


@pytest.mark.slow
async def test_clocks_do_not_run_while_the_database_is_down(settings: Settings) -> None:
    with running_postgres() as postgres:
        shared = dataclasses.replace(settings, database=postgres.new_database(), limits=NO_LIMITS, public=True)
        with Process(shared) as first, Process(shared) as second:
            async with Visitor(first.address) as ann, Visitor(second.address) as ben:
                game = await begun(ann, ben, clock={**CLOCK, "increment": 0})
                before = (await ben.view(game))["now"]["clock"]
                killed = milliseconds()
                await asyncio.to_thread(postgres.kill)
                await asyncio.sleep(3)
                await asyncio.to_thread(postgres.start)
                back = milliseconds()
                await one_token_after_an_outage(ann, ben, game["id"])
                after = (await ann.view(game))["now"]["clock"]
    used = sum(before[tribe] - after[tribe] for tribe in ("forest", "sea"))
    # While a process cannot reach the database, its clock stays frozen at the moment it lost the connection.
    thought = min(killed, after["at"]) - before["at"] + max(0, after["at"] - back)
    assert abs(used - thought) <= 1_000


def milliseconds() -> int:
    return int(time.time() * 1000)


@pytest.mark.slow
async def test_only_one_of_many_acceptances_on_two_processes_succeeds(
    settings: Settings, postgres: PostgresServer
) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS, public=True)
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
