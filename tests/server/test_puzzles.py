"""Puzzles on the server: first attempts of people, the ratings that follow from them, and reports."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from cairn import puzzles
from cairn.rating import Rating, rate_game
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.server.storage.puzzles import NEW_SOLVER
from cairn.server.storage.tables import METADATA
from harness.server.client import Client
from harness.server.people import account, bot, guest, identity_of, me, unlimited
from harness.server.processes import running
from tests.server.places import settings_at

pytestmark = pytest.mark.anyio

EASY, HARD = puzzles.released()[0], puzzles.released()[-1]


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    async with unlimited(settings) as client:
        yield client


def attempts(*each: tuple[puzzles.Puzzle, bool]) -> dict[str, Any]:
    return {"attempts": [{"puzzle": puzzle.id, "solved": solved} for puzzle, solved in each]}


def packaged(puzzle: puzzles.Puzzle) -> Rating:
    assert puzzle.rating
    assert puzzle.deviation
    return Rating(puzzle.rating, puzzle.deviation)


async def rows(client: Client, name: str) -> list[Any]:
    assert client.app is not None
    table = METADATA.tables[name]
    found = await client.app.state.services.database.read(lambda connection: connection.execute(sa.select(table)).all())
    return list(found)


async def test_an_attempt_rates_the_puzzle_and_the_player_with_glicko_2(client: Client) -> None:
    ann = await account(client, "Ann")
    assert (await client.get("/puzzles/ratings"))["ratings"] == {}
    told = await ann.post("/puzzles/attempts", attempts((EASY, True), (HARD, False)))
    solver, easy = rate_game(NEW_SOLVER, packaged(EASY), 1)
    solver, hard = rate_game(solver, packaged(HARD), 0)
    expected = {
        puzzle.id: {"rating": round(rating.rating), "deviation": round(rating.deviation), "attempts": 1}
        for puzzle, rating in ((EASY, easy), (HARD, hard))
    }
    assert told["ratings"] == expected
    assert (await client.get("/puzzles/ratings"))["ratings"] == expected
    assert easy.rating < packaged(EASY).rating  # a solved puzzle is easier than it was thought to be
    (stored,) = await rows(client, "solver_ratings")
    assert (stored.player, stored.attempts) == ((await me(ann))["id"], 2)
    assert (stored.rating, stored.deviation) == pytest.approx((solver.rating, solver.deviation))


async def test_only_the_first_attempt_counts_however_often_it_is_sent(client: Client) -> None:
    ann, ben = await guest(client), await guest(client)
    first = await ann.post("/puzzles/attempts", attempts((EASY, False)))
    for body in (attempts((EASY, False)), attempts((EASY, True)), attempts((EASY, True), (EASY, False))):
        assert await ann.post("/puzzles/attempts", body) == first
    second = (await ben.post("/puzzles/attempts", attempts((EASY, False))))["ratings"][EASY.id]
    assert second["attempts"] == 2
    assert second["rating"] > first["ratings"][EASY.id]["rating"]
    assert len(await rows(client, "puzzle_attempts")) == 2


async def test_attempts_at_the_same_time_are_all_counted(settings: Settings, place: Path | str) -> None:
    where = dataclasses.replace(settings_at(settings, place), limits=NO_LIMITS)
    async with running(where) as client:
        people = [await guest(client) for _ in range(8)]
        bodies = [attempts((EASY, True), (HARD, False)), attempts((HARD, True), (EASY, False))]
        sent = [each.post("/puzzles/attempts", bodies[number % 2]) for number, each in enumerate(people)]
        # Each attempt is sent twice, as by two tabs.
        sent += [each.post("/puzzles/attempts", bodies[number % 2]) for number, each in enumerate(people)]
        await asyncio.gather(*sent)
        ratings = (await client.get("/puzzles/ratings"))["ratings"]
        assert {each["attempts"] for each in ratings.values()} == {8}
        assert len(await rows(client, "puzzle_attempts")) == 16


async def test_unknown_puzzles_are_ignored_and_malformed_requests_are_refused(client: Client) -> None:
    ann = await guest(client)
    known = attempts((EASY, True))["attempts"]
    told = await ann.post("/puzzles/attempts", {"attempts": [{"puzzle": "ffffffff", "solved": True}, *known]})
    assert list(told["ratings"]) == [EASY.id]
    for wrong in ([], [{"puzzle": "short", "solved": True}], known * 21):
        assert (await ann.post("/puzzles/attempts", {"attempts": wrong}, status=422))["kind"] == "malformed"


async def test_bots_are_refused(client: Client) -> None:
    robot = await bot(await account(client, "Ann"), "Robot")
    assert (await robot.post("/puzzles/attempts", attempts((EASY, True)), status=403))["kind"] == "bot-refused"


async def test_a_wrong_puzzle_is_reported_to_the_administrators(client: Client) -> None:
    ann, admin = await guest(client), await account(client, "Admin", admin=True)
    await ann.post(f"/puzzles/{EASY.id}/report", {"text": " Two decisions win. "}, status=204)
    (report,) = (await admin.get("/admin/reports"))["reports"]
    assert (report["puzzle"], report["game"], report["about"]) == (EASY.id, None, None)
    assert (report["text"], report["by"]["player"]) == ("Two decisions win.", await me(ann))
    assert (await ann.post("/puzzles/ffffffff/report", {"text": "?"}, status=404))["kind"] == "not-found"
    await ann.post(f"/puzzles/{EASY.id}/report", {"text": ""}, status=422)


async def test_reports_and_attempts_are_limited(settings: Settings) -> None:
    async with running(settings) as client:
        ann = await guest(client)
        for _ in range(30):
            await ann.post(f"/puzzles/{EASY.id}/report", {"text": "Wrong."}, status=204)
        assert (await ann.post(f"/puzzles/{EASY.id}/report", {"text": "Wrong."}, status=429))["kind"] == "too-many"


async def test_attempts_are_exported_and_deleted_with_the_player(client: Client) -> None:
    ann, ben = await guest(client), await guest(client)
    for each in (ann, ben):
        await each.post("/puzzles/attempts", attempts((EASY, True)))
    exported = (await ann.get("/account/export"))["tables"]
    assert [(row["puzzle"], row["solved"]) for row in exported["puzzle_attempts"]] == [(EASY.id, True)]
    assert exported["solver_ratings"][0]["attempts"] == 1
    await ann.ask("DELETE", "/account", {}, status=204)
    (left,) = await rows(client, "puzzle_attempts")
    assert left.player == (await me(ben))["id"]
    assert len(await rows(client, "solver_ratings")) == 1
    # What people achieved together remains.
    assert (await client.get("/puzzles/ratings"))["ratings"][EASY.id]["attempts"] == 2


async def test_idle_guests_are_deleted_with_their_attempts(client: Client) -> None:
    ann = await guest(client)
    await ann.post("/puzzles/attempts", attempts((EASY, True)))
    assert await identity_of(client).sweep(-datetime.timedelta(days=1)) == 1
    assert await rows(client, "puzzle_attempts") == await rows(client, "solver_ratings") == []
