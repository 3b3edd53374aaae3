"""Write traces to private, rotating files.

A thread encodes and writes the traces twice a second, so commands never wait for the disk, and the thread rarely
competes with the event loop. A crash loses the traces of the last half second. If the disk is full or slow, traces are
dropped and counted. The log gets one line when traces are first dropped and one when writing works again.
"""

from __future__ import annotations

import collections
import contextlib
import datetime
import itertools
import logging
import os
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

import filelock

from cairn.server.traces.trace import Trace, trace_line

MOST_QUEUED: Final = 20_000
"""How many traces, at about 500 bytes each, may be queued before new ones are dropped."""
WRITE_SECONDS: Final = 0.5
"""How long to collect traces before writing them."""
RETRY_SECONDS: Final = 5.0
"""How long to wait after a failed write before the next attempt."""
MOST_PROCESSES: Final = 64
"""How many processes can write to the same folder. Each has its own files."""

_log: Final = logging.getLogger("cairn.server")


class TraceFile:
    """A file that only its owner can read. It rotates every day (UTC) and at a maximum size; old files are deleted."""

    def __init__(self, path: Path, process: str, *, most_bytes: int, files: int, days: int) -> None:
        self._path: Final = path
        self._process: Final = process
        self._most_bytes: Final = most_bytes
        self._files: Final = files
        self._days: Final = days
        self._file: BinaryIO | None = None
        self._size = 0
        self._day = datetime.date.min
        self._retry_at = 0.0
        self._failing = False
        self.lost = 0
        """How many traces could not be written."""

    def write(self, traces: Iterable[Trace]) -> None:
        """Write traces, unless the last attempt failed only a moment ago."""
        lines = [trace_line(trace, self._process) for trace in traces]
        if time.monotonic() < self._retry_at:
            self.lost += len(lines)
            return
        written = 0
        try:
            while written < len(lines):
                written += self._write_some(lines[written:])
        except OSError as error:
            self.lost += len(lines) - written
            self._retry_at = time.monotonic() + RETRY_SECONDS
            self.close()
            if not self._failing:
                self._failing = True
                _log.warning("cannot write traces to %s: %s", self._path, error)
        else:
            if self._failing:
                self._failing = False
                _log.warning("writing traces to %s works again; %s were lost", self._path, self.lost)

    def close(self) -> None:
        """Close the file. The next trace opens it again."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _write_some(self, lines: list[bytes]) -> int:
        """Write the lines that belong in the current file, and return their number."""
        if self._file is not None and not self._is_in_place(self._file):
            _log.warning("%s was moved or deleted, so traces continue in a new file", self._path)
            self.close()
        file = self._file = self._file or self._open()
        if self._size and (self._size >= self._most_bytes or self._day != _today()):
            self._rotate()
            file = self._file = self._open()
        count = size = 0
        while count < len(lines) and self._size + size < self._most_bytes:
            size += len(lines[count])
            count += 1
        rest = memoryview(b"".join(lines[:count]))
        while rest:  # an almost full disk may accept only part of the data
            rest = rest[file.write(rest) :]
        self._size += size
        return count

    def _rotate(self) -> None:
        """Renumber the files, newest first, and delete old files."""
        self.close()
        names = [self._path, *(Path(f"{self._path}.{number}") for number in range(1, self._files))]
        for younger, older in reversed(list(itertools.pairwise(names))):
            with contextlib.suppress(FileNotFoundError):
                younger.replace(older)
        self._path.unlink(missing_ok=True)  # it still exists if only one file is kept
        delete_old(self._path.parent, self._days)

    def _open(self) -> BinaryIO:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = open(self._path, "a+b", buffering=0, opener=_private)  # noqa: SIM115  # closed by close()
        try:
            about = os.fstat(file.fileno())
            self._size = about.st_size
            self._day = _day_of(about.st_mtime) if about.st_size else _today()
            if about.st_size and os.pread(file.fileno(), 1, about.st_size - 1) != b"\n":
                file.write(b"\n")  # a crash or a full disk has truncated the last line
        except BaseException:
            file.close()
            raise
        return file

    def _is_in_place(self, file: BinaryIO) -> bool:
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        here = os.fstat(file.fileno())
        return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


class TraceWriter:
    """Hands traces to the thread that writes them."""

    def __init__(self, folder: Path, process: str, *, most_bytes: int, files: int, days: int) -> None:
        self._queue: Final[collections.deque[Trace]] = collections.deque()
        self._dropped = 0
        self._lock: Final = _own_slot(folder)
        delete_old(folder, days)
        path = Path(self._lock.lock_file).with_suffix(".jsonl")
        self._file: Final = TraceFile(path, process, most_bytes=most_bytes, files=files, days=days)
        self._stopping: Final = threading.Event()
        self._thread: Final = threading.Thread(target=self._write, name="traces", daemon=True)
        self._thread.start()

    @property
    def dropped(self) -> int:
        """How many traces were not written."""
        return self._dropped + self._file.lost

    def put(self, trace: Trace) -> None:
        """Queue a trace. Never blocks and never fails."""
        if len(self._queue) < MOST_QUEUED:
            self._queue.append(trace)
        else:
            self._dropped += 1

    def stop(self) -> None:
        """Write all queued traces and end the thread. Blocks until that is done."""
        self._stopping.set()
        self._thread.join()
        self._file.close()

    def release(self) -> None:
        """Release the lock on the files. Call this on the thread that created the writer."""
        self._lock.release()

    def _write(self) -> None:
        stopping = False
        while not stopping:
            stopping = self._stopping.wait(WRITE_SECONDS)
            if traces := [self._queue.popleft() for _ in range(len(self._queue))]:
                self._file.write(traces)


def delete_old(folder: Path, days: int) -> None:
    """Delete files that were last written more than ``days`` days ago, including those of other processes."""
    oldest = time.time() - days * 86_400
    for path in folder.glob("*.jsonl*"):
        with contextlib.suppress(OSError):  # another process may have deleted it first
            if path.stat().st_mtime < oldest:
                path.unlink()


def _own_slot(folder: Path) -> filelock.BaseFileLock:
    """Lock the first set of files that no other process is using. Raises :class:`OSError` if there is none."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in range(MOST_PROCESSES):
        lock = filelock.FileLock(folder / f"traces-{number}.lock", mode=0o600)
        with contextlib.suppress(filelock.Timeout):
            lock.acquire(blocking=False)
            return lock
    raise OSError(f"{MOST_PROCESSES} processes are already writing to this folder")


def _private(path: str, flags: int) -> int:
    """Open a file with access for its owner only, even if the file already existed."""
    descriptor = os.open(path, flags, 0o600)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, 0o600)
    return descriptor


def _today() -> datetime.date:
    return _day_of(time.time())


def _day_of(seconds: float) -> datetime.date:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).date()
