"""Back up an SQLite database, even while the server is running, and restore and verify backups."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import os
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Final

from cairn.messages import reason_of, t
from cairn.server.errors import DataError
from cairn.server.storage.data_folder import DATABASE, lock_folder
from cairn.server.storage.engines.database import Database, file_of
from cairn.server.storage.engines.sqlite import version_of
from cairn.server.storage.engines.sqlite_files import SUFFIXES, beside, real_path
from cairn.server.storage.engines.sqlite_wal import refuse_foreign_log
from cairn.server.storage.verification import Verification

_LEFT: Final = (*SUFFIXES, "-journal")
"""The suffixes of the files that a temporary database may leave behind."""


@dataclasses.dataclass(frozen=True, slots=True)
class Restored:
    """A restored backup."""

    games: int
    kept: Sequence[Path]
    """The replaced files, under their new names."""


def copy_games(source: Path, target: Path) -> int:
    """Copy the database to a new file and return the number of games. Raises :class:`DataError` on failure.

    The copy is a consistent snapshot. It gets its final name only once it is complete, checked and synced to disk.
    """
    if not source.exists():
        raise DataError(t("cli.data.no-games", folder=source.parent))
    if target.exists():
        raise DataError(t("cli.data.exists", file=target))
    with _temporary(target) as part:
        _snapshot(source, part)
        with contextlib.closing(sqlite3.connect(part)) as copied:
            problems = [row for row in copied.execute("PRAGMA integrity_check") if row != ("ok",)]
            if problems:
                raise DataError(t("cli.data.damaged", file=source, what=problems[0][0]))
            (count,) = copied.execute("SELECT count(*) FROM games").fetchone()
        _sync(part)
        part.rename(target)
    return int(count)


async def restore(backup: Path, folder: Path) -> Restored:
    """Replace the database in a data folder with a backup, and keep the old files under another name.

    Raises :class:`DataError`, and changes nothing, if a server is using the folder or the backup is damaged.
    """
    if not backup.exists():
        raise DataError(t("cli.data.missing", file=backup))
    target = file_of(folder / DATABASE) or folder / DATABASE
    with lock_folder(target.parent), _temporary(target) as part:
        _snapshot(backup, part)
        count = await _require_intact(backup, part)
        _sync(part)
        kept = list(_set_aside(target))
        part.rename(target)
        _sync(target.parent)
    return Restored(count, kept)


@contextlib.asynccontextmanager
async def verifiable(where: Path | str) -> AsyncIterator[Database]:
    """Open a database for a :class:`Verification`. A file is copied first, so that a server can keep using it."""
    file = file_of(where)
    if file is None:
        database = await Database.open(where, upgrade=False)
        try:
            yield database
        finally:
            await database.close()
        return
    if not file.exists():
        raise DataError(t("cli.data.no-games", folder=file.parent))
    with _temporary(file) as part:
        _snapshot(file, part)
        database = await Database.open(part)
        try:
            yield database
        finally:
            await database.close()


async def _require_intact(backup: Path, copied: Path) -> int:
    """Verify a copy of a backup and return its number of games."""
    database = await Database.open(copied)
    try:
        verification = Verification(database)
        findings = [finding async for finding in verification.findings()]
    finally:
        await database.close()
    if findings:
        command = f"cairn verify-database --database sqlite:///{backup.absolute()}"
        what = str(findings[0]).rstrip(".")
        raise DataError(
            t("cli.data.damaged-backup", file=backup, what=what, command=command if findings[1:] else "none")
        )
    return verification.games


def _snapshot(source: Path, target: Path) -> None:
    """Copy a consistent snapshot of a database into an empty file."""
    source = real_path(source)  # the write-ahead log is next to the real file
    refuse_foreign_log(source)
    if version_of(source) is None:
        raise DataError(t("cli.data.not-cairn", file=source))
    way = "mode=ro" if beside(source, "-wal").exists() else "mode=ro&immutable=1"
    try:
        reader = sqlite3.connect(f"{source.absolute().as_uri()}?{way}", uri=True)
        with contextlib.closing(reader), contextlib.closing(sqlite3.connect(target)) as writer:
            reader.backup(writer)
            writer.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise DataError(t("cli.data.cannot-copy", file=source, folder=target.parent, why=error)) from None


@contextlib.contextmanager
def _temporary(beside_file: Path) -> Iterator[Path]:
    """Yield a private temporary file. It is deleted at the end of the block unless it has been renamed."""
    part = beside_file.with_name(f"{beside_file.name}.part{os.getpid()}")
    try:
        for suffix in _LEFT:
            beside(part, suffix).unlink(missing_ok=True)
        part.touch(mode=0o600)  # it contains the seeds of running games
        yield part
    except OSError as error:
        raise DataError(t("cli.data.cannot-write", file=beside_file, why=reason_of(error))) from None
    finally:
        for suffix in _LEFT:
            with contextlib.suppress(OSError):
                beside(part, suffix).unlink(missing_ok=True)


def _set_aside(file: Path) -> Iterator[Path]:
    """Rename a database together with its write-ahead log, so that it can still be opened."""
    now = datetime.datetime.now(datetime.UTC)
    kept = file.with_name(f"{file.stem}-before-{now:%Y%m%d-%H%M%S}{file.suffix}")
    for suffix in SUFFIXES:
        if beside(file, suffix).exists():
            yield beside(file, suffix).rename(beside(kept, suffix))


def _sync(path: Path) -> None:
    """Flush a file or a folder to disk with fsync."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
