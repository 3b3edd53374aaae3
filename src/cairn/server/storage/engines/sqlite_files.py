"""Checks for the files of an SQLite database: they must be private, have only one name, and stay in place."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path
from typing import Final, TypeAlias

from cairn.messages import reason_of
from cairn.server.errors import DataError, FilesMovedError

LOG: Final = "-wal"
SUFFIXES: Final = ("", LOG, "-shm")
"""The suffixes of the database, its write-ahead log, and the index of that log."""
CHECK_SECONDS: Final = 0.5
_OTHERS: Final = 0o077
"""The permission bits for everyone but the owner."""

_Identity: TypeAlias = tuple[int, int]
_log: Final = logging.getLogger("cairn.server")


def beside(path: Path, suffix: str) -> Path:
    """The path of a database file with a suffix added to its name."""
    return path.with_name(path.name + suffix)


def real_path(path: Path) -> Path:
    """The path with a symbolic link resolved. Servers that use different paths to one file must use the same lock."""
    return path.resolve() if path.is_symlink() else path


def refuse_hard_links(path: Path) -> None:
    """Raise :class:`DataError` if the file has more than one hard link.

    SQLite names the write-ahead log after the database. Opening the file under two names would create two logs and
    corrupt the database. The lock on the data folder does not prevent that.
    """
    try:
        links = path.stat().st_nlink
    except OSError:
        return
    if links > 1 and path.is_file():
        raise DataError(
            f"{path} has {links} hard links. Opening it under more than one name would corrupt it. "
            "Delete the other links, or replace this file with a copy."
        )


def make_private(path: Path) -> None:
    """Create the database file if it is missing, and make the database's files accessible only to their owner.

    SQLite creates the other files with the same permissions as the database file.
    """
    try:
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise DataError(f"Cannot store games in {path.parent}: {reason_of(error)}.") from None
    if os.name != "posix":  # on Windows, the folder's access control list applies
        return
    for file in (beside(path, suffix) for suffix in SUFFIXES):
        _tighten(file)


def _tighten(file: Path) -> None:
    try:
        mode = file.stat().st_mode & 0o777
        if mode & _OTHERS:
            file.chmod(mode & ~_OTHERS)
            _log.warning("other users had access to %s (mode %o); now only the owner has access", file, mode)
    except FileNotFoundError:
        pass
    except OSError as error:
        _log.warning("other users may have access to %s, and its mode cannot be changed: %s", file, reason_of(error))


class OpenFiles:
    """Detects when the files of an open database are moved, replaced or deleted.

    SQLite would keep writing to the old files, and the changes would be lost after a restart.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._known: Final[dict[str, _Identity]] = {"": _identity(path.stat())}
        self._checked = float("-inf")
        self.log_bytes = 0
        """The size of the write-ahead log at the last check."""

    def forget_log(self) -> None:
        """Accept a new write-ahead log. SQLite creates one when the last connection is closed and another is opened."""
        for suffix in SUFFIXES[1:]:
            self._known.pop(suffix, None)

    def check(self, *, now: bool = False) -> None:
        """Raise :class:`FilesMovedError` if a file was moved. Checks at most twice a second, unless ``now`` is set."""
        at = time.monotonic()
        if not now and at - self._checked < CHECK_SECONDS:
            return
        self._checked = float("-inf")  # after a failure, check every time
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
