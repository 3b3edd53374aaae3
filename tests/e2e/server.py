"""A real ``cairn serve`` process, which tests can kill, restart, and call without a browser."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import sqlalchemy as sa

from cairn.server.storage.data_folder import DATABASE
from harness.server.chains import renew_chain
from harness.server.preloaded import PreloadedPopen

PAGES: Final = Path(__file__).parents[2] / "src" / "cairn" / "server" / "pages" / "index.html"

PERSON: Final[Mapping[str, Any]] = {"kind": "person"}
COMPUTER: Final[Mapping[str, Any]] = {"kind": "computer", "level": 1}
TWO: Final[Mapping[str, Any]] = {"forest": PERSON, "sea": PERSON}
AGAINST_COMPUTER: Final[Mapping[str, Any]] = {"forest": PERSON, "sea": COMPUTER}

WITH_PAGES: Final = """
import pathlib, sys
from cairn.server.run.serve import serve
from cairn.server.settings import Settings
port, data, pages = sys.argv[1:]
serve(Settings(data=pathlib.Path(data), pages=pathlib.Path(pages)), "127.0.0.1", int(port), lambda address: None)
"""
"""A program that serves pages from another folder. The command line has no option for that."""


def command() -> str:
    """The program in ``CAIRN_COMMAND``, or else the ``cairn`` next to this Python."""
    return os.environ.get("CAIRN_COMMAND") or str(Path(sys.executable).with_name("cairn"))


class Server:
    """A server process on a free port."""

    def __init__(
        self, data: Path, *options: str, pages: Path | None = None, popen: type[subprocess.Popen[bytes]] | None = None
    ) -> None:
        self.port: Final = free_port()
        self.address: Final = f"http://127.0.0.1:{self.port}"
        self.http: Final = httpx.Client(base_url=f"{self.address}/api", timeout=30)
        self._data: Final = data
        self._options: Final = options
        self._pages: Final = pages
        self._popen: Final = popen or (subprocess.Popen if os.environ.get("CAIRN_COMMAND") else PreloadedPopen)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self._data.mkdir(parents=True, exist_ok=True)
        log = self._data / "log.txt"
        with log.open("ab") as out:
            self._process = self._popen(self._command(), stdout=out, stderr=out)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            assert self._process.poll() is None, f"the server has exited: {log.read_text()}"
            try:
                self.http.get("/health").raise_for_status()
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        raise TimeoutError(f"the server does not answer: {log.read_text()}")

    def _command(self) -> list[str]:
        if self._pages is not None:
            return [sys.executable, "-c", WITH_PAGES, str(self.port), str(self._data), str(self._pages)]
        return [command(), "serve", "--no-open", "--port", str(self.port), "--data", str(self._data), *self._options]

    def freeze(self) -> None:
        """Suspend the process, so that it answers no requests until it is killed."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """Kill the server with SIGKILL and wait until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """Kill the server if it is running, and close the client."""
        self.kill()
        self.http.close()

    # Helpers for tests

    def make_admin(self, name: str) -> None:
        """Make an account an administrator; this restarts the server."""
        self.kill()
        process = self._popen([command(), "admin", name, "--data", str(self._data)], stdout=subprocess.DEVNULL)
        assert process.wait(60) == 0
        self.start()

    def rebuild_explorer(self) -> None:
        """Add all finished games to the explorer now; this restarts the server."""
        self.kill()
        process = self._popen([command(), "rebuild-explorer", "--data", str(self._data)], stdout=subprocess.DEVNULL)
        assert process.wait(60) == 0
        self.start()

    def age(self, days: int) -> None:
        """Move all stored times back by this many days; this restarts the server."""
        self.kill()
        database = sa.create_engine(f"sqlite:///{self._data / DATABASE}")
        with database.begin() as connection:
            for table, column in (("games", "created"), ("events", "time"), ("standings", "changed")):
                earlier = f"strftime('%Y-%m-%d %H:%M:%f000', {column}, '-{days} days')"
                connection.execute(sa.text(f"UPDATE {table} SET {column} = {earlier}"))
            for game in connection.execute(sa.text("SELECT id FROM games")).scalars().all():
                renew_chain(connection, game)
        database.dispose()
        self.start()

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return the content of the response."""
        answer = self.http.request(method, path, json=body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json() if answer.content else None

    def begin(
        self, position: str | None = None, tokens: Sequence[str] = (), seats: Mapping[str, Any] = TWO, **more: object
    ) -> str:
        """Create a game and return its id."""
        body = {"seats": seats, **more}
        if position is not None:
            body |= {"position": position, "tokens": list(tokens)}
        return str(self.ask("POST", "/games", body)["id"])

    def game(self, game: str) -> Any:
        """The whole game in its current state."""
        return self.ask("GET", f"/games/{game}")

    def tokens(self, game: str) -> list[str]:
        """All tokens that were played."""
        return [step["token"] for step in self.game(game)["steps"]]

    def record(self, game: str) -> str:
        """The record of the game."""
        return self.http.get(f"/games/{game}/record").raise_for_status().text


def free_port() -> int:
    """A port on which nothing is listening."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
