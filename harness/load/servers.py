"""Start, monitor and kill the server processes for a test, and create their databases."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Final, Self

from cairn.server.run.listen import listen
from harness.cpu_time import cpu_seconds
from harness.server.postgresql import running_postgres

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
START_SECONDS: Final = 60
STOP_SECONDS: Final = 15
TROUBLE: Final = ("Traceback", "ERROR", "CRITICAL")
"""Words that never appear in the log of a healthy server."""


class ServerError(Exception):
    """A server did not start or is not running. The message is a full sentence."""


@dataclasses.dataclass(frozen=True)
class RunningServer:
    """A handle to a running server process. It can be passed to another process."""

    address: str
    pid: int

    def memory(self) -> float:
        """The current resident memory of the process, in MiB."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def processor_seconds(self) -> float:
        """The CPU time that the process has used, in seconds."""
        return cpu_seconds(self.pid)


class Server:
    """A process that prints its address when it is ready and logs to a file."""

    popen: ClassVar[type[subprocess.Popen[str]]] = subprocess.Popen
    """The class that starts the process. Tests that do not measure anything replace it with a faster one."""

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self._command: Final = [sys.executable, *command]
        self._log: Final = log
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    @classmethod
    def cairn(cls, folder: Path, database: str | None = None, name: str = "data", *, speedups: bool = True) -> Self:
        """A Cairn server without rate limits."""
        arguments = ["--data", str(folder / name), *(["--database", database] if database else [])]
        arguments += [] if speedups else ["--no-speedups"]
        return cls([str(HERE / "serve.py"), *arguments], folder / f"{name}.log")

    @classmethod
    def cairn_serve(cls, folder: Path, *arguments: str) -> Self:
        """The installed ``cairn serve``, with its default limits and the given extra arguments."""
        with listen("127.0.0.1", 0) as free:
            port = str(free.getsockname()[1])
        command = ["-c", "from cairn.cli import main; main()", "serve", "--no-open", "--port", port]
        return cls([*command, "--data", str(folder / "data"), *arguments], folder / "data.log")

    @classmethod
    def echo(cls, folder: Path) -> Self:
        """The minimal server that commits a row for each message and echoes the message."""
        return cls([str(HERE / "echo.py"), "--file", str(folder / "echo.db")], folder / "echo.log")

    def start(self) -> str:
        """Start the server, wait until it is ready, and return its address without a trailing slash."""
        with self._log.open("ab") as log:
            environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
            self._process = self.popen(self._command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], START_SECONDS)
        told = re.search(r"http://[^/\s]+", self._process.stdout.readline() if ready else "")
        self.address = told[0] if told else ""
        if not self.address:
            self.kill()
            raise ServerError(f"The server did not start: {self.log()[-2_000:]}")
        return self.address

    def kill(self) -> None:
        """Send ``SIGKILL`` and wait for the process to exit."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Send ``SIGINT``, as an administrator would, and wait for the process to exit."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._process = None

    @property
    def pid(self) -> int:
        """The process id."""
        if self._process is None:
            raise ServerError("The server is not running.")
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.poll() is None

    @property
    def running(self) -> RunningServer:
        """A handle to the current process, valid until the server is stopped or killed."""
        return RunningServer(self.address, self.pid)

    def log(self) -> str:
        """Return the server's log."""
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def troubles(self) -> list[str]:
        """Return the log lines that a healthy server does not write."""
        return [line for line in self.log().splitlines() if any(word in line for word in TROUBLE)]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A temporary folder for one test, on the same disk as the project, so that commits have a realistic cost."""
    place = ROOT / "build"
    place.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="online-", dir=place) as name:
        yield Path(name)


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Yield the URL of an empty database on a new PostgreSQL server with fsync enabled."""
    with running_postgres(safe=True) as server:
        yield server.new_database()
