"""The write-ahead log of an SQLite database: checkpoints, and a check that the log belongs to the database.

SQLite applies any write-ahead log that it finds next to a database. A log that was left behind when the database was
replaced would corrupt the new database. Therefore each log begins with a transaction that stores a new random *epoch*
together with the previous epoch, which is still in the database file at that time. If the two files do not match, the
log is not applied. Automatic checkpoints are off, because the first transaction after a checkpoint must store an epoch.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from pathlib import Path
from typing import Final, NamedTuple

import sqlalchemy as sa

from cairn.server.errors import DataError
from cairn.server.storage.engines.sqlite_files import LOG, beside
from cairn.server.storage.tables import wal_epochs

PRAGMAS: Final = ("wal_autocheckpoint = 0", f"journal_size_limit = {1 << 20}")
"""Settings for the writing connection: checkpoints are not automatic, and each checkpoint shrinks the log to one
megabyte, so that its size shows when the next checkpoint is due."""
CHECKPOINT_BYTES: Final = 4 << 20
_WAL_MODE: Final = b"\2\2"
"""The format versions in the header of a database that uses a write-ahead log."""
_LOG_HEADER_BYTES: Final = 32


class _Epoch(NamedTuple):
    epoch: str
    previous: str | None


def refuse_foreign_log(path: Path) -> None:
    """Raise :class:`DataError` if the write-ahead log belongs to another database. Changes nothing."""
    log = beside(path, LOG)
    try:
        if not log.exists() or log.stat().st_size <= _LOG_HEADER_BYTES:
            return
        header = b""
        if path.exists():
            with path.open("rb") as file:
                header = file.read(20)
    except OSError:
        return  # opening the database will fail with a clearer error
    if not header or (header.startswith(b"SQLite format 3\0") and header[18:20] != _WAL_MODE):
        raise _foreign(path, log)
    in_file, with_log = _read_epoch(path, "mode=ro&immutable=1"), _read_epoch(path, "mode=ro")
    if in_file and with_log and in_file.epoch not in with_log:
        raise _foreign(path, log)


def begin_epoch(connection: sa.Connection) -> None:
    """Store a new epoch. This must be the first transaction after a checkpoint."""
    new = {"epoch": secrets.token_hex(16), "previous": wal_epochs.c.epoch}
    if connection.execute(wal_epochs.update().where(wal_epochs.c.id == 1).values(**new)).rowcount != 1:
        connection.execute(wal_epochs.insert().values(id=1, epoch=new["epoch"], previous=None))


def checkpoint(connection: sqlite3.Connection) -> bool:
    """Copy the log into the database file. Returns whether all of it was copied; only then may a new epoch begin."""
    busy, frames, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return not busy and frames == copied


def _read_epoch(path: Path, way: str) -> _Epoch | None:
    """The epoch of a database; ``None`` if an older version of Cairn wrote the database, or if it cannot be read."""
    with (
        contextlib.suppress(sqlite3.Error),
        contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True)) as connection,
    ):
        row = connection.execute("SELECT epoch, previous FROM wal_epochs").fetchone()
        return _Epoch(*row) if row else None
    return None


def _foreign(path: Path, log: Path) -> DataError:
    return DataError(
        f"{log} does not belong to {path}. It was left behind by another database, and applying it would corrupt this "
        f"one. If you have restored a backup, delete {log.name} and {path.name}-shm. Nothing was changed."
    )
