"""Deleted players leave no personal data anywhere, and inactive guests are deleted after a while."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from cairn import puzzles
from cairn.server.errors import Refusal
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.server.storage.tables import METADATA, games, players
from harness.server.client import PERSONS, START, Client
from harness.server.people import account, browser, guest, me, unlimited
from harness.server.postgresql import PostgresServer
from harness.server.processes import listening
from harness.server.visitors import PASSWORD, Visitor, application, begun, table, two

pytestmark = pytest.mark.anyio

PUZZLE: Final = puzzles.released()[0].id
GONE: Final = "gone"
STAYS: Final = "stays"
KEPT: Final = {
    "sessions.player": GONE,
    "name_shapes.player": GONE,
    "puzzle_attempts.player": GONE,
    "solver_ratings.player": GONE,
    "password_resets.player": GONE,
    "messages.player": GONE,
    "players.owner": GONE,
    "challenges.opponent": STAYS,  # only in accepted challenges
    "challenges.creator": STAYS,
    "games.owner": STAYS,
    "seats.player": STAYS,
    "ratings.player": STAYS,
    "rating_history.player": STAYS,
    "rating_history.opponent": STAYS,
    "reports.by": STAYS,
    "reports.about": STAYS,
}
"""How deletion affects each column that refers to players. Add new columns here and in docs/accounts.md."""


def test_every_column_that_refers_to_players_is_listed() -> None:
    named = {
        f"{table.name}.{column.name}"
        for table in METADATA.sorted_tables
        for column in table.c
        if any(key.column is players.c.id for key in column.foreign_keys)
    }
    assert named == set(KEPT)


@pytest.fixture
async def app(settings: Settings, place: Path | str) -> AsyncIterator[FastAPI]:
    """An application that uses SQLite or PostgreSQL."""
    where = {"data": place.parent} if isinstance(place, Path) else {"database": place}
    changed: dict[str, Any] = {**where, "limits": NO_LIMITS, "public": True}
    async with application(dataclasses.replace(settings, **changed)) as app:
        yield app


async def rows_of(app: FastAPI) -> dict[str, list[dict[str, Any]]]:
    def everything(connection: sa.Connection) -> dict[str, list[dict[str, Any]]]:
        return {
            table.name: [dict(row._mapping) for row in connection.execute(sa.select(table))]
            for table in METADATA.sorted_tables
        }

    found: dict[str, list[dict[str, Any]]] = await app.state.services.database.read(everything)
    return found


@pytest.mark.slow
async def test_no_stored_data_identifies_a_deleted_player(app: FastAPI) -> None:
    async with listening(app) as address, two(address) as (ann, ben):
        await ann.sign_up("Annabella")
        await ben.sign_up("Benedikt")
        token = (await ann.post("/account/tokens", {"bot": "Robotina", "label": "attic"}, status=201))["token"]
        rated = await begun(ann, ben, rated=True)
        await ben.post(f"/games/{rated['id']}/resign", {})
        played = await begun(ann, ben)
        await ann.post(f"/games/{played['id']}/chat", {"text": "Call me: 555-0100"}, status=204)
        await ben.post(f"/games/{played['id']}/chat", {"text": "Later"}, status=204)
        await ben.post(f"/games/{played['id']}/report", {"about": "forest", "text": "Rude."}, status=204)
        await ann.post(f"/games/{played['id']}/report", {"about": "sea", "text": "Rude, too."}, status=204)
        local = await ann.begin({"forest": {"kind": "person", "name": "Grandmother"}, "sea": {"kind": "person"}})
        waiting = await ann.challenge(open=True)
        await ann.post("/puzzles/attempts", {"attempts": [{"puzzle": PUZZLE, "solved": True}]})
        await ben.post(f"/games/{rated['id']}/rematch", status=201)  # only Ann may accept it
        await app.state.services.identity.issue_reset("Annabella", "a test")
        async with Visitor(address) as robot:
            robot.http.headers["Authorization"] = f"Bearer {token}"
            machine = await begun(robot, ben)
            gone = {(await ann.get("/me"))["player"]["id"], (await robot.get("/me"))["player"]["id"]}

        def words(names: str) -> str:
            return f"/games?search={names}"

        assert (await ben.get(words("annabella")))["total"] == 2
        await ann.ask("DELETE", "/account", {"password": PASSWORD}, status=204)

        for name in ("annabella", "robotina", "benedikt+annabella"):
            assert (await ben.get(words(name)))["total"] == 0
        assert (await ben.get(words("benedikt+beginner")))["total"] == 3
        tables = await rows_of(app)
        everything = str(tables).casefold()
        for word in ("annabella", "robotina", "attic", "555-0100", "grandmother"):
            assert word not in everything, word
        assert "benedikt" in everything
        for place, verdict in KEPT.items():
            name, _, column = place.partition(".")
            found = [row for row in tables[name] if row[column] in gone]
            if verdict == GONE:
                assert found == [], place
        assert all(row["token_hash"] is None for row in tables["seats"] if row["player"] in gone)
        assert {row["state"] for row in tables["challenges"] if gone & {row["creator"], row["opponent"]}} == {
            "accepted"
        }
        assert [line["text"] for line in (await ben.get(f"/games/{played['id']}/chat"))["lines"]] == ["Later"]
        assert (await ben.get("/lobby"))["challenges"] == []
        assert (await ben.get(f"/challenges/{waiting['invite']}", status=404))["kind"] == "unknown-challenge"
        for game in (rated, played, machine, local):
            seats = (await ben.get(f"/games/{game['id']}"))["seats"]
            assert seats["forest"]["name"] is None
            assert seats["sea"]["name"] == (None if game is local else "Benedikt")
        await ben.post(f"/games/{played['id']}/resign", {})  # the opponent can still act in the game


# --- Guests


async def test_inactive_guests_are_deleted(settings: Settings) -> None:
    async with unlimited(dataclasses.replace(settings, public=True)) as client:
        idle, player, asker, named = [await guest(client) for _ in range(4)]
        game = await player.begin(PERSONS, position=START)
        await asker.post(f"/games/{game['id']}/report", {"text": "Hm."}, status=204)
        await named.post("/account", {"name": "Named", "password": PASSWORD}, status=201)
        owner = await account(client, "Owner")
        identity = client.app.state.services.identity  # type: ignore[union-attr]
        assert await identity.sweep(datetime.timedelta(days=1)) == 0
        await grow_old(client, datetime.timedelta(days=100))
        back, fresh = await returned(client), await guest(client)
        assert await identity.sweep(datetime.timedelta(days=90)) == 1
        assert await me(idle) is None
        for each in (player, asker, named, owner, back, fresh):
            assert await me(each) is not None
        assert await identity.sweep(datetime.timedelta(days=90)) == 0


async def test_a_guest_who_returns_during_a_sweep_is_kept(settings: Settings, postgres: PostgresServer) -> None:
    """The guest's game is being stored when the sweep starts. On SQLite, the two transactions cannot overlap."""
    there = postgres.new_database("empty")
    async with application(dataclasses.replace(settings, database=there, limits=NO_LIMITS)) as app:
        identity = app.state.services.identity
        back, idle = [(await identity.guest("127.0.0.1")).player for _ in range(2)]
        game = {"id": "new", "created": back.created, "start": START, "seed": b"", "words": "", "owner": back.id}
        async with asyncio.timeout(20), app.state.services.database.backend._writer.begin() as connection:
            await connection.execute(games.insert().values(**game))
            assert await identity.sweep(datetime.timedelta(0)) == 1
        assert await identity.find(back.id) == back
        with pytest.raises(Refusal, match="no such player"):
            await identity.find(idle.id)


async def grow_old(client: Client, by: datetime.timedelta) -> None:
    """Move the stored times of all players and sessions into the past."""
    sessions = METADATA.tables["sessions"]
    assert client.app is not None

    def grow(connection: sa.Connection) -> None:
        for aged, columns in ((players, ["created"]), (sessions, ["created", "seen"])):
            for row in connection.execute(sa.select(aged)).all():
                key = next(iter(aged.primary_key))
                older = {name: row._mapping[name] - by for name in columns}
                connection.execute(aged.update().where(key == row._mapping[key.name]).values(**older))

    await client.app.state.services.database.write(grow)


async def returned(client: Client) -> Client:
    """Return a guest who was created long ago and is active again."""
    assert client.app is not None
    made = await client.app.state.services.identity.guest("127.0.0.1")
    long_ago = made.player.created - datetime.timedelta(days=100)
    older = players.update().where(players.c.id == made.player.id).values(created=long_ago)
    await client.app.state.services.database.write(lambda connection: connection.execute(older))
    return browser(client.app, cookie=made.token)


async def test_an_export_does_not_contain_data_about_other_players(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        await ann.sign_up("Annabella")
        await ben.sign_up("Benedikt")
        game = await begun(ann, ben, rated=True)
        await ann.post(f"/games/{game['id']}/chat", {"text": "Mine"}, status=204)
        await ben.post(f"/games/{game['id']}/chat", {"text": "His"}, status=204)
        await ben.post(f"/games/{game['id']}/report", {"about": "forest", "text": "About Ann."}, status=204)
        tables = (await ann.get("/account/export"))["tables"]
        assert [row["text"] for row in tables["messages"]] == ["Mine"]
        assert tables["reports"] == []
        assert [row["game"] for row in tables["seats"]] == [game["id"]]
        assert "Benedikt" not in str({name: rows for name, rows in tables.items() if name != "games"})
