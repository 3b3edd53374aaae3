"""Backs up an SQLite database, even while the server is running."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from cairn.server.errors import DataError
from cairn.server.storage.engines.sqlite import version_of


def copy_games(source: Path, target: Path) -> int:
    """Copy the database to a new file. Returns the number of games; :class:`DataError` if it fails.

    The copy is a consistent snapshot. It is complete, checked and synced to the disk before it gets its final name.
    """
    if not source.exists():
        raise DataError(f"There are no games in {source.parent}.")
    if target.exists():
        raise DataError(f"{target} already exists. Choose another file.")
    version_of(source)
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)  # it contains the seeds of running games
        reader = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
        with contextlib.closing(reader), contextlib.closing(sqlite3.connect(part)) as writer:
            reader.backup(writer)
            writer.execute("PRAGMA journal_mode = DELETE")
            problems = [row for row in writer.execute("PRAGMA integrity_check") if row != ("ok",)]
            if problems:
                raise DataError(f"{source} is damaged: {problems[0][0]}.")
            (count,) = writer.execute("SELECT count(*) FROM games").fetchone()
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.rename(target)
    except OSError as error:
        raise DataError(f"Cannot write {target}: {error.strerror or error}.") from None
    except sqlite3.Error as error:
        raise DataError(f"Cannot copy the games to {target}: {error}.") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return int(count)
