"""The database: migrations, files that are refused and left unchanged, and a full disk."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import alembic.autogenerate
import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import create_async_engine

from cairn.server.errors import DataError, InUseError, StorageError, StorageFullError
from cairn.server.game.events import Event
from cairn.server.game.header import GameHeader
from cairn.server.game.log import GameProjection
from cairn.server.game.seats import Seat, Seats
from cairn.server.settings import Settings
from cairn.server.storage import migrations
from cairn.server.storage.data_folder import DATABASE, lock_folder
from cairn.server.storage.engines.append import LatePause
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.listing import GameQuery
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.tables import METADATA
from harness.server.client import START, Client, tokens, updated
from harness.server.postgresql import PostgresServer
from harness.server.processes import running
from tests.server.places import fill_disk

pytestmark = pytest.mark.anyio

NOW = datetime.datetime(2026, 11, 15, 12, 30, 1, 5, tzinfo=datetime.UTC)
HEAD = GameHeader(
    id="game",
    created=NOW,
    variant="expert",
    start=START,
    seats=Seats(forest=Seat(kind="person", name="Ann"), sea=Seat(kind="computer", level=3)),
    seed=bytes(range(32)),
)


def standing(revision: int) -> GameProjection:
    return GameProjection(revision, NOW, 1, START, "forest", None, None, waits_for_computer=False)


@contextlib.asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Database]:
    database = await Database.open(path)
    try:
        yield database
    finally:
        await database.close()


async def test_writes_are_durable_and_read_connections_cannot_write(tmp_path: Path) -> None:
    async with opened(tmp_path / DATABASE) as database:
        pragmas = [f"PRAGMA {name}" for name in ("journal_mode", "synchronous", "foreign_keys")]
        values = await database.write(
            lambda connection: [connection.exec_driver_sql(each).scalar() for each in pragmas]
        )
        assert values == ["wal", 2, 1]
        with pytest.raises(StorageError):
            await database.read(lambda connection: connection.exec_driver_sql("DELETE FROM games"))


# --- Schema versions


def test_schema_versions_match_their_file_names() -> None:
    scripts = ScriptDirectory(str(migrations.FOLDER))
    assert sorted(script.revision for script in scripts.walk_revisions()) == migrations.known_versions()
    assert scripts.get_current_head() == migrations.newest_version()


async def test_migrations_create_the_tables_that_queries_use(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / DATABASE}")
    with engine.begin() as connection:
        migrations.upgrade(connection, migrations.newest_version())
        context = MigrationContext.configure(connection)
        assert alembic.autogenerate.compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == migrations.newest_version()
    engine.dispose()


def described(connection: sa.Connection, version: str | None) -> dict[str, list[str]]:
    """Upgrade a new database; return its schema, with the columns in order, and its rows."""
    migrations.upgrade(connection, version)
    inspector = sa.inspect(connection)
    found = {}
    for name in inspector.get_table_names():
        columns = [{**column, "type": str(column["type"])} for column in inspector.get_columns(name)]
        indexes: list[Any] = inspector.get_indexes(name)
        for index in indexes:
            index["dialect_options"] = {key: str(value) for key, value in index.get("dialect_options", {}).items()}
        constraints = [*inspector.get_unique_constraints(name), *inspector.get_check_constraints(name)]
        table = METADATA.tables.get(name, sa.table(name, sa.column("version_num")))
        found[f"columns of {name}"] = [repr(column) for column in columns]
        found[f"primary key of {name}"] = [repr(inspector.get_pk_constraint(name))]
        found[f"foreign keys of {name}"] = sorted(map(repr, inspector.get_foreign_keys(name)))
        found[f"indexes of {name}"] = sorted(map(repr, indexes))
        found[f"constraints of {name}"] = sorted(map(repr, constraints))
        found[f"rows of {name}"] = sorted(map(repr, connection.execute(sa.select(table))))
    return found


async def described_at(place: Path | str, version: str | None) -> dict[str, list[str]]:
    if isinstance(place, Path):
        with sa.create_engine(f"sqlite:///{place}", poolclass=sa.NullPool).begin() as connection:
            return described(connection, version)
    url = sa.make_url(place).set(drivername="postgresql+asyncpg")
    async with create_async_engine(url, poolclass=sa.NullPool).begin() as begun:
        return await begun.run_sync(described, version)


@pytest.fixture(params=["sqlite", "postgresql"])
def new_places(request: pytest.FixtureRequest, tmp_path: Path) -> list[Path | str]:
    """The locations of two databases without any tables."""
    if request.param == "sqlite":
        return [tmp_path / "one", tmp_path / "other"]
    server: PostgresServer = request.getfixturevalue("postgres")
    return [server.new_database(), server.new_database()]


async def test_a_new_database_is_the_same_as_one_built_by_all_migrations(new_places: list[Path | str]) -> None:
    one, other = new_places
    new, migrated = await described_at(one, None), await described_at(other, migrations.newest_version())
    assert new == migrated
    assert new["rows of alembic_version"] == [f"('{migrations.newest_version()}',)"]
    assert len(new["rows of ratings"]) == 40


async def test_a_new_database_is_created_without_alembic(tmp_path: Path) -> None:
    script = f"""
import asyncio, pathlib, sys
from cairn.server.storage.engines.append import LatePause
from cairn.server.storage.engines.database import Database

async def create():
    await (await Database.open(pathlib.Path({str(tmp_path / DATABASE)!r}))).close()

asyncio.run(create())
print("alembic" in sys.modules)
"""
    done = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("False\n", 0), done.stderr


async def test_an_interrupted_migration_is_rolled_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def upgrade_and_fail(connection: sa.Connection) -> None:
        upgrade(connection)
        raise KeyboardInterrupt

    upgrade = migrations.upgrade
    monkeypatch.setattr(migrations, "upgrade", upgrade_and_fail)
    with pytest.raises(KeyboardInterrupt):
        await Database.open(tmp_path / DATABASE)
    monkeypatch.undo()
    async with opened(tmp_path / DATABASE) as database:
        assert await GameRepository(database).find(GameQuery()) == ([], 0)


async def test_a_newer_database_is_refused_and_left_unchanged(client: Client, settings: Settings) -> None:
    await client.begin(position=START)
    path = settings.data / DATABASE
    copy = settings.data / "newer" / DATABASE
    copy.parent.mkdir()
    with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        with target:
            target.execute("UPDATE alembic_version SET version_num = '9999'")
    before = hashlib.sha256(copy.read_bytes()).hexdigest()
    with pytest.raises(DataError, match="newer version of Cairn: its schema version is 9999"):
        await Database.open(copy)
    assert hashlib.sha256(copy.read_bytes()).hexdigest() == before
    assert [each.name for each in copy.parent.iterdir()] == [DATABASE]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"My diary", "is not a database"), (b"SQLite format 3\0" + b"x" * 5_000, "cannot be read")],
)
async def test_files_that_are_not_databases_are_refused_and_left_unchanged(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    path = tmp_path / DATABASE
    path.write_bytes(content)
    with pytest.raises(DataError, match=sentence):
        await Database.open(path)
    assert path.read_bytes() == content


async def test_databases_from_other_programs_are_refused(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE diary (day TEXT)")
    with pytest.raises(DataError, match="not a Cairn database"):
        await Database.open(path)


def test_only_one_server_at_a_time_can_use_a_folder(tmp_path: Path) -> None:
    with lock_folder(tmp_path) as lock:
        with pytest.raises(InUseError, match="Cairn is already running, "), lock_folder(tmp_path):
            pass
        lock.publish_address("http://127.0.0.1:1234/")
        with (
            pytest.raises(InUseError, match=r"Cairn is already running at http://127\.0\.0\.1:1234/"),
            lock_folder(tmp_path),
        ):
            pass
    with lock_folder(tmp_path):
        pass


def test_a_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "inside", Path("/proc/nothing")):
        with pytest.raises(DataError, match=f"Cannot store games in {folder}: "), lock_folder(folder):
            pass


# --- A full disk


async def limit_pages(client: Client, more: int | None) -> None:
    """Let the database grow by at most ``more`` pages; beyond that, SQLite reports a full disk."""
    assert client.app is not None

    def limit(connection: sa.Connection) -> None:
        count = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        most = 1_000_000 if more is None else count + more
        assert connection.exec_driver_sql(f"PRAGMA max_page_count = {most}").scalar_one() == most

    await client.app.state.services.database.write(limit)


async def test_no_acknowledged_token_is_lost_when_the_disk_is_full(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    game = await client.begin(position=START)
    await limit_pages(client, 0)
    problem, token = None, ""
    for _ in range(500):
        token = game["now"]["choices"][0]["token"] if game["now"]["choices"] else ""
        answer = await client.http.post(
            f"/api/games/{game['id']}/tokens",
            json={"revision": game["revision"], "tribe": game["now"]["decider"], "token": token},
        )
        if answer.status_code != 200:
            problem = answer
            break
        game = updated(game, answer.json())
        if game["now"]["outcome"]:
            game = updated(game, await client.undo(game, "turn"))
    assert problem is not None
    assert (problem.status_code, problem.json()["kind"]) == (507, "storage-full")
    assert "full" in problem.json()["sentence"]
    assert str(settings.data) not in problem.text, "the response reveals where games are stored"
    assert str(settings.data) in caplog.text
    view = await client.view(game)
    assert (view["revision"], tokens(view), view["now"]) == (game["revision"], tokens(game), game["now"])
    await limit_pages(client, None)
    game = updated(game, await client.play(game, token))
    assert tokens(await client.view(game)) == tokens(game)


async def test_the_computer_retries_until_the_disk_has_space(settings: Settings) -> None:
    async with running(settings) as client:
        seats = {"forest": {"kind": "person"}, "sea": {"kind": "computer", "level": 1}}
        game = await client.begin(seats, position=START)
        assert client.app is not None
        storage = client.app.state.services.authority._games
        append, failures = storage.append, 0

        async def fail_thrice(
            name: str, revision: int, log: list[Event], where: GameProjection, clock: Callable[[], float] | None = None
        ) -> LatePause | None:
            nonlocal failures
            if revision > 1 and failures < 3:
                failures += 1
                raise StorageFullError("The disk is full.")
            late: LatePause | None = await append(name, revision, log, where, clock)
            return late

        storage.append = fail_thrice
        game = updated(game, await client.play(game, "a1-a2"))
        game = await client.until_asked(game)
        assert failures == 3
        assert game["steps"][1]["by"] == "sea"


async def test_a_full_file_system_is_reported_and_no_data_is_lost(settings: Settings, small_disk: Path) -> None:
    async with running(dataclasses.replace(settings, data=small_disk / "data")) as client:
        game = await client.begin(position=START)
        fill_disk(small_disk)
        problem = await client.play(game, "a1-a2", status=507)
        assert problem["kind"] == "storage-full"
        assert (await client.view(game))["revision"] == 0
        (small_disk / "filler").unlink()
        await client.play(game, "a1-a2")
    fill_disk(small_disk)
    with pytest.raises(DataError, match="full"):
        async with running(dataclasses.replace(settings, data=small_disk / "other")):
            pass
