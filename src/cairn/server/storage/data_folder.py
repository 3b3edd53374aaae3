"""The data folder: its default path, and the lock that lets only one server use it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import filelock
import platformdirs

from cairn.messages import reason_of, t
from cairn.server.errors import DataError, InUseError

DATABASE: Final = "cairn.db"
LOCK: Final = "cairn.lock"
TRACES: Final = "traces"
"""The subfolder for traces."""
ADDRESS: Final = "cairn.address"
"""The file with the address of the running server."""


class FolderLock:
    """The lock on a data folder. The operating system releases it when the process ends, even after a crash."""

    def __init__(self, folder: Path) -> None:
        self._published: Final = folder / ADDRESS

    def publish_address(self, address: str) -> None:
        """Store this server's address, so that a second server can show it in its error message."""
        with contextlib.suppress(OSError):  # not essential; the disk may be full
            self._published.write_text(json.dumps({"pid": os.getpid(), "address": address}), encoding="utf-8")


def default_folder() -> Path:
    """The user's folder for Cairn."""
    return platformdirs.user_data_path("cairn", appauthor=False)


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[FolderLock]:
    """Create the folder if necessary and lock it. Raises :class:`DataError` on failure or if it is already locked."""
    lock = filelock.FileLock(folder / LOCK, mode=0o600)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except filelock.Timeout:
        raise InUseError(folder, _published_address(folder)) from None
    except OSError as error:
        raise DataError(t("cli.data.cannot-store", folder=folder, why=reason_of(error))) from None
    try:
        with contextlib.suppress(OSError):
            (folder / ADDRESS).unlink(missing_ok=True)  # left behind by a server that crashed
        yield FolderLock(folder)
    finally:
        lock.release()


def _published_address(folder: Path) -> str | None:
    """The address of the server that holds the lock, if known."""
    try:
        published = json.loads((folder / ADDRESS).read_text(encoding="utf-8"))
        return str(published["address"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
