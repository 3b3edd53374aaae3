"""Another program, spoken to line by line."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO, Final

from cairn.engine.engine import EngineError

LONGEST_LINE: Final = 2**20
LINES_AHEAD: Final = 10_000
"""So many lines are kept until they are read; a program that floods is then slowed down by its full pipe."""
GLANCE: Final = 0.1
"""Seconds after which it is seen whether the deadline has moved."""
FAREWELL: Final = 2.0
"""Seconds that it may take to see that a program has ended."""
_SHOWN: Final = 200


class LineProcess:
    """A running program. Every failure is an :class:`~cairn.engine.EngineError` that names the program."""

    def __init__(self, command: Sequence[str]) -> None:
        self._label: Final = command[0]
        self._complaints: Final = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process
        try:
            self._process: Final = subprocess.Popen(  # noqa: S603  # running it is what was asked for
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints
            )
        except (OSError, ValueError) as error:
            self._complaints.close()
            raise EngineError(f"{self._label} cannot be started: {error}") from None
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("both were asked to be pipes")
        self._stdin: Final = self._process.stdin
        self._stdout: Final = self._process.stdout
        self._lines: Final[queue.Queue[bytes | None]] = queue.Queue(LINES_AHEAD)
        self._writing: Final = threading.Lock()
        self._closing: Final = threading.Event()
        self._ended = False
        self._reader: Final = threading.Thread(target=self._read_all, name="cairn-external", daemon=True)
        self._reader.start()

    def tell(self, line: str) -> None:
        """Send a line. That nobody hears it any more shows when an answer is read."""
        with self._writing, contextlib.suppress(OSError, ValueError):
            self._stdin.write(line.encode() + b"\n")
            self._stdin.flush()

    def hear(self, deadline: Callable[[], float], awaited: str) -> str:
        """The next line that is not empty, if it comes before the deadline (of ``time.monotonic``), which may move."""
        while True:
            left = deadline() - time.monotonic()
            try:
                line = None if self._ended else self._lines.get(timeout=min(max(left, 0), GLANCE))
            except queue.Empty:
                if left > 0:
                    continue
                raise self.failure(f"did not answer {awaited} in time") from None
            if line is None:
                self._ended = True
                raise self._death(awaited)
            if len(line) > LONGEST_LINE:
                raise self.failure("talks nonsense: a line without an end")
            text = line.decode("utf-8", errors="backslashreplace").strip()
            if text:
                return text

    def failure(self, sentence: str, kind: type[EngineError] = EngineError) -> EngineError:
        """An error that begins with the name of this program."""
        return kind(f"{self._label} {sentence}")

    def close(self, patience: float) -> None:
        """Wait so long for the program to end, then end it."""
        with self._writing:
            if self._closing.is_set():
                return
            self._closing.set()
        with self._writing, contextlib.suppress(OSError):
            self._stdin.close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(FAREWELL)  # a grandchild may keep the pipe open for ever
        if not self._reader.is_alive():
            self._stdout.close()
        self._complaints.close()

    def _read_all(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := self._stdout.readline(LONGEST_LINE + 1):
                self._put(line)
        self._put(None)

    def _put(self, line: bytes | None) -> None:
        while not self._closing.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=GLANCE)
                break

    def _death(self, awaited: str) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        return self.failure(f"{how} instead of answering {awaited}{_last_words(self._complaints)}")


def _last_words(complaints: BinaryIO) -> str:
    complaints.seek(0)
    lines = complaints.read().decode("utf-8", errors="replace").split("\n")
    said = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f"; it said: {said[:_SHOWN]}" if said else ""
