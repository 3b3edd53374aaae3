"""The files of an SQLite database: private, under one name only, and still where they were opened."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path
from typing import Final, TypeAlias

from cairn.server.errors import DataError, FilesMovedError
from cairn.server.storage.data_folder import reason_of

LOG: Final = "-wal"
SUFFIXES: Final = ("", LOG, "-shm")
"""The database, its write-ahead log, and the index of that log."""
CHECK_SECONDS: Final = 0.5
_OTHERS: Final = 0o077
"""The permissions of everybody but the owner."""

_Identity: TypeAlias = tuple[int, int]
_log: Final = logging.getLogger("cairn.server")


def beside(path: Path, suffix: str) -> Path:
    """One of the files of a database."""
    return path.with_name(path.name + suffix)


def real_path(path: Path) -> Path:
    """The file that a symbolic link leads to. Servers that reach one file by different paths must find one lock."""
    return path.resolve() if path.is_symlink() else path


def refuse_hard_links(path: Path) -> None:
    """Raise :class:`DataError` if the file has another name.

    SQLite names the write-ahead log after the database, so two names mean two logs, which damages the file. The lock of
    the folder would not prevent that.
    """
    try:
        names = path.stat().st_nlink
    except OSError:
        return
    if names > 1 and path.is_file():
        raise DataError(
            f"{path} has {names} names (hard links), and using it under both would damage it. "
            "Delete the other name, or replace this file with a copy of it."
        )


def make_private(path: Path) -> None:
    """Create the database file if it is missing, and let nobody but its owner read its files.

    SQLite creates the other files with the permissions of the database.
    """
    try:
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise DataError(f"Cannot store games in {path.parent}: {reason_of(error)}.") from None
    if os.name != "posix":  # the folder's access list applies
        return
    for file in (beside(path, suffix) for suffix in SUFFIXES):
        _tighten(file)


def _tighten(file: Path) -> None:
    try:
        mode = file.stat().st_mode & 0o777
        if mode & _OTHERS:
            file.chmod(mode & ~_OTHERS)
            _log.warning("%s was readable by other users (%o). Now only its owner can read it.", file, mode)
    except FileNotFoundError:
        pass
    except OSError as error:
        _log.warning("%s can be read by other users, and this cannot be changed: %s", file, reason_of(error))


class OpenFiles:
    """Notices when the files of an open database are moved, replaced or deleted.

    SQLite would go on writing to files that nobody finds after a restart.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._known: Final[dict[str, _Identity]] = {"": _identity(path.stat())}
        self._checked = float("-inf")
        self.log_bytes = 0
        """The size of the write-ahead log at the last check."""

    def forget_log(self) -> None:
        """Accept another write-ahead log: SQLite creates one if the last connection is closed and a new one opened."""
        for suffix in SUFFIXES[1:]:
            self._known.pop(suffix, None)

    def check(self, *, now: bool = False) -> None:
        """Raise :class:`FilesMovedError` if a file is not where it was opened. Looks at most every half second."""
        at = time.monotonic()
        if not now and at - self._checked < CHECK_SECONDS:
            return
        self._checked = float("-inf")  # after a failure, look every time
        for suffix in SUFFIXES:
            self._check_file(suffix)
        self._checked = at

    def _check_file(self, suffix: str) -> None:
        file = beside(self._path, suffix)
        try:
            found = file.stat()
        except OSError:
            if suffix in self._known:
                raise FilesMovedError(file) from None
            return
        if self._known.setdefault(suffix, _identity(found)) != _identity(found):
            raise FilesMovedError(file)
        if suffix == LOG:
            self.log_bytes = found.st_size


def _identity(found: os.stat_result) -> _Identity:
    return found.st_dev, found.st_ino
