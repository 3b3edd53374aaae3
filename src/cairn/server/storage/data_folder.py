"""The data folder: its default path, and the lock that lets only one server use it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import platformdirs

from cairn.server.errors import DataError, InUseError

DATABASE: Final = "cairn.db"
LOCK: Final = "cairn.lock"


class Lock:
    """The lock on a data folder. The system releases it when the process ends for any reason."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: Final = descriptor

    def publish_address(self, address: str) -> None:
        """Write the address of this server into the lock file, for the error message of a second server."""
        with contextlib.suppress(OSError):  # not essential; the disk may be full
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, json.dumps({"pid": os.getpid(), "address": address}).encode(), 0)


def default_folder() -> Path:
    """The user's folder for Cairn."""
    return platformdirs.user_data_path("cairn", appauthor=False)


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[Lock]:
    """Create the folder if necessary and lock it; :class:`DataError` if that fails or another server has it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DataError(_sentence(folder, error)) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)  # removes the address of the previous server
        except BlockingIOError:
            raise InUseError(folder, _address(descriptor)) from None
        except OSError as error:
            raise DataError(_sentence(folder, error)) from None
        yield Lock(descriptor)
    finally:
        os.close(descriptor)


def _address(descriptor: int) -> str | None:
    """The address that the other server has published, if any."""
    try:
        return str(json.loads(os.pread(descriptor, 1_000, 0))["address"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _sentence(folder: Path, error: OSError) -> str:
    reasons = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk quota is used up",
        errno.EROFS: "the disk is read-only",
        errno.EACCES: "permission denied",
        errno.EPERM: "permission denied",
        errno.ENOTDIR: "a part of this path is not a folder",
        errno.EEXIST: "this is a file, not a folder",
    }
    reason = reasons.get(error.errno or 0, error.strerror or str(error))
    return f"Cannot store games in {folder}: {reason}."
