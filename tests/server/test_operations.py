"""Operating a server: health, readiness, metrics, shutdown, backups, restores and upgrades."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import logging
import signal
import sqlite3
import subprocess
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
import websockets
from typer.testing import CliRunner

from cairn.cli.app import app
from cairn.server.errors import DataError
from cairn.server.logs import JsonFormatter
from cairn.server.settings import Settings
from cairn.server.storage import migrations
from cairn.server.storage.data_folder import DATABASE
from cairn.server.storage.engines.database import Database
from cairn.server.storage.engines.postgres import Postgres
from harness.server.client import PERSONS, START, Client, tokens
from harness.server.postgresql import PostgresServer
from harness.server.preloaded import PreloadedPopen
from harness.server.processes import Process, running
from tests.server.test_database import HEAD
from tests.server.test_serve import command, free_port, served

pytestmark = pytest.mark.anyio


# --- Health and metrics


async def test_a_running_server_is_healthy_and_ready(client: Client) -> None:
    assert (await client.get("/health"))["status"] == "ok"
    ready = await client.get("/ready")
    assert (ready["status"], ready["database"], ready["version"]) == ("ready", "sqlite", migrations.newest_version())


async def test_a_server_is_not_ready_if_the_schema_version_is_wrong(client: Client) -> None:
    assert client.app is not None
    older = sa.text("UPDATE alembic_version SET version_num = '0001'")
    await client.app.state.services.database.write(lambda connection: connection.execute(older))
    assert (await client.get("/ready", status=503))["kind"] == "not-ready"
    await client.get("/health")


async def test_metrics_count_requests_and_do_not_contain_game_ids(client: Client) -> None:
    game = await client.begin(PERSONS, position=START)
    await client.play(game, "a1-a2")
    text = (await client.http.get("/api/metrics")).text
    assert 'cairn_requests_total{method="POST",route="/api/games/{game}/tokens",status="200"} 1.0' in text
    counts = {"commits_total": 1, "appends_total": 1, "live_games": 1, "appends_waiting": 0, "watchers": 0}
    for name, count in counts.items():
        assert f"\ncairn_{name} {count}.0\n" in text
    assert "cairn_request_seconds_bucket" in text
    assert "cairn_commit_seconds_count 1.0" in text
    assert game["id"] not in text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"Authorization": "Bearer wrong"}, 403),
        ({"Authorization": "Bearer ünïcode".encode()}, 403),
        ({"Authorization": "Bearer of-metrics"}, 200),
    ],
)
async def test_other_machines_need_a_token_to_read_metrics(
    settings: Settings, headers: dict[str, str], status: int
) -> None:
    async with running(dataclasses.replace(settings, metrics_token="of-metrics")) as client:
        assert client.app is not None
        elsewhere = httpx.ASGITransport(client.app, client=("192.0.2.7", 1234))
        async with httpx.AsyncClient(transport=elsewhere, base_url="http://127.0.0.1") as http:
            assert (await http.get("/api/metrics", headers=headers)).status_code == status
        # A proxy on this machine forwards a request from another machine.
        proxied = await client.http.get("/api/metrics", headers={"X-Forwarded-For": "192.0.2.7"})
        assert proxied.status_code == 403
        assert (await client.http.get("/api/metrics")).status_code == 200


def test_a_json_log_line_has_all_fields() -> None:
    record = logging.makeLogRecord({"name": "cairn.access", "levelname": "INFO", "msg": "request %s", "args": ("x",)})
    record.status = 200
    told = json.loads(JsonFormatter().format(record))
    wanted = {"logger": "cairn.access", "level": "info", "message": "request x", "status": 200}
    assert {name: told[name] for name in wanted} == wanted
    assert told["time"].endswith("+00:00")


# --- Graceful shutdown


@pytest.mark.slow
async def test_a_graceful_shutdown_loses_nothing_and_asks_clients_to_reconnect(tmp_path: Path) -> None:
    port = str(free_port())
    asked = command("--data", str(tmp_path), "--port", port, "--log-format", "json")
    process = PreloadedPopen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=address, timeout=30) as http:
            client = Client(http)
            await client.until_ready()
            game = await client.begin(PERSONS, position=START)
            async with websockets.connect(f"ws://127.0.0.1:{port}/api/games/{game['id']}/socket") as socket:
                await socket.recv()
                await client.play(game, "a1-a2")
                process.send_signal(signal.SIGTERM)
                with contextlib.suppress(websockets.ConnectionClosed):
                    while True:
                        await asyncio.wait_for(socket.recv(), 20)
                assert socket.close_code == 1012
        _, errors = await asyncio.to_thread(process.communicate, timeout=30)
        assert process.returncode == 0, errors
        lines = [json.loads(line) for line in errors.splitlines()]
        assert any(line.get("route") == "/api/games/{game}/tokens" and line["status"] == 200 for line in lines)
        assert game["id"] not in errors
        assert not (tmp_path / f"{DATABASE}-wal").exists()  # the database was closed properly
    finally:
        process.kill()
        process.communicate()
    with served("--data", str(tmp_path), "--port", port, popen=PreloadedPopen) as (address, _):
        view = httpx.get(f"{address}/api/games/{game['id']}").json()
        assert tokens(view) == ["a1-a2"]


# --- Backup and restore


def test_a_backup_made_during_play_can_be_restored(process: Process, settings: Settings, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with httpx.Client(base_url=f"{process.address}/api") as http:
        game = http.post("/games", json={"seats": PERSONS, "position": START}).json()
        body = {"revision": 0, "tribe": "forest", "token": "a1-a2"}
        assert http.post(f"/games/{game['id']}/tokens", json=body).status_code == 200
        done = CliRunner().invoke(app, ["backup", str(copy), "--data", str(settings.data)])
        assert (done.exit_code, done.stdout) == (0, f"{copy} contains 1 game.\n"), done.stderr
        later = {"revision": 1, "tribe": "sea", "token": "a5-b4"}
        assert http.post(f"/games/{game['id']}/tokens", json=later).status_code == 200
    process.kill()
    assert copy.stat().st_mode & 0o077 == 0
    restored = tmp_path / "restored"
    restored.mkdir()
    copy.rename(restored / DATABASE)
    with Process(dataclasses.replace(settings, data=restored)) as again:
        view = httpx.get(f"{again.address}/api/games/{game['id']}").json()
        assert tokens(view) == ["a1-a2"]
        assert httpx.post(f"{again.address}/api/games/{game['id']}/tokens", json=later).status_code == 200


def test_a_backup_that_cannot_be_made_is_refused(tmp_path: Path, settings: Settings) -> None:
    def refused(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["backup", *arguments])
        assert done.exit_code == 1
        return done.stderr

    assert "There are no games in" in refused(str(tmp_path / "copy"), "--data", str(tmp_path))
    (tmp_path / "copy").write_text("precious")
    assert "already exists" in refused(str(tmp_path / "copy"), "--data", str(settings.data))
    assert (tmp_path / "copy").read_text() == "precious"
    assert "Cannot write" in refused(str(tmp_path / "nowhere" / "copy"), "--data", str(settings.data))


def test_a_postgresql_dump_can_be_restored(settings: Settings, postgres: PostgresServer) -> None:
    source = dataclasses.replace(settings, database=postgres.new_database("empty"))
    body = {"revision": 0, "tribe": "forest", "token": "a1-a2"}
    with Process(source) as process, httpx.Client(base_url=f"{process.address}/api") as http:
        game = http.post("/games", json={"seats": PERSONS, "position": START}).json()
        assert http.post(f"/games/{game['id']}/tokens", json=body).status_code == 200
        assert source.database is not None
        dump = str(postgres.folder / "dump")
        postgres.run("pg_dump", "--format=custom", "--no-owner", f"--file={dump}", source.database)
    target = postgres.new_database()
    postgres.run("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={target}", dump)
    with Process(dataclasses.replace(settings, database=target)) as again:
        view = httpx.get(f"{again.address}/api/games/{game['id']}").json()
        assert tokens(view) == ["a1-a2"]


# --- Upgrades


def fill_old(connection: sa.Connection) -> None:
    """Create the tables of the first schema version, and store one game."""
    migrations.upgrade(connection, "0001")
    at = HEAD.created.replace(tzinfo=None)
    token = {"token": "a1-a2", "hold": False}
    where = {"revision": 1, "turns": 1, "position": START, "decider": "sea"}
    rows: list[tuple[str, dict[str, object]]] = [
        ("games", {"id": "old", "created": at, "variant": "expert", "start": START, "seed": b"s" * 32, "words": "ann"}),
        ("seats", {"game": "old", "tribe": "forest", "kind": "person", "name": "Ann"}),
        ("seats", {"game": "old", "tribe": "sea", "kind": "person", "name": "Bob"}),
        ("events", {"game": "old", "revision": 1, "kind": "token", "data": token, "time": at}),
        ("standings", {"game": "old", "changed": at, "waits_for_computer": False, "deleted": False, **where}),
    ]
    for table, row in rows:
        columns = [sa.column(name, sa.JSON()) if name == "data" else sa.column(name) for name in row]
        connection.execute(sa.table(table, *columns).insert().values(**row))


async def play_on(settings: Settings) -> None:
    async with running(settings) as client:
        view = await client.get("/games/old")
        assert tokens(view) == ["a1-a2"]
        assert view["seats"]["forest"]["name"] == "Ann"
        await client.play(view, "a5-b4")
        assert (await client.get("/ready"))["version"] == migrations.newest_version()
        assert [game["id"] for game in (await client.get("/games"))["games"]] == ["old"]


async def test_an_sqlite_file_with_the_first_schema_version_is_upgraded(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / DATABASE}")
    with engine.begin() as connection:
        fill_old(connection)
    engine.dispose()
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        assert connection.execute(migrations.VERSION).fetchone() == ("0001",)
    await play_on(Settings(data=tmp_path, pages=tmp_path))


async def test_a_postgresql_database_with_the_first_schema_version_is_upgraded(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    address = postgres.new_database()
    old = Postgres(sa.make_url(address))
    await old.write(fill_old)
    await old.close()
    await play_on(Settings(data=tmp_path, pages=tmp_path, database=address))


async def test_processes_that_start_together_create_the_tables_only_once(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    for database in await asyncio.gather(*(Database.open(address) for _ in range(4))):
        await database.close()


# --- Error messages


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("mysql://host/games", "Cairn stores games in SQLite or PostgreSQL, not in mysql"),
        ("nonsense", "Not a valid database address"),
        ("postgresql://cairn@127.0.0.1:1/games", "is not responding"),
    ],
)
async def test_an_unusable_database_address_is_refused(address: str, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        await Database.open(address)


async def test_missing_foreign_and_newer_databases_are_refused(postgres: PostgresServer) -> None:
    with pytest.raises(DataError, match=r"cannot be used: database .* does not exist"):
        await Database.open(postgres.url("nobody"))
    address = postgres.new_database()
    name = address.split("/")[3].partition("?")[0]
    postgres.query("CREATE TABLE diary (day text)", name)
    with pytest.raises(DataError, match="contains tables from another program"):
        await Database.open(address)
    postgres.query("CREATE TABLE alembic_version (version_num text)", name)
    postgres.query("INSERT INTO alembic_version VALUES ('9999')", name)
    with pytest.raises(DataError, match="newer version of Cairn: its schema version is 9999"):
        await Database.open(address)


async def test_commits_wait_for_the_disk(postgres: PostgresServer) -> None:
    database = await Database.open(postgres.new_database("empty"))
    try:
        shown = sa.text("SHOW synchronous_commit")
        assert await database.write(lambda connection: connection.execute(shown).scalar_one()) == "on"
    finally:
        await database.close()
