"""Run another program with line-based input and output."""

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
"""The maximum number of buffered lines. If a program writes more, the pipe fills up and the program blocks."""
POLL_SECONDS: Final = 0.1
"""The interval in seconds at which to check whether the deadline has moved."""
JOIN_SECONDS: Final = 2.0
"""How many seconds to wait for the reader thread after the program has ended."""
_SHOWN: Final = 200


class LineProcess:
    """A running program. Every failure is an :class:`~cairn.engine.EngineError` whose message names the program."""

    def __init__(self, command: Sequence[str]) -> None:
        self._label: Final = command[0]
        self._stderr: Final = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the process runs
        try:
            self._process: Final = subprocess.Popen(  # noqa: S603  # the user asked to run this command
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr
            )
        except (OSError, ValueError) as error:
            self._stderr.close()
            raise EngineError(f"{self._label} cannot be started: {error}") from None
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("stdin and stdout must be pipes")
        self._stdin: Final = self._process.stdin
        self._stdout: Final = self._process.stdout
        self._lines: Final[queue.Queue[bytes | None]] = queue.Queue(LINES_AHEAD)
        self._writing: Final = threading.Lock()
        self._closing: Final = threading.Event()
        self._ended = False
        self._reader: Final = threading.Thread(target=self._read_all, name="cairn-external", daemon=True)
        self._reader.start()

    def send(self, line: str) -> None:
        """Send a line. If the program has ended, the next read reports the failure."""
        with self._writing, contextlib.suppress(OSError, ValueError):
            self._stdin.write(line.encode() + b"\n")
            self._stdin.flush()

    def read_line(self, deadline: Callable[[], float], awaited: str) -> str:
        """The next non-empty line. The deadline, in ``time.monotonic`` time, may move while this method waits."""
        while True:
            left = deadline() - time.monotonic()
            try:
                line = None if self._ended else self._lines.get(timeout=min(max(left, 0), POLL_SECONDS))
            except queue.Empty:
                if left > 0:
                    continue
                raise self.failure(f"did not answer {awaited} in time") from None
            if line is None:
                self._ended = True
                raise self._death(awaited)
            if len(line) > LONGEST_LINE:
                raise self.failure("broke the protocol: a line is too long")
            text = line.decode("utf-8", errors="backslashreplace").strip()
            if text:
                return text

    def failure(self, sentence: str, kind: type[EngineError] = EngineError) -> EngineError:
        """Return an error with a message that starts with this program's name."""
        return kind(f"{self._label} {sentence}")

    def close(self, patience: float) -> None:
        """Wait ``patience`` seconds for the program to end, then kill it."""
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
        self._reader.join(JOIN_SECONDS)  # with a timeout, because a grandchild may keep the pipe open
        if not self._reader.is_alive():
            self._stdout.close()
        self._stderr.close()

    def _read_all(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := self._stdout.readline(LONGEST_LINE + 1):
                self._put(line)
        self._put(None)

    def _put(self, line: bytes | None) -> None:
        while not self._closing.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=POLL_SECONDS)
                break

    def _death(self, awaited: str) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        return self.failure(f"{how} instead of answering {awaited}{_last_words(self._stderr)}")


def _last_words(stderr: BinaryIO) -> str:
    stderr.seek(0)
    lines = stderr.read().decode("utf-8", errors="replace").split("\n")
    said = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f"; it said: {said[:_SHOWN]}" if said else ""
