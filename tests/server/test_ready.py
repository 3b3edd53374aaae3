"""``/api/ready`` succeeds only while data can be stored; a server that cannot store data acknowledges nothing."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import shutil
import signal
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from cairn.server.storage.engines import sqlite
from harness.server.client import PERSONS, START, Client, tokens, updated
from harness.server.postgresql import running_postgres
from harness.server.preloaded import PreloadedPopen
from harness.server.processes import Process, running
from tests.server.places import fill_disk
from tests.server.test_serve import command, free_port

pytestmark = pytest.mark.anyio

FILES = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm")


async def until(client: Client, status: int) -> Any:
    """Wait until ``/ready`` responds with the given status."""
    async with asyncio.timeout(10):
        while True:
            answer = await client.http.get("/api/ready")
            if answer.status_code == status:
                return answer.json()
            await asyncio.sleep(0.05)


def move(source: Path, target: Path) -> None:
    target.mkdir()
    for name in FILES:
        (source / name).rename(target / name)


def replace(source: Path, target: Path) -> None:
    """Replace the files with copies of themselves."""
    move(source, target)
    for name in FILES:
        shutil.copy(target / name, source / name)


def delete_log(source: Path, target: Path) -> None:
    target.mkdir()
    (source / FILES[1]).rename(target / FILES[1])


@pytest.mark.slow
@pytest.mark.parametrize("disturb", [move, replace, delete_log])
async def test_nothing_is_acknowledged_once_the_files_are_moved_or_replaced(settings: Settings, disturb: Any) -> None:
    with Process(settings) as process:
        async with httpx.AsyncClient(base_url=process.address, timeout=30) as http:
            client = Client(http)
            game = await client.begin(PERSONS, position=START)
            game = updated(game, await client.play(game, "a1-a2"))
            await client.get("/ready")
            disturb(settings.data, settings.data / "elsewhere")
            problem = await until(client, 503)
            assert "moved or replaced" in problem["sentence"]
            assert str(settings.data) not in str(problem)
            for _ in range(2):
                refused = await client.play(game, "a5-b4", status=503)
                assert refused["kind"] == "storage-failed"
            await client.get(f"/games/{game['id']}", status=503)
            for name in FILES:
                if (settings.data / "elsewhere" / name).exists():
                    (settings.data / "elsewhere" / name).rename(settings.data / name)
            await until(client, 200)
            game = updated(await client.view(game), await client.play(await client.view(game), "a5-b4"))
        process.kill()
    with Process(settings) as process:
        view = httpx.get(f"{process.address}/api/games/{game['id']}").json()
        assert tokens(view) == ["a1-a2", "a5-b4"]


async def test_the_server_is_not_ready_while_the_disk_is_full(settings: Settings, small_disk: Path) -> None:
    async with running(dataclasses.replace(settings, data=small_disk / "data")) as client:
        await client.get("/ready")
        fill_disk(small_disk)
        problem = await until(client, 503)
        assert (problem["kind"], "full" in problem["sentence"]) == ("not-ready", True)
        await client.get("/health")
        (small_disk / "filler").unlink()
        await until(client, 200)


async def test_the_server_is_not_ready_while_another_program_locks_the_file(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_MILLISECONDS", 100)
    async with running(settings) as client:
        with contextlib.closing(sqlite3.connect(settings.data / DATABASE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            problem = await until(client, 503)
            assert "Another program has locked" in problem["sentence"]
            other.execute("ROLLBACK")
            await until(client, 200)


async def test_the_server_is_not_ready_once_damage_to_the_file_is_found(settings: Settings) -> None:
    async with running(settings) as client:
        game = await client.begin(PERSONS, position=START)
        await client.play(game, "a1-a2")
    spoil_table(settings.data / DATABASE, "events")
    async with running(settings) as client:
        assert (await client.get(f"/games/{game['id']}", status=503))["kind"] == "damaged-game"
        assert "damaged" in (await until(client, 503))["sentence"]


async def test_a_file_check_finds_damage_that_no_request_has_encountered(settings: Settings) -> None:
    async with running(settings) as client:
        await client.begin(PERSONS, position=START)
    spoil_table(settings.data / DATABASE, "messages")
    async with running(settings) as client:
        assert client.app is not None
        await client.get("/ready")
        await client.app.state.services.database.backend.check_file()
        assert "damaged" in (await until(client, 503))["sentence"]
        assert "\ncairn_database_damaged 1.0\n" in (await client.http.get("/api/metrics")).text


def spoil_table(path: Path, table: str) -> None:
    """Overwrite the first page of a table."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)


@pytest.mark.slow
async def test_a_database_that_hangs_delays_neither_the_response_nor_the_shutdown() -> None:
    with running_postgres() as server:
        port = str(free_port())
        asked = command("--database", server.new_database(), "--port", port)
        process = PreloadedPopen(asked, stderr=subprocess.DEVNULL)
        try:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=3) as http:
                client = Client(http)
                await client.until_ready()
                with server.frozen():
                    await until(client, 503)
                    assert (await client.get("/ready", status=503))["kind"] == "not-ready"
                    waiting = asyncio.create_task(http.get("/api/games", timeout=60))
                    await asyncio.sleep(0)
                    process.send_signal(signal.SIGTERM)
                    await asyncio.to_thread(process.wait, 10)
                    with contextlib.suppress(httpx.TransportError):
                        await waiting
        finally:
            process.kill()
            process.wait()
