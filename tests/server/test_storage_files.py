"""Database files are private, have one lock for all paths to them, and accept only their own write-ahead log."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from cairn.cli.app import app
from cairn.server.errors import DataError, InUseError
from cairn.server.game.events import TokenPlayed
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE, lock_folder
from cairn.server.storage.engines import sqlite_files, sqlite_wal
from cairn.server.storage.engines.database import Database, folder_of
from cairn.server.storage.games.repository import GameRepository
from harness.server.client import PERSONS, START, tokens
from harness.server.preloaded import PreloadedPopen
from harness.server.processes import Process, running
from tests.server.places import fill_disk
from tests.server.test_database import HEAD, standing
from tests.server.test_serve import command, sentence_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def lax() -> Iterator[None]:
    """A umask that lets everybody read and write new files."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


# --- Permissions


async def test_files_are_private_in_an_existing_folder(tmp_path: Path, lax: None) -> None:
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o777)
    async with running(Settings(data=folder, pages=tmp_path)) as client:
        await client.begin(PERSONS, position=START)
        found = modes(folder)
        assert set(found) >= {DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", "cairn.lock"}
        assert {name for name, mode in found.items() if mode & 0o077} <= {"cairn.address"}
        done = CliRunner().invoke(app, ["backup", str(tmp_path / "copy"), "--data", str(folder)])
        assert done.exit_code == 0, done.stderr
        assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600


async def test_a_new_folder_is_private(tmp_path: Path, lax: None) -> None:
    async with running(Settings(data=tmp_path / "new", pages=tmp_path)):
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


async def test_a_database_that_others_can_read_is_made_private_and_a_warning_is_logged(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    path = settings.data / DATABASE
    path.chmod(0o644)
    async with running(settings):
        assert path.stat().st_mode & 0o777 == 0o600
        assert f"other users had access to {path} (mode 644)" in caplog.text
        assert path.with_name(f"{DATABASE}-wal").stat().st_mode & 0o777 == 0o600
    caplog.clear()
    async with running(settings):
        assert caplog.text == ""


# --- Links


async def test_a_symbolic_link_leads_to_the_same_lock(settings: Settings, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / DATABASE).symlink_to(settings.data / DATABASE)
    elsewhere = dataclasses.replace(settings, data=other)
    async with running(settings) as client:
        game = await client.begin(PERSONS, position=START)
        with pytest.raises(InUseError):
            async with running(elsewhere):
                pass
        with pytest.raises(InUseError), lock_folder(folder_of(f"sqlite:///{other / DATABASE}") or other):
            pass
        done = CliRunner().invoke(app, ["backup", str(tmp_path / "copy"), "--data", str(other)])
        assert done.stdout == f"{tmp_path / 'copy'} contains 1 game.\n", done.output
    async with running(elsewhere) as client:
        assert (await client.view(game))["id"] == game["id"]
        with pytest.raises(InUseError):
            async with running(settings):
                pass


async def test_a_database_file_with_two_hard_links_is_refused(settings: Settings, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    async with running(settings):
        os.link(settings.data / DATABASE, other / DATABASE)
        with pytest.raises(DataError, match="has 2 hard links"):
            async with running(dataclasses.replace(settings, data=other)):
                pass
    (other / DATABASE).unlink()
    async with running(settings):
        pass


# --- A full disk at startup


@pytest.mark.slow
def test_a_full_disk_after_a_crash_is_reported_in_one_sentence(settings: Settings, small_disk: Path) -> None:
    folder = small_disk / "data"
    with Process(dataclasses.replace(settings, data=folder)) as process:
        played(process)
        process.kill()
        fill_disk(small_disk)
        asked = command("--data", str(folder))
        with PreloadedPopen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
            output, errors = server.communicate(timeout=60)
        assert "full" in sentence_of(server.returncode, output, errors)


# --- A write-ahead log from another database


def played(process: Process, game: Any = None, token: str = "a1-a2") -> Any:
    """Start a game, or continue the given one, and play a token."""
    with httpx.Client(base_url=f"{process.address}/api") as http:
        if game is None:
            game = http.post("/games", json={"seats": PERSONS, "position": START}).json()
        body = {"revision": game["revision"], "tribe": game["now"]["decider"], "token": token}
        assert http.post(f"/games/{game['id']}/tokens", json=body).status_code == 200
        return http.get(f"/games/{game['id']}").json()


@pytest.mark.slow
def test_a_restored_backup_beside_an_old_log_is_refused(settings: Settings, tmp_path: Path) -> None:
    log = settings.data / f"{DATABASE}-wal"
    with Process(settings) as process:
        game = played(process)
        done = CliRunner().invoke(app, ["backup", str(tmp_path / "copy"), "--data", str(settings.data)])
        assert done.exit_code == 0, done.stderr
        played(process, game, "a5-b4")
        process.kill()
        assert log.stat().st_size > 0
        shutil.copy(tmp_path / "copy", settings.data / DATABASE)
        before = {path: path.read_bytes() for path in settings.data.glob(f"{DATABASE}*")}
        done = CliRunner().invoke(app, ["serve", "--no-open", "--data", str(settings.data)])
        said = sentence_of(done.exit_code, done.stdout, done.stderr)
        assert f"{log} does not belong to {settings.data / DATABASE}" in said
        assert f"delete {DATABASE}-wal and {DATABASE}-shm" in said
        assert {path: path.read_bytes() for path in before} == before
        log.unlink()
        (settings.data / f"{DATABASE}-shm").unlink()
        process.start()
        view = httpx.get(f"{process.address}/api/games/{game['id']}").json()
        assert tokens(view) == ["a1-a2"]


@pytest.mark.slow
def test_an_older_copy_of_the_file_beside_a_newer_log_is_refused(settings: Settings, tmp_path: Path) -> None:
    # Unlike a backup, a copied database file has WAL mode set in its header, so only the epoch shows that the log does
    # not belong to it.
    with Process(settings) as process:
        game = played(process)
        process.kill()
        with Process(settings):  # merges the log into the file
            pass
        shutil.copy(settings.data / DATABASE, tmp_path / "copy")
        for token in ("a5-b4", "c1-c2"):
            process.start()
            game = played(process, game, token)
            process.kill()
        shutil.copy(tmp_path / "copy", settings.data / DATABASE)
        with pytest.raises(DataError, match="does not belong to"):
            sqlite_wal.refuse_foreign_log(settings.data / DATABASE)


async def test_an_empty_log_is_ignored(tmp_path: Path) -> None:
    (tmp_path / f"{DATABASE}-wal").touch()
    database = await Database.open(tmp_path / DATABASE)
    try:
        await GameRepository(database).create(HEAD, [], standing(0))
    finally:
        await database.close()


async def test_a_log_without_its_database_is_kept(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    database = await Database.open(path)
    try:
        await GameRepository(database).create(HEAD, [], standing(0))
        other = tmp_path / "other"
        other.mkdir()
        log = Path(shutil.copy(f"{path}-wal", other / f"{DATABASE}-wal"))
        with pytest.raises(DataError, match="does not belong to"):
            await Database.open(other / DATABASE)
        assert log.read_bytes() == Path(f"{path}-wal").read_bytes()
    finally:
        await database.close()


@pytest.mark.slow
async def test_the_log_matches_its_database_after_a_crash_at_any_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copying both files while the database is open simulates a crash.

    A database file from before the last checkpoint is refused if it is next to a newer log.
    """
    monkeypatch.setattr(sqlite_files, "CHECK_SECONDS", 0)
    monkeypatch.setattr(sqlite_wal, "CHECKPOINT_BYTES", 60_000)
    monkeypatch.setattr(sqlite_wal, "PRAGMAS", ("wal_autocheckpoint = 0", "journal_size_limit = 1000"))
    path, copies = tmp_path / DATABASE, []
    database = await Database.open(path)
    try:
        games = GameRepository(database)
        await games.create(HEAD, [], standing(0))
        for revision in range(1, 201):
            await games.append("game", revision, [TokenPlayed("a1-a2")], standing(revision))
            if revision % 5 == 0:
                copy = tmp_path / f"copy{revision}"
                copy.mkdir()
                for name in (DATABASE, f"{DATABASE}-wal"):
                    shutil.copy(tmp_path / name, copy / name)
                copies.append((revision, copy))
    finally:
        await database.close()
    first = next(copy for _, copy in copies if epoch(copy))
    later = [copy for _, copy in copies if epoch(copy) and epoch(copy) != epoch(first)]
    assert len(later) > 5
    for copy in later:
        mixed = tmp_path / f"mixed-{copy.name}"
        mixed.mkdir()
        shutil.copy(first / DATABASE, mixed / DATABASE)
        shutil.copy(copy / f"{DATABASE}-wal", mixed / f"{DATABASE}-wal")
        with pytest.raises(DataError, match="does not belong to"):
            await Database.open(mixed / DATABASE)
    for revision, copy in copies:
        reopened = await Database.open(copy / DATABASE)
        try:
            assert await GameRepository(reopened).revisions(["game"]) == {"game": revision}
        finally:
            await reopened.close()


def epoch(folder: Path) -> str | None:
    """Read the epoch from a database file, ignoring its log."""
    with contextlib.closing(sqlite3.connect(f"file:{folder / DATABASE}?mode=ro&immutable=1", uri=True)) as connection:
        try:
            (found,) = connection.execute("SELECT epoch FROM wal_epochs").fetchone()
        except sqlite3.OperationalError:
            return None
        return str(found)
