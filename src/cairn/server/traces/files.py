"""Writes traces to private files that rotate.

A thread encodes and writes them, so play never waits for the disk. If the disk is full or slow, traces are dropped and
counted; the log has one line when that begins and one when it ends.
"""

from __future__ import annotations

import contextlib
import datetime
import io
import logging
import logging.handlers
import os
import queue
import sys
import time
from pathlib import Path
from typing import Any, Final

import filelock

from cairn.server.traces.trace import Trace, TraceFormatter

MOST_QUEUED: Final = 20_000
"""How many traces wait for the disk, at about 500 bytes each, before more are dropped."""
RETRY_SECONDS: Final = 5.0
"""How long nothing is written after a failure."""
MOST_PROCESSES: Final = 64
"""How many processes can write to the same folder. Each has files of its own."""

_log: Final = logging.getLogger("cairn.server")


class TraceFile(logging.handlers.RotatingFileHandler):
    """A file that only its owner can read. A new one begins at a size and every day (UTC); old ones are deleted."""

    def __init__(self, path: Path, process: str, *, most_bytes: int, files: int, days: int) -> None:
        super().__init__(path, maxBytes=most_bytes, backupCount=files - 1, encoding="ascii", delay=True)
        self.setFormatter(TraceFormatter(process))
        self._path: Final = path
        self._days: Final = days
        self._size = 0
        self._day = datetime.date.min
        self._retry_at = 0.0
        self._failing = False
        self.lost = 0
        """How many traces could not be written."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a trace, unless the last attempt has just failed."""
        if time.monotonic() < self._retry_at:
            self.lost += 1
            return
        self._retry_at = 0.0
        super().emit(record)
        if self._failing and not self._retry_at:
            self._failing = False
            _log.warning("traces are written to %s again; %s were lost", self._path, self.lost)

    def shouldRollover(self, record: logging.LogRecord) -> bool:  # noqa: N802  # the library's name  # type: ignore[override]
        """Whether the file is full or from another day. Finds out if it was moved or deleted."""
        if self.stream is not None and not self._is_in_place(self.stream):
            _log.warning("%s was moved or deleted, so traces continue in a new file", self._path)
            self._drop_stream()
        if self.stream is None:
            self.stream = self._open()
        return self._size > 0 and (self._size >= self.maxBytes or self._day != _today())

    def doRollover(self) -> None:  # noqa: N802  # the library's name
        """Begin a new file, and delete old ones."""
        super().doRollover()
        delete_old(self._path.parent, self._days)

    def format(self, record: logging.LogRecord) -> str:
        """The line, whose size is counted."""
        line = super().format(record)
        self._size += len(line) + 1
        return line

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the library's name
        """Report the first of several failures, and try again later."""
        self.lost += 1
        self._retry_at = time.monotonic() + RETRY_SECONDS
        self._drop_stream()
        if not self._failing:
            self._failing = True
            _log.warning("traces are not written to %s: %s", self._path, sys.exc_info()[1])

    def _open(self) -> io.TextIOWrapper:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = open(self._path, "a+b", buffering=0, opener=_private)  # noqa: SIM115  # with an opener; the handler closes it
        try:
            about = os.fstat(file.fileno())
            self._size = about.st_size
            self._day = _day_of(about.st_mtime) if about.st_size else _today()
            if about.st_size and os.pread(file.fileno(), 1, about.st_size - 1) != b"\n":
                file.write(b"\n")  # a crash or a full disk has cut the last line
        except BaseException:
            file.close()
            raise
        return io.TextIOWrapper(io.BufferedWriter(file), encoding="ascii")

    def _is_in_place(self, stream: io.TextIOWrapper) -> bool:
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        here = os.fstat(stream.fileno())
        return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)

    def _drop_stream(self) -> None:
        stream, self.stream = self.stream, None
        if stream is not None:
            with contextlib.suppress(OSError):  # such as a full disk: closing writes what is left
                stream.close()


class TraceWriter:
    """Hands traces to the thread that writes them."""

    def __init__(self, folder: Path, process: str, *, most_bytes: int, files: int, days: int) -> None:
        self._queue: Final[queue.SimpleQueue[Any]] = queue.SimpleQueue()
        self._dropped = 0
        self._lock: Final = _own_slot(folder)
        delete_old(folder, days)
        path = Path(self._lock.lock_file).with_suffix(".jsonl")
        self._file: Final = TraceFile(path, process, most_bytes=most_bytes, files=files, days=days)
        # There is no QueueHandler, because it would format every trace on the event loop.
        self._listener: Final = _Listener(self._queue, self._file)
        self._listener.start()

    @property
    def dropped(self) -> int:
        """How many traces were not written."""
        return self._dropped + self._file.lost

    def put(self, trace: Trace) -> None:
        """Queue a trace. Never blocks and never fails."""
        if self._queue.qsize() < MOST_QUEUED:
            self._queue.put_nowait(trace)
        else:
            self._dropped += 1

    def stop(self) -> None:
        """Write what is queued. Blocks."""
        self._listener.stop()
        with contextlib.suppress(OSError):
            self._file.close()

    def release(self) -> None:
        """Let another process use the files. Call it on the thread that created the writer."""
        self._lock.release()


class _Listener(logging.handlers.QueueListener):
    """Makes the log records from traces, on its own thread."""

    def prepare(self, record: Any) -> logging.LogRecord:
        """The record of a trace."""
        return logging.LogRecord("cairn.traces", logging.INFO, "", 0, record, None, None)


def delete_old(folder: Path, days: int) -> None:
    """Delete the files of all processes that were last written more than that many days ago."""
    oldest = time.time() - days * 86_400
    for path in folder.glob("*.jsonl*"):
        with contextlib.suppress(OSError):  # another process may have been faster
            if path.stat().st_mtime < oldest:
                path.unlink()


def _own_slot(folder: Path) -> filelock.BaseFileLock:
    """The lock on the first files that no other process is writing; :class:`OSError` if there are none."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in range(MOST_PROCESSES):
        lock = filelock.FileLock(folder / f"traces-{number}.lock", mode=0o600)
        with contextlib.suppress(filelock.Timeout):
            lock.acquire(blocking=False)
            return lock
    raise OSError(f"{MOST_PROCESSES} processes are already writing to this folder")


def _private(path: str, flags: int) -> int:
    """Open a file for its owner only, even if it existed before."""
    descriptor = os.open(path, flags, 0o600)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, 0o600)
    return descriptor


def _today() -> datetime.date:
    return _day_of(time.time())


def _day_of(seconds: float) -> datetime.date:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).date()
