"""The hash chain of each game's log: damage is detected and reported, and affects no other game."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import websockets

from cairn.server.errors import DamagedGameError
from cairn.server.game.events import Event, TokenPlayed, TokensUndone
from cairn.server.health import log_check
from cairn.server.health.damaged_games import DamagedGames
from cairn.server.health.log_check import LogCheck
from cairn.server.settings import Settings
from cairn.server.storage import migrations
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.migrations.versions import v0007_hash_chain
from cairn.server.storage.tables import events, games, seats, standings
from harness.server.client import AGAINST_COMPUTER, PERSONS, START, tokens, updated
from harness.server.people import account
from harness.server.postgresql import PostgresServer
from harness.server.processes import listening, running
from harness.server.visitors import Visitor, begun, table, two
from tests.server.places import downgrade, settings_at
from tests.server.test_database import HEAD, NOW, standing

pytestmark = pytest.mark.anyio

LOG: list[Event] = [TokenPlayed("a1-a2", hold=True), TokensUndone(1), TokenPlayed("a1-a2"), TokenPlayed("a5-b4")]


def event(revision: int, **values: Any) -> Callable[[str], sa.Update]:
    return lambda game: events.update().where(events.c.game == game, events.c.revision == revision).values(**values)


CORRUPTIONS: dict[str, Callable[[str], sa.Executable]] = {
    "kind": event(1, kind="confirm", data={}),
    "data": event(2, data={"token": "a5-a4", "hold": False}),
    "hidden data": event(2, data={"token": "a5-b4", "hold": False, "lag": 1}),
    "time": event(1, time=NOW),
    "hash": event(2, hash="0" * 64),
    "order": lambda game: events.update().where(events.c.game == game).values(revision=100 - events.c.revision),
    "first event": lambda game: events.delete().where(events.c.game == game, events.c.revision == 1),
    "last event": lambda game: events.delete().where(events.c.game == game, events.c.revision == 2),
    "all events": lambda game: events.delete().where(events.c.game == game),
    "an event from another game": lambda game: events.insert().values(
        game=game, revision=3, kind="token", data={"token": "c1-c2", "hold": False}, time=NOW
    ),
    "seed": lambda game: games.update().where(games.c.id == game).values(seed=bytes(32)),
    "start": lambda game: games.update().where(games.c.id == game).values(start=START.replace("S1S1S", "S1SS1")),
    "rated": lambda game: games.update().where(games.c.id == game).values(rated=True),
    "seat": lambda game: seats.update().where(seats.c.game == game, seats.c.tribe == "sea").values(level=7),
    "missing seat": lambda game: seats.delete().where(seats.c.game == game, seats.c.tribe == "sea"),
    "clock": lambda game: sa.text(f"UPDATE games SET clock = '[1]' WHERE id = '{game}'"),
    "last revision": lambda game: standings.update().where(standings.c.game == game).values(revision=7),
    "last hash": lambda game: standings.update().where(standings.c.game == game).values(hash="0" * 64),
}


async def two_games(settings: Settings) -> tuple[Any, Any]:
    """Store two games with two tokens each. Afterwards, no running server has them in memory."""
    async with running(settings) as client:
        begun = [await client.begin(PERSONS, position=START) for _ in range(2)]
        for game in begun:
            await client.play(updated(game, await client.play(game, "a1-a2")), "a5-b4")
        return begun[0], begun[1]


@pytest.mark.parametrize("what", CORRUPTIONS)
async def test_damage_is_reported_and_does_not_affect_other_games(
    settings: Settings, place: Path | str, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings = settings_at(settings, place)
    damaged, intact = await two_games(settings)
    async with running(settings) as client:
        assert client.app is not None
        await client.app.state.services.database.execute(CORRUPTIONS[what](damaged["id"]))
        for _ in range(2):
            problem = await client.get(f"/games/{damaged['id']}", status=503)
            assert (problem["kind"], "Other games are not affected" in problem["sentence"]) == ("damaged-game", True)
        await client.get(f"/games/{damaged['id']}/record", status=503)
        body = {"revision": 2, "tribe": "forest", "token": "c1-c2"}
        assert (await client.post(f"/games/{damaged['id']}/tokens", body, status=503))["kind"] == "damaged-game"

        view = await client.view(intact)
        assert tokens(await client.view(updated(view, await client.play(view, "c1-c2")))) == ["a1-a2", "a5-b4", "c1-c2"]
        await client.get("/ready")
        assert intact["id"] in {each["id"] for each in (await client.get("/games"))["games"]}

        reported = [line for line in caplog.records if "is damaged" in line.message]
        assert [(line.levelno, damaged["id"] in line.message) for line in reported] == [(logging.ERROR, True)]
        assert "\ncairn_damaged_games 1.0\n" in (await client.http.get("/api/metrics")).text
        admin = await account(client, "Admin", admin=True)
        listed = await admin.get("/admin/damage")
        assert (listed["database"], [each["game"] for each in listed["games"]]) == (None, [damaged["id"]])


async def test_a_log_that_cannot_be_replayed_counts_as_damaged(settings: Settings, place: Path | str) -> None:
    """The hashes match, but the token is not legal."""
    settings = settings_at(settings, place)
    damaged, intact = await two_games(settings)
    database = await Database.open(place)
    await GameRepository(database).append(damaged["id"], 3, [TokenPlayed("e5-e4")], standing(3))
    await database.close()
    async with running(settings) as client:
        assert (await client.get(f"/games/{damaged['id']}", status=503))["kind"] == "damaged-game"
        await client.view(intact)


async def test_a_socket_for_a_damaged_game_is_closed_with_try_again_later(settings: Settings) -> None:
    damaged, _ = await two_games(settings)
    async with running(settings) as client:
        assert client.app is not None
        await client.app.state.services.database.execute(CORRUPTIONS["data"](damaged["id"]))
        async with listening(client.app) as address:
            target = f"ws{address.removeprefix('http')}api/games/{damaged['id']}/socket"
            async with websockets.connect(target) as socket:
                with pytest.raises(websockets.ConnectionClosed):
                    await socket.recv()
                assert (socket.close_code, "damaged" in (socket.close_reason or "")) == (1013, True)


async def test_the_computer_does_not_play_on_in_a_damaged_game(settings: Settings) -> None:
    async with running(settings) as client:
        game = await client.begin(AGAINST_COMPUTER, position=START)
        await client.play(game, "a1-a2")
        await client.until_asked(game)
    async with running(settings) as client:
        assert client.app is not None
        services = client.app.state.services
        await services.database.execute(event(1, time=NOW)(game["id"]))
        services.authority.computer_turns.begin(game["id"])
        async with asyncio.timeout(10):
            while len(services.authority.computer_turns):
                await asyncio.sleep(0.01)
        assert (await client.get(f"/games/{game['id']}", status=503))["kind"] == "damaged-game"


async def test_the_background_check_finds_damage_and_notices_repairs(
    place: Path | str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_check, "GAMES_AT_ONCE", 2)
    monkeypatch.setattr(log_check, "EVENTS_AT_ONCE", 3)
    monkeypatch.setattr(log_check, "PAUSE_FACTOR", 0)
    database = await Database.open(place)
    try:
        damaged = DamagedGames(lambda: NOW)
        repository = GameRepository(database, damaged.report)
        for number in range(5):
            await repository.create(dataclasses.replace(HEAD, id=f"game{number}"), LOG, standing(4))
            for revision in range(5, 5 + number):
                await repository.append(f"game{number}", revision, LOG[:1], standing(revision))
        check = LogCheck(database, repository, damaged, shortest_pause=0)
        await check.check_all()
        assert (len(damaged), caplog.text) == (0, "")
        await database.execute(event(7, time=HEAD.created.replace(year=2020))("game3"))
        await check.check_all()
        assert [(each.game, each.damage) for each in damaged.listed()] == [
            ("game3", "revision 7 does not match its hash")
        ]
        await database.execute(event(7, time=NOW)("game3"))
        await check.check_all()
        assert len(damaged) == 0
    finally:
        await database.close()


async def test_only_one_process_at_a_time_verifies_logs(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_check, "PAUSE_FACTOR", 0)
    begun_by_first = asyncio.Event()
    async with contextlib.AsyncExitStack() as stack:
        address, found = postgres.new_database("empty"), DamagedGames(lambda: NOW)
        ours, others = await Database.open(address), await Database.open(address)
        stack.push_async_callback(ours.close)
        stack.push_async_callback(others.close)
        games = GameRepository(ours, found.report)
        for game in ("game0", "game1"):
            await games.create(dataclasses.replace(HEAD, id=game), LOG, standing(4))
        await ours.execute(event(1, kind="confirm")("game0"))
        reporting = GameRepository(others, lambda _: begun_by_first.set())
        first = LogCheck(others, reporting, DamagedGames(lambda: NOW), shortest_pause=3_600)
        second = LogCheck(ours, games, found, shortest_pause=0)
        verifying = asyncio.create_task(first.check_all())
        await begun_by_first.wait()
        await second.check_all()
        assert len(found) == 0  # the first process is still verifying
        verifying.cancel()
        await asyncio.wait([verifying])
        async with asyncio.timeout(30):
            while not len(found):  # the database may take a moment to notice that the first process has stopped
                await second.check_all()
        assert [each.game for each in found.listed()] == ["game0"]


async def test_loading_only_the_later_events_verifies_their_hashes(place: Path | str) -> None:
    database = await Database.open(place)
    try:
        repository = GameRepository(database)
        await repository.create(HEAD, LOG, standing(4))
        for revision in (0, 2, 4):
            assert (await repository.load_after("game", revision)).events == tuple(LOG[revision:])
        await database.execute(event(3, time=HEAD.created.replace(year=2020))("game"))
        for revision in (0, 2):
            with pytest.raises(DamagedGameError):
                await repository.load_after("game", revision)
    finally:
        await database.close()


async def test_deleting_a_player_does_not_break_the_hash_chain(settings: Settings) -> None:
    async with running(settings) as client:
        ann = await account(client, "Ann")
        game = await ann.begin({"forest": {"kind": "person", "name": "Ann"}, "sea": {"kind": "person"}}, position=START)
        await ann.ask("DELETE", "/account", {"password": "correct horse"}, status=204)
    async with running(settings) as client:
        view = await client.view(game)
        assert view["seats"]["forest"]["name"] is None


async def test_deleting_a_player_of_an_online_game_does_not_break_the_hash_chain(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        await ann.sign_up("Ann")
        game = await begun(ann, ben)
        await ann.ask("DELETE", "/account", {"password": "correct horse"}, status=204)
    async with table(settings) as address, Visitor(address) as visitor:
        assert (await visitor.view(game))["id"] == game["id"]


# --- The migration


async def test_the_migration_adds_hash_chains_to_existing_logs(
    place: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The migration computes the same hashes that appending the events would have stored."""
    monkeypatch.setattr(v0007_hash_chain, "GAMES_AT_ONCE", 2)
    monkeypatch.setattr(v0007_hash_chain, "EVENTS_AT_ONCE", 2)

    def hashes(connection: sa.Connection) -> list[tuple[Any, ...]]:
        found = sa.select(events.c.game, events.c.revision, events.c.hash).order_by(events.c.game, events.c.revision)
        heads = sa.select(standings.c.game, standings.c.hash).order_by(standings.c.game)
        return [tuple(row) for query in (found, heads) for row in connection.execute(query)]

    database = await Database.open(place)
    try:
        repository = GameRepository(database)
        for number in range(5):
            log = [*LOG, *LOG][: 2 * number]
            await repository.create(dataclasses.replace(HEAD, id=f"game{number}"), log, standing(len(log)))
        before = await database.read(hashes)
        assert len(before) == 25
        await database.write(functools.partial(downgrade, version="0006"))
        await database.write(migrations.upgrade)
        assert await database.read(hashes) == before
        stored = await repository.load("game4")
        assert stored is not None
        assert stored.log.events == (*LOG, *LOG)
    finally:
        await database.close()


# --- Lists


@pytest.mark.parametrize("column", ["games.clock", "games.created", "standings.changed"])
async def test_a_row_that_cannot_be_read_does_not_hide_other_games(settings: Settings, column: str) -> None:
    """Only SQLite can contain such a row, because it stores times and JSON as text."""
    damaged, intact = await two_games(settings)
    table, _, name = column.partition(".")
    async with running(settings) as client:
        assert client.app is not None
        key = "id" if table == "games" else "game"
        spoil = sa.text(f"UPDATE {table} SET {name} = '{{' WHERE {key} = '{damaged['id']}'")
        await client.app.state.services.database.execute(spoil)
        assert [each["id"] for each in (await client.get("/games"))["games"]] == [intact["id"]]
        assert (await client.get(f"/games/{damaged['id']}", status=503))["kind"] == "damaged-game"
