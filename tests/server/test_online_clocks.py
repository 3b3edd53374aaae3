"""Clocks, with a server time that the tests control: flags, lag, correspondence, downtime, abandoned games."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from cairn import FOREST, Game, fairness, read_record
from cairn.server.game.clocks import LAG_CAP
from cairn.server.settings import Settings
from harness.server.client import choices, updated
from harness.server.processes import listening
from harness.server.visitors import Hands, Socket, Visitor, application, begun, refused, two

pytestmark = pytest.mark.anyio

BLITZ = {"kind": "real-time", "initial": 60_000, "increment": 2_000}


async def wake(app: FastAPI) -> None:
    """Check the clocks now, and wait until the checks are done."""
    watch = app.state.services.authority.clock_watch
    watch.check_due()
    await asyncio.gather(*watch._checks.values())


def left(game: dict[str, Any]) -> tuple[int, int]:
    clock = game["now"]["clock"]
    return clock["forest"], clock["sea"]


async def whole_turn(here: Socket, there: Socket) -> None:
    """Play one player's tokens until the opponent must decide."""
    decider = here.game["now"]["decider"]
    while here.game["now"]["decider"] == decider:
        await here.play()
    await there.until(here.game["revision"])


async def test_the_clock_of_the_decider_runs(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        assert game["now"]["clock"] == {
            "control": BLITZ,
            "forest": 60_000,
            "sea": 60_000,
            "running": "forest",
            "at": int(hands.now.timestamp() * 1000),
        }
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            hands.move(10)
            assert left(await ben.view(game)) == (50_000, 60_000)
            await whole_turn(forest, sea)
            assert left(sea.game) == (52_000, 60_000)
            assert sea.game["now"]["clock"]["running"] == "sea"
            hands.move(5)
            assert left(await ann.view(game)) == (52_000, 55_000)
            await sea.play(lag=10_000)
            used = 5_000 - LAG_CAP
            assert left(sea.game)[1] in (60_000 - used, 60_000 - used + 2_000)


@pytest.mark.slow
async def test_the_clock_of_the_decider_runs_even_in_the_opponents_turn(settings: Settings) -> None:
    hands, rng, inside = Hands(), random.Random(5), 0
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        while not inside:
            game = await begun(ann, ben, variant="expert", clock=BLITZ | {"increment": 0, "initial": 3_600_000})
            async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
                while (now := forest.game["now"])["outcome"] is None and not inside:
                    assert now["clock"]["running"] == now["decider"]
                    here, there = (forest, sea) if now["decider"] == "forest" else (sea, forest)
                    inside += now["decider"] != now["active"]
                    before = left(here.game)
                    hands.move(1)
                    await here.play(rng.choice(choices(here.game)))
                    await there.until(here.game["revision"])
                    used = [was - has for was, has in zip(before, left(here.game), strict=True)]
                    assert used == ([1_000, 0] if here is forest else [0, 1_000])


async def test_a_held_turn_uses_the_time_of_its_player(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        async with ann.socket(game["id"]) as forest:
            while not forest.game["now"]["held"]:
                assert forest.game["now"]["decider"] == "forest"
                await forest.play(hold=True)
            assert forest.game["now"]["clock"]["running"] == "forest"
            hands.move(4)
            await forest.send("confirm", revision=forest.game["revision"])
            assert left(forest.game) == (58_000, 60_000)
            assert forest.game["now"]["clock"]["running"] == "sea"


async def test_the_timer_ends_a_game_when_a_flag_falls(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ, rated=True)
        async with ben.socket(game["id"]) as sea:
            hands.move(60.2)  # out of time, but a token may still be in flight
            await wake(app)
            assert (await ben.view(game))["now"]["outcome"] is None
            hands.move(0.2)
            await wake(app)
            await sea.until(1)
            assert sea.game["now"]["outcome"] == {"winner": "sea", "reason": "time", "rule": "G3"}
            assert left(sea.game) == (0, 60_000)
            assert sea.game["players"]["sea"]["rating"] > 1500
        assert refused_by(await ann.play(game, choices(game)[0], status=409)) in ("game-over", "stale-revision")
        record = read_record((await ann.http.get(f"/api/games/{game['id']}/record")).text)
        assert fairness.overall(fairness.verify(record)) is fairness.Verdict.RIGHT
        assert record.game.outcome is not None


def refused_by(problem: dict[str, Any]) -> str:
    kind: str = problem["kind"]
    return kind


async def test_a_token_that_arrives_too_late_ends_the_game(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        app.state.services.authority.clock_watch._deadlines.clear()  # as if the clock watch were late
        hands.move(60.1)
        problem = await ann.play(game, choices(game)[0], status=409)
        assert problem["kind"] == "game-over"
        view = await ben.view(game)
        assert (view["now"]["outcome"]["reason"], view["steps"]) == ("time", [])


async def test_a_token_that_was_sent_in_time_counts(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        hands.move(60.1)
        body = {"revision": 0, "tribe": "forest", "token": choices(game)[0], "lag": 250}
        update = await ann.post(f"/games/{game['id']}/tokens", body)
        assert update["now"]["outcome"] is None
        assert (await ben.view(game))["revision"] == update["revision"]


class Queue:
    """A computer player that gets no thread until ``free`` is set."""

    def __init__(self) -> None:
        self.free = asyncio.Event()

    async def choose(self, game: Game, level: int) -> str:
        await self.free.wait()
        return str(game.legal_moves[0])

    async def close(self) -> None:
        self.free.set()


async def test_a_level_does_not_lose_on_time_while_it_waits_for_a_thread(settings: Settings) -> None:
    hands, computer = Hands(), Queue()
    async with (
        application(settings, now=hands, computer=computer) as app,
        listening(app) as address,
        Visitor(address) as ann,
    ):
        made = await ann.challenge(level=1, tribe="sea", first="forest", clock=BLITZ)
        game = {"id": made["challenge"]["game"]}
        hands.move(600)
        await app.state.services.authority.check_clock(game["id"])
        view = await ann.view(game)
        assert (view["now"]["outcome"], left(view)) == (None, (0, 60_000))
        computer.free.set()
        view = await ann.until_asked(view)
        assert (view["now"]["decider"], left(view)[1]) == ("sea", 60_000)
        hands.move(61)
        await wake(app)
        assert (await ann.view(game))["now"]["outcome"] == {"winner": "forest", "reason": "time", "rule": "G3"}


async def test_each_turn_of_a_correspondence_game_gets_the_full_time(settings: Settings) -> None:
    hands, days = Hands(), 24 * 3600
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock={"kind": "correspondence", "days": 2})
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            hands.move(1.9 * days)
            await whole_turn(forest, sea)
            if sea.game["steps"][-1]["active"] == "forest" and sea.game["now"]["phase"] == "action":
                assert left(sea.game) == (2 * days * 1000, 2 * days * 1000)
            hands.move(1.9 * days)
            await wake(app)
            assert refused(await forest.send("claim")) in ("not-abandoned", "your-decision")
            hands.move(0.2 * days)
            await wake(app)
            await sea.until(sea.game["revision"] + 1)
            assert sea.game["now"]["outcome"] == {"winner": "forest", "reason": "time", "rule": "G3"}


async def test_a_takeback_does_not_give_time_back(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        async with ann.socket(game["id"]) as forest:
            hands.move(10)
            await forest.play(hold=True)
            hands.move(10)
            await forest.send("undo", revision=forest.game["revision"])
            assert left(forest.game)[0] == 40_000
            before = forest.game["now"]["clock"]
        async with ann.socket(game["id"]) as forest:
            assert forest.game["now"]["clock"] == before


@pytest.mark.slow
@pytest.mark.parametrize("restarts", [1, 3])
async def test_downtime_is_not_charged_to_players(settings: Settings, restarts: int) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        hands.move(10)
        await beat(app)
        cookies = ann.http.cookies
    for _ in range(restarts - 1):
        hands.move(50)
        async with application(settings, now=hands) as app:
            hands.move(3)
            await beat(app)
    hands.move(300)
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        await wake(app)
        ann.http.cookies = httpx.Cookies(cookies)
        used = 10_000 + (restarts - 1) * 3_000
        view = await ann.view(game)
        assert view["now"]["outcome"] is None
        assert left(view) == (60_000 - used, 60_000)
        hands.move(5)
        assert left(await ann.view(game)) == (55_000 - used, 60_000)
        update = await ann.play(view, choices(view)[0])
        assert update["now"]["clock"]["forest"] in (55_000 - used, 57_000 - used)
    # Replaying the game once more gives the same time.
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        assert left(await ann.view(game))[0] == update["now"]["clock"]["forest"]


async def test_a_pause_does_not_make_a_decision_stale(settings: Settings) -> None:
    """A command that was in flight when the server died is retried with the revision that the player saw."""
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        game = updated(game, await ann.play(game, choices(game)[0]))
        await beat(app)
        cookies = ann.http.cookies, ben.http.cookies
    hands.move(300)
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        ann.http.cookies, ben.http.cookies = (httpx.Cookies(each) for each in cookies)
        mover = {"forest": ann, "sea": ben}[game["now"]["decider"]]
        assert (await mover.view(game))["revision"] == game["revision"] + 1, "the clocks were not paused"
        before = {**game, "revision": game["revision"] - 1}
        await mover.play(before, choices(game)[0], status=409)
        update = await mover.play(game, choices(game)[0])
        assert update["base"] == game["revision"] + 1
        await mover.play(game, choices(game)[0], status=409)


async def beat(app: FastAPI) -> None:
    """Store a heartbeat now."""
    heartbeat = app.state.services.heartbeat
    await heartbeat._storage.beat(heartbeat._presence.process, heartbeat._time.running())


async def test_an_abandoned_game_can_be_claimed_after_a_while(settings: Settings) -> None:
    hands = Hands()
    slow = {"kind": "real-time", "initial": 600_000, "increment": 0}
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=slow)
        async with ben.socket(game["id"]) as sea:
            async with ann.socket(game["id"]):
                hands.move(120)
                message = await sea.send("claim")
                assert (refused(message), message["problem"]["sentence"]) == (
                    "not-abandoned",
                    "You cannot claim the win while your opponent is at the table.",
                )
            while (await sea.hear("presence"))["forest"]:
                pass
            hands.move(59)
            assert refused(await sea.send("claim")) == "not-abandoned"
            hands.move(1)
            assert (await sea.send("claim"))["type"] == "done"
            assert sea.game["now"]["outcome"] == {"winner": "sea", "reason": "abandoned", "rule": "G3"}


async def test_a_player_whose_browser_cannot_open_sockets_is_not_away(settings: Settings) -> None:
    hands = Hands()
    slow = {"kind": "real-time", "initial": 900_000, "increment": 0}
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=slow)
        async with ben.socket(game["id"]) as sea:
            for _ in range(3):
                hands.move(59)
                assert refused(await sea.send("claim")) == "not-abandoned"
                await ann.view(game)
            hands.move(59)
            await ann.post(f"/games/{game['id']}/offer", {"revision": 0, "what": "draw"})
            hands.move(59)
            assert refused(await sea.send("claim")) == "not-abandoned"
            hands.move(1)
            assert (await sea.send("claim"))["type"] == "done"


async def test_a_claim_does_not_count_the_time_in_which_the_server_was_down(settings: Settings) -> None:
    hands, day = Hands(), 86_400
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        await beat(app)
        cookies = ann.http.cookies, ben.http.cookies
    hands.move(2 * day)
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        ann.http.cookies, ben.http.cookies = (httpx.Cookies(each) for each in cookies)
        claim = f"/games/{game['id']}/claim"
        hands.move(3 * day - 1)
        assert (await ben.post(claim, {}, status=409))["kind"] == "not-abandoned"
        hands.move(1)
        assert (await ben.post(claim, {}))["now"]["outcome"]["reason"] == "abandoned"


async def test_a_player_who_is_connected_to_another_process_has_not_left(settings: Settings) -> None:
    hands = Hands()
    slow = {"kind": "real-time", "initial": 900_000, "increment": 0}
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=slow)
        storage, place = app.state.services.heartbeat._storage, (game["id"], FOREST)
        await storage.beat("another process", hands.now, {place: None})
        hands.move(120)
        await storage.beat("another process", hands.now)
        claim = f"/games/{game['id']}/claim"
        assert (await ben.post(claim, {}, status=409))["kind"] == "not-abandoned"
        await storage.beat("another process", hands.now, {place: hands.now})
        hands.move(59)
        assert (await ben.post(claim, {}, status=409))["kind"] == "not-abandoned"
        hands.move(1)
        assert (await ben.post(claim, {}))["now"]["outcome"]["reason"] == "abandoned"


async def test_a_player_who_must_decide_cannot_claim_the_game(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        hands.move(10 * 24 * 3600)
        problem = await ann.post(f"/games/{game['id']}/claim", {}, status=409)
        assert problem["kind"] == "your-decision"
        assert (await ben.post(f"/games/{game['id']}/claim", {}))["now"]["outcome"]["reason"] == "abandoned"
