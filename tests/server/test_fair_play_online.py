"""Fair play on a real server: an honest player can always move, and every rated game ends."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from cairn import Game
from cairn.server.live.server_time import utc_now
from cairn.server.settings import Settings
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.tables import challenges
from cairn.server.web import lifespan
from harness.server.client import choices
from harness.server.postgresql import PostgresServer
from harness.server.processes import listening
from harness.server.visitors import (
    Hands,
    Socket,
    Visitor,
    application,
    begun,
    number,
    refused,
    table,
    two,
    with_account,
)
from tests.server.places import change_header, settings_at

pytestmark = pytest.mark.anyio

BLITZ = {"kind": "real-time", "initial": 60_000, "increment": 2_000}
DAY = 24 * 3_600


async def hand_over(here: Socket, there: Socket) -> None:
    """Play the first choice, repeatedly, until the other player has to decide."""
    decider = here.game["now"]["decider"]
    while here.game["now"]["decider"] == decider:
        await here.play()
    await there.until(here.game["revision"])


async def flood(socket: Socket) -> list[str]:
    """Try ten takeback requests and ten draw offers, and withdraw those that are not refused; return the refusals."""
    refusals = []
    for what in ["takeback"] * 10 + ["draw"] * 10:
        answer = await socket.send("offer", what=what, revision=socket.game["revision"])
        if answer["type"] == "done":
            await socket.send("answer", answer="withdraw", revision=socket.game["revision"])
        else:
            refusals.append(refused(answer))
    return refusals


@pytest.mark.slow
async def test_offers_cannot_keep_the_opponent_from_moving(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            await hand_over(forest, sea)
            await hand_over(sea, forest)
            for _ in range(3):
                seen, token = forest.game["revision"], choices(forest.game)[0]
                assert await flood(sea) == ["offered-already"] * (10 - 3 + 10 - 1)
                assert sea.game["revision"] == seen + 2 * (3 + 1)
                answer = await forest.send("play", revision=seen, tribe="forest", token=token)
                assert answer["type"] == "done", answer
                while forest.game["now"]["decider"] != "sea":
                    await forest.play()
                await sea.until(forest.game["revision"])
                await hand_over(sea, forest)


@pytest.mark.slow
async def test_offers_through_another_process_cannot_keep_the_opponent_from_moving(
    settings: Settings, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time the token is about to be stored, the other process stores an offer or its withdrawal first."""
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"))
    async with (
        application(shared) as first,
        application(shared) as second,
        listening(first) as here,
        listening(second) as there,
        Visitor(here) as ann,
        Visitor(there) as ben,
    ):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            await hand_over(forest, sea)
            await hand_over(sea, forest)
            storage: GameRepository = first.state.services.authority._games
            append = storage.append
            overtaken: list[str] = []

            async def append_after_the_other(*args: Any) -> None:
                if len(overtaken) < 8:
                    revision, what = sea.game["revision"], "draw" if len(overtaken) < 2 else "takeback"
                    if len(overtaken) % 2 == 0:
                        answer = await sea.send("offer", revision=revision, what=what)
                    else:
                        answer = await sea.send("answer", revision=revision, answer="withdraw")
                    overtaken.append(answer["type"])
                await append(*args)

            monkeypatch.setattr(storage, "append", append_after_the_other)
            answer = await forest.play()
            assert answer["type"] == "done", answer
            assert overtaken == ["done"] * 8


async def test_a_command_for_a_future_revision_does_not_reload_the_game(
    settings: Settings, place: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with application(settings_at(settings, place)) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            storage: GameRepository = app.state.services.authority._games
            loaded: list[str] = []
            load = storage.load

            async def counted(name: str) -> Any:
                loaded.append(name)
                return await load(name)

            monkeypatch.setattr(storage, "load", counted)
            assert refused(await forest.play(revision=99)) == "stale-revision"
            assert loaded == []


async def test_a_command_may_have_a_revision_above_one_million(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        body = {"tribe": "forest", "token": choices(game)[0]}
        for revision, status, kind in (
            (1_000_001, 409, "stale-revision"),
            (2**53, 409, "stale-revision"),
            (2**53 + 1, 422, "malformed"),
        ):
            problem = await ann.post(f"/games/{game['id']}/tokens", {"revision": revision, **body}, status=status)
            assert problem["kind"] == kind


# --- Lag compensation


@pytest.mark.parametrize(("command", "body"), [("offer", {"what": "draw"}), ("claim", {}), ("undo", {})])
async def test_an_opponents_command_does_not_shorten_the_lag_compensation_of_the_mover(
    settings: Settings, command: str, body: dict[str, Any]
) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        async with ann.socket(game["id"]) as forest:  # Forest is at the table, so that the game cannot be claimed
            hands.move(60.001)
            await ben.http.post(f"/api/games/{game['id']}/{command}", json={"revision": 0, **body})
            assert (await ben.view(game))["now"]["outcome"] is None
            hands.move(0.2)
            assert (await forest.play(lag=250))["type"] == "done"
            assert forest.game["now"]["outcome"] is None


async def test_an_opponents_command_ends_the_game_once_no_token_can_arrive_in_time(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        app.state.services.authority.clock_watch._deadlines.clear()  # as if the clock watch were late
        hands.move(60.3)
        problem = await ben.post(f"/games/{game['id']}/offer", {"revision": 0, "what": "draw"}, status=409)
        assert problem["kind"] == "game-over"
        assert (await ann.view(game))["now"]["outcome"]["reason"] == "time"


async def test_a_player_to_move_gets_no_more_lag_compensation_than_their_command_requests(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, clock=BLITZ)
        hands.move(60.1)
        problem = await ann.post(f"/games/{game['id']}/offer", {"revision": 0, "what": "draw"}, status=409)
        assert problem["kind"] == "game-over"


# --- Rated games need a clock


async def test_a_rated_challenge_needs_a_clock(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        await with_account(ann)
        for fields in ({}, {"open": True}, {"level": 3}, {"clock": None}):
            problem = await ann.post("/challenges", {"rated": True, **fields}, status=409)
            assert problem["kind"] == "rated-needs-clock"
            assert problem["sentence"] == "A rated game needs a clock. Choose a clock, or play an unrated game."
        for clock in (BLITZ, {"kind": "correspondence", "days": 3}):
            await ann.post("/challenges", {"rated": True, "clock": clock}, status=201)
        assert (await ann.get("/lobby"))["challenges"] == []


async def test_a_rated_challenge_from_an_earlier_version_cannot_begin_without_a_clock(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        await with_account(ann)
        await with_account(ben)
        made = await ann.challenge()
        level = await ann.post("/challenges", {"level": 1}, status=201)
        rated = sa.update(challenges).values(rated=True)
        await app.state.services.database.write(lambda connection: connection.execute(rated))
        assert (await ben.accept(made["invite"], status=409))["kind"] == "rated-needs-clock"
        path = f"/challenges/{level['challenge']['id']}/number"
        problem = await ann.ask("PUT", path, {"number": number()}, status=409)
        assert problem["kind"] == "rated-needs-clock"
        assert (await ann.get(f"/challenges/{made['invite']}"))["state"] == "open"


async def make_rated(app: FastAPI, *names: str) -> None:
    """Make games without a clock rated, which only earlier versions allowed."""
    for name in names:
        await app.state.services.database.write(functools.partial(change_header, game=name, rated=True))
        await app.state.services.authority.forget(name)


async def test_a_rematch_of_a_rated_game_without_a_clock_is_refused(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        await with_account(ann)
        await with_account(ben)
        game = await begun(ann, ben)
        await make_rated(app, game["id"])
        await ben.post(f"/games/{game['id']}/resign", {})
        assert (await ann.post(f"/games/{game['id']}/rematch", status=409))["kind"] == "rated-needs-clock"


# --- Games without a clock


@pytest.mark.parametrize("rated", [True, False])
async def test_an_open_socket_does_not_block_a_claim_in_a_game_without_a_clock(settings: Settings, rated: bool) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        await with_account(ann)
        await with_account(ben)
        game = await begun(ann, ben)
        if rated:
            await make_rated(app, game["id"])
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            hands.move(3 * DAY - 1)
            answer = await sea.send("claim")
            assert refused(answer) == "not-abandoned"
            assert answer["problem"]["sentence"] == "You cannot claim the win yet: your opponent has 3 days to decide."
            hands.move(1)
            assert (await sea.send("claim"))["type"] == "done"
            await forest.until(sea.game["revision"])
            assert forest.game["now"]["outcome"] == {"winner": "sea", "reason": "abandoned", "rule": "G3"}


async def against_level(visitor: Visitor) -> Any:
    """Start a game without a clock against the computer. The visitor plays Forest and moves first."""
    made = await visitor.challenge(level=1, tribe="forest", first="forest")
    return await visitor.view({"id": made["challenge"]["game"]})


@pytest.mark.slow
async def test_only_rated_games_without_a_clock_and_without_a_recent_decision_are_found(
    settings: Settings, place: Path | str
) -> None:
    async with (
        application(settings_at(settings, place)) as app,
        listening(app) as address,
        two(address) as (ann, ben),
    ):
        await with_account(ann)
        await with_account(ben)
        began = utc_now()
        level, idle, decided, over = await against_level(ann), *[await begun(ann, ben) for _ in range(3)]
        await begun(ann, ben)
        await begun(ann, ben, rated=True, clock=BLITZ)
        await make_rated(app, *(game["id"] for game in (level, idle, decided, over)))
        since = utc_now()
        await ann.post(f"/games/{idle['id']}/offer", {"revision": 0, "what": "draw"})
        await ann.play(decided, choices(decided)[0])
        await ann.post(f"/games/{over['id']}/resign", {})
        storage = GameRepository(app.state.services.database)
        assert sorted(await storage.rated_without_decision(since)) == sorted([level["id"], idle["id"]])
        assert await storage.rated_without_decision(began) == []


@pytest.mark.slow
async def test_rated_games_without_a_clock_end_after_fourteen_days_without_a_decision(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, two(address) as (ann, ben):
        await with_account(ann)
        await with_account(ben)
        authority = app.state.services.authority
        level, between, unrated = await against_level(ann), await begun(ann, ben), await against_level(ann)
        later = await begun(ann, ben)
        correspondence = await begun(ann, ben, rated=True, clock={"kind": "correspondence", "days": 30})
        await make_rated(app, level["id"], between["id"], later["id"])
        hands.move(DAY)
        await ann.play(later, choices(later)[0])
        for days in (12, 0.99):
            hands.move(days * DAY)
            await authority.end_abandoned()
            assert [(await ann.view(game))["now"]["outcome"] for game in (level, between, later)] == [None] * 3
        await ann.post(f"/games/{between['id']}/offer", {"revision": 0, "what": "draw"})  # an offer is not a decision
        hands.move(0.01 * DAY)
        await authority.end_abandoned()
        for game in (level, between):
            ended = await ann.view(game)
            assert ended["now"]["outcome"] == {"winner": "sea", "reason": "abandoned", "rule": "G3"}
            assert ended["players"]["sea"]["rating"] > ended["players"]["forest"]["rating"] or game is level
        assert len((await ann.get(f"/players/{level['players']['forest']['id']}"))["history"]) == 2
        for game in (unrated, later, correspondence):
            assert (await ann.view(game))["now"]["outcome"] is None


async def test_downtime_does_not_count_as_time_without_a_decision(settings: Settings) -> None:
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, Visitor(address) as ann:
        await with_account(ann)
        game = await against_level(ann)
        await make_rated(app, game["id"])
        hands.move(10 * DAY)
        heartbeat = app.state.services.heartbeat
        await heartbeat._storage.beat(heartbeat._presence.process, hands.now)
    hands.move(100 * DAY)
    async with application(settings, now=hands) as app, listening(app) as address, Visitor(address) as ann:
        await app.state.services.authority.end_abandoned()
        assert (await ann.view(game))["now"]["outcome"] is None
        hands.move(4 * DAY)
        await app.state.services.authority.end_abandoned()
        assert (await ann.view(game))["now"]["outcome"]["winner"] == "sea"


async def test_the_computer_never_abandons_a_game(settings: Settings) -> None:
    class Asleep:
        async def choose(self, game: Game, level: int) -> str:
            await asyncio.Event().wait()
            raise AssertionError

        async def close(self) -> None:
            """Do nothing: there is nothing to close."""

    hands = Hands()
    async with (
        application(settings, now=hands, computer=Asleep()) as app,
        listening(app) as address,
        Visitor(address) as ann,
    ):
        await with_account(ann)
        made = await ann.challenge(level=1, tribe="sea", first="forest")
        game = {"id": made["challenge"]["game"]}
        await make_rated(app, game["id"])
        hands.move(20 * DAY)
        await app.state.services.authority.end_abandoned()
        assert (await ann.view(game))["now"]["outcome"] is None


async def test_abandoned_games_are_ended_at_regular_intervals(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FIRST_SWEEP_SECONDS", "SWEEP_SECONDS"):
        monkeypatch.setattr(lifespan, name, 0.02)
    hands = Hands()
    async with application(settings, now=hands) as app, listening(app) as address, Visitor(address) as ann:
        await with_account(ann)
        game = await against_level(ann)
        await make_rated(app, game["id"])
        async with ann.socket(game["id"]) as socket:
            hands.move(15 * DAY)
            await socket.until(1)
            assert socket.game["now"]["outcome"]["reason"] == "abandoned"
