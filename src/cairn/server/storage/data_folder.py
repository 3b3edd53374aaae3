"""The folder where games are kept: where it is, and that one server at a time uses it."""

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
    """The right to use a folder, which ends with the process, however that ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: Final = descriptor

    def tell(self, address: str) -> None:
        """Let whoever finds the folder in use know where."""
        with contextlib.suppress(OSError):  # a courtesy, which a full disk may prevent
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, json.dumps({"pid": os.getpid(), "address": address}).encode(), 0)


def default_folder() -> Path:
    """The user's folder for Cairn."""
    return platformdirs.user_data_path("cairn", appauthor=False)


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[Lock]:
    """Make the folder, if need be, and be the only one to use it; :class:`DataError` says why that cannot be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DataError(_sentence(folder, error)) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)  # where the server before us was
        except BlockingIOError:
            raise InUseError(folder, _address(descriptor)) from None
        except OSError as error:
            raise DataError(_sentence(folder, error)) from None
        yield Lock(descriptor)
    finally:
        os.close(descriptor)


def _address(descriptor: int) -> str | None:
    """Where the other server listens, if it has told."""
    try:
        told = json.loads(os.pread(descriptor, 1_000, 0))
        return str(told["address"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _sentence(folder: Path, error: OSError) -> str:
    reasons = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk quota is used up",
        errno.EROFS: "it lies on a read-only disk",
        errno.EACCES: "it may not be written",
        errno.EPERM: "it may not be written",
        errno.ENOTDIR: "a part of this path is no folder",
        errno.EEXIST: "this is a file, not a folder",
    }
    reason = reasons.get(error.errno or 0, error.strerror or str(error))
    return f"Games cannot be kept in {folder}: {reason}."
