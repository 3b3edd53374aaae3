"""Identity, tested without HTTP: names, sessions, links, passwords, exports, and the migration of older databases."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import argon2
import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory

from cairn.server.errors import Refusal
from cairn.server.players import names
from cairn.server.players.identity import Identity, Visitor
from cairn.server.players.limits import NO_LIMITS, Limiter
from cairn.server.players.passwords import Passwords, needs_rehash
from cairn.server.settings import Settings
from cairn.server.storage import migrations
from cairn.server.storage.data_folder import DATABASE
from cairn.server.storage.engines.database import Database
from cairn.server.storage.players.repository import PlayerRepository, tables_about_players
from cairn.server.storage.players.rows import Credentials, Player, Session
from cairn.server.storage.tables import METADATA

pytestmark = pytest.mark.anyio

PASSWORD: Final = "correct horse"
NOW: Final = datetime.datetime(2026, 11, 15, 12, 30, tzinfo=datetime.UTC)


class World:
    """Players in a fresh database, and a clock that moves only when a test moves it."""

    def __init__(self, database: Database) -> None:
        self.now = NOW
        self.storage: Final = PlayerRepository(database)
        self.passwords: Final = Passwords(1)
        self.identity: Final = Identity(self.storage, self.passwords, Limiter(NO_LIMITS), lambda: self.now)

    def wait(self, **time: float) -> None:
        self.now += datetime.timedelta(**time)


@pytest.fixture
async def world(settings: Settings) -> AsyncIterator[World]:
    database = await Database.open(settings.data / DATABASE)
    world = World(database)
    try:
        yield world
    finally:
        world.passwords.close()
        await database.close()


# --- Names


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "x" * 20,
        "Ann-Marie_2",
        "Ännchen",
        "Zoë",
        "Иван",
        "Ольга-7",
        "Ελένη",
        "小明さん",
        "김철수",
        "अर्जुन",
        "محمد",
        "007",
        "Nguyễn",
    ],
)
def test_valid_names_are_accepted(name: str) -> None:
    assert names.checked(name) == name
    assert names.key_of(name)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "3 to 20"),
        ("ab", "3 to 20"),
        ("x" * 21, "3 to 20"),
        ("Ann Lee", "spaces or invisible"),
        (" Ann", "spaces or invisible"),
        ("Ann\u00a0Lee", "spaces or invisible"),
        ("Ann\u2003Lee", "spaces or invisible"),
        ("Ann\u3000", "spaces or invisible"),
        ("Ann\t", "spaces or invisible"),
        ("Ann\u200b", "invisible"),
        ("Ann\u200d", "invisible"),
        ("Ann\ufeff", "invisible"),
        ("Ann\u202e", "invisible"),
        ("Ann\u00ad", "invisible"),
        ("Ann\u3164", "invisible"),
        ("Ann\u115f", "invisible"),
        ("Ann\uffa0", "invisible"),
        ("Ann\ufe0f", "invisible"),
        ("Ann\u034f", "invisible"),
        ("Ann\u2800", "letters of any script"),
        ("Ann\0", "letters of any script"),
        ("Ann!", "letters of any script"),
        ("Ann🪨", "letters of any script"),
        ("a/b/c", "letters of any script"),
        ("Ann²", "letters of any script"),
        ("ﬁne", "ordinary form"),
        ("\uff21\uff4e\uff4e", "ordinary form"),
        ("-Ann", "begin with"),
        ("___", "begin with"),
        ("\u0301Ann", "begin with"),
        ("A\u0333\u0333\u0333nn", "accents"),
        ("\u0430nn", "one script"),
        ("Ann\u03bf", "one script"),
    ],
)
def test_invalid_names_are_refused(name: str, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence) as caught:
        names.checked(name)
    assert (caught.value.status, caught.value.kind) == (422, "bad-name")
    assert names.key_of(name) is None


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "aNN"), ("Straße", "STRASSE"), ("Ёлка", "ёЛКА"), ("Zoe\u0308", "ZOË")]
)
def test_equivalent_names_have_the_same_key(one: str, other: str) -> None:
    assert names.key_of(one) == names.key_of(other)


def test_different_names_have_different_keys() -> None:
    different = ["Ann", "Anna", "Änn", "Ann-", "Ann_", "Ann1"]
    assert len({names.key_of(name) for name in different}) == len(different)


def test_a_key_fits_its_column() -> None:
    growing = [chr(code) for code in range(0x110000) if len(chr(code).casefold()) > 1]
    longest = max(len(names.key_of(letter * 20) or "") for letter in growing)
    assert longest > 20
    column = METADATA.tables["players"].c.key.type
    assert isinstance(column, sa.String)
    assert column.length is not None
    assert longest <= column.length


# --- Sessions


async def test_a_session_expires_only_if_it_is_not_used(world: World) -> None:
    made = await world.identity.guest("here")
    for _ in range(5):
        world.wait(days=300)
        visitor = await world.identity.visitor(made.token, "browser")
        assert visitor.player == made.player
        assert visitor.renewed
        assert not (await world.identity.visitor(made.token, "browser")).renewed
    world.wait(days=366)
    assert await world.identity.visitor(made.token, "browser") == Visitor()


async def test_the_last_use_of_a_session_is_stored_at_most_once_a_day(world: World) -> None:
    made = await world.identity.guest("here")
    world.wait(hours=23)
    assert not (await world.identity.visitor(made.token, "browser")).renewed
    world.wait(hours=2)
    visitor = await world.identity.visitor(made.token, "browser")
    assert visitor.renewed
    (_, session) = await world.storage.by_session(visitor.session.token_hash if visitor.session else "") or (None, None)
    assert session is not None
    assert session.seen == world.now


@pytest.mark.parametrize("token", [None, "", "x", "x" * 43, "x" * 44, "\0" * 43, "ä" * 43, "' OR 1=1 --"])
async def test_an_unknown_token_does_not_belong_to_a_player(world: World, token: str | None) -> None:
    await world.identity.guest("here")
    assert (await world.identity.visitor(token, "browser")).player is None


async def test_tokens_are_long_and_random(world: World) -> None:
    made = {(await world.identity.guest("here")).token for _ in range(20)}
    assert len(made) == 20
    assert {len(token) for token in made} == {43}  # 256 bits, with 6 bits in each character


# --- Links


async def test_a_reset_link_expires_after_a_day(world: World) -> None:
    await world.identity.sign_up(None, "Ann", PASSWORD, "here")
    link = await world.identity.issue_reset("Ann", "a test")
    assert link.expires == NOW + datetime.timedelta(hours=24)
    world.wait(hours=24)
    with pytest.raises(Refusal, match="expired"):
        await world.identity.use_reset(link.token, "something else", "here")
    link = await world.identity.issue_reset("Ann", "a test")
    world.wait(hours=23, minutes=59)
    assert (await world.identity.use_reset(link.token, "something else", "here")).player.name == "Ann"


async def test_a_reset_link_that_expires_while_it_is_being_used_is_refused(world: World) -> None:
    await world.identity.sign_up(None, "Ann", PASSWORD, "here")
    link = await world.identity.issue_reset("Ann", "a test")
    using = asyncio.create_task(world.identity.use_reset(link.token, "something else", "here"))
    while not world.passwords._running:
        await asyncio.sleep(0)
    world.wait(hours=25)
    with pytest.raises(Refusal, match="expired"):
        await using
    assert (await world.identity.sign_in("Ann", PASSWORD, "here")).player.name == "Ann"


# --- Passwords


async def test_a_weak_hash_is_replaced_at_the_next_sign_in(world: World) -> None:
    made = await world.identity.sign_up(None, "Ann", PASSWORD, "here")
    weak = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    await world.storage.renew_hash(made.player.id, await stored_hash(world), weak)
    assert needs_rehash(await stored_hash(world))
    await world.identity.sign_in("Ann", PASSWORD, "here")
    assert not needs_rehash(await stored_hash(world))
    assert (await world.identity.visitor(made.token, "browser")).player
    await world.identity.sign_in("Ann", PASSWORD, "here")


async def stored_hash(world: World) -> str:
    found = await world.storage.by_key("ann")
    assert found is not None
    assert found.password is not None
    return found.password


async def test_password_hashes_are_salted_and_expensive(world: World) -> None:
    one, other = await world.passwords.hash(PASSWORD), await world.passwords.hash(PASSWORD)
    assert one != other
    told = argon2.extract_parameters(one)
    assert told.type is argon2.Type.ID
    assert told.memory_cost >= 19 * 1024
    assert told.time_cost >= 2
    assert argon2.extract_parameters(world.passwords._dummy) == told


async def test_composed_and_decomposed_forms_of_a_password_are_equivalent(world: World) -> None:
    await world.identity.sign_up(None, "Ann", "pässwörter", "here")
    assert (await world.identity.sign_in("Ann", "pa\u0308sswo\u0308rter", "here")).player.name == "Ann"


# --- Exports


EXPORTED: Final = {
    "players": ["id", "kind", "name", "owner", "created", "admin", "muted"],
    "name_shapes": ["shape", "player"],
    "sessions": ["player", "kind", "label", "created", "seen"],
    "password_resets": ["player", "expires"],
    "reports": ["id", "game", "by", "about", "text", "created", "done", "puzzle"],
    "solver_ratings": ["player", "rating", "deviation", "volatility", "attempts", "changed"],
    "puzzle_attempts": ["player", "puzzle", "solved", "time"],
    "games": [
        *["id", "created", "variant", "start", "words", "kind", "owner", "clock", "rated", "commitment"],
        *["forest_number", "sea_number", "first", "proof_version"],
    ],
    "seats": ["game", "tribe", "kind", "level", "name", "player"],
    "challenges": [
        *["id", "created", "creator", "open", "variant", "tribe", "first", "clock", "rated", "commitment", "number"],
        *["level", "opponent", "rematch_of", "state", "game", "sealed"],
    ],
    "messages": ["game", "number", "player", "tribe", "text", "phrase", "created", "command"],
    "ratings": ["player", "variant", "rating", "deviation", "volatility", "games", "changed"],
    "rating_history": [
        *["player", "game", "variant", "opponent", "score", "before", "rating", "deviation", "time"],
    ],
}
"""The exported columns. A new column about players must be listed here or marked as secret."""


def test_every_column_about_players_is_exported_or_secret() -> None:
    told = {
        table.name: [column.name for column in table.c if not column.info.get("secret")]
        for table, _ in tables_about_players()
    }
    assert told == EXPORTED


async def test_an_export_contains_the_listed_columns(world: World) -> None:
    made = await world.identity.sign_up(None, "Ann", PASSWORD, "here")
    await world.identity.new_bot_token(made.player, "Robot", "")
    await world.identity.issue_reset("Ann", "a test")
    await world.identity.report(made.player, made.player.id, None, "I am rude.")
    _, tables = await world.identity.export(made.player)
    assert set(tables) == set(EXPORTED)
    told = {name: list(rows[0]) for name, rows in tables.items() if rows}
    assert told == {
        name: EXPORTED[name] for name in ("players", "name_shapes", "sessions", "password_resets", "reports")
    }


def test_the_repr_of_a_stored_row_does_not_contain_secrets() -> None:
    player = Player("id", "account", "Ann", NOW)
    assert "hush" not in repr(Credentials(player, "hush"))
    assert "hush" not in repr(Session("hush", "id", "browser", NOW, NOW))


async def test_the_repr_of_a_session_bot_token_or_reset_link_does_not_contain_secrets(world: World) -> None:
    made = await world.identity.sign_up(None, "Ann", PASSWORD, "here")
    token = await world.identity.new_bot_token(made.player, "Robot", "")
    link = await world.identity.issue_reset("Ann", "a test")
    for each in (made, token, link):
        assert each.token
        assert each.token not in repr(each)


# --- Migrations


async def test_a_database_without_player_tables_is_migrated(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    engine = sa.create_engine(f"sqlite:///{path}")
    scripts = ScriptDirectory(str(migrations.FOLDER))
    with engine.begin() as connection:
        environment = EnvironmentContext(
            Config(), scripts, fn=lambda version, _: scripts._upgrade_revs("0001", version)
        )
        with environment:
            environment.configure(connection=connection)
            environment.run_migrations()
        connection.exec_driver_sql("INSERT INTO games VALUES ('g', '2026-01-01', NULL, 'x', x'00', '')")
    engine.dispose()
    database = await Database.open(path)
    world = World(database)
    try:
        made = await world.identity.sign_up(None, "Ann", PASSWORD, "here")
        assert await world.identity.report(made.player, None, "g", "Hello.") == 1
    finally:
        world.passwords.close()
        await database.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (1,)
