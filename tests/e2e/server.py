"""A real ``cairn serve``, which can be stopped and started again, and what tests ask of it beside the pages."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx

from cairn.server.storage.data_folder import DATABASE

PAGES: Final = Path(__file__).parents[2] / "src" / "cairn" / "server" / "pages" / "index.html"

PERSON: Final[Mapping[str, Any]] = {"kind": "person"}
COMPUTER: Final[Mapping[str, Any]] = {"kind": "computer", "level": 1}
TWO: Final[Mapping[str, Any]] = {"forest": PERSON, "sea": PERSON}
AGAINST_COMPUTER: Final[Mapping[str, Any]] = {"forest": PERSON, "sea": COMPUTER}


def command() -> str:
    """The ``cairn`` beside this Python; ``CAIRN_COMMAND`` names another one to be tested."""
    return os.environ.get("CAIRN_COMMAND") or str(Path(sys.executable).with_name("cairn"))


class Server:
    """A server process on a free port."""

    def __init__(self, data: Path, *options: str) -> None:
        self.port: Final = _free_port()
        self.address: Final = f"http://127.0.0.1:{self.port}"
        self.http: Final = httpx.Client(base_url=f"{self.address}/api", timeout=30)
        self._data: Final = data
        self._options: Final = options
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        self._data.mkdir(parents=True, exist_ok=True)
        log = self._data / "log.txt"
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                [command(), "serve", "--no-open", "--port", str(self.port), "--data", str(self._data), *self._options],
                stdout=out,
                stderr=out,
            )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            assert self._process.poll() is None, f"the server has ended: {log.read_text()}"
            try:
                self.http.get("/health").raise_for_status()
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        raise TimeoutError(f"the server does not answer: {log.read_text()}")

    def freeze(self) -> None:
        """Let it neither hear nor answer any more, until it is killed."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """``kill -9``, and wait until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End it, whatever happened before."""
        self.kill()
        self.http.close()

    # What tests ask of it

    def make_admin(self, name: str) -> None:
        """Make an account an administrator; the server is not there meanwhile."""
        self.kill()
        subprocess.run([command(), "admin", name, "--data", str(self._data)], check=True, capture_output=True)
        self.start()

    def age(self, days: int) -> None:
        """Let everything that is kept have happened so many days earlier; the server is not there meanwhile."""
        self.kill()
        with contextlib.closing(sqlite3.connect(self._data / DATABASE)) as database, database:
            for table, column in (("games", "created"), ("events", "time"), ("standings", "changed")):
                earlier = f"strftime('%Y-%m-%d %H:%M:%f000', {column}, '-{days} days')"
                database.execute(f"UPDATE {table} SET {column} = {earlier}")
        self.start()

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """What the answer holds."""
        answer = self.http.request(method, path, json=body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json() if answer.content else None

    def begin(
        self, position: str | None = None, tokens: Sequence[str] = (), seats: Mapping[str, Any] = TWO, **wish: object
    ) -> str:
        """A new game; its id."""
        body = {"seats": seats, **wish}
        if position is not None:
            body |= {"position": position, "tokens": list(tokens)}
        return str(self.ask("POST", "/games", body)["id"])

    def game(self, game: str) -> Any:
        """The whole game, as it stands."""
        return self.ask("GET", f"/games/{game}")

    def tokens(self, game: str) -> list[str]:
        """Everything that was played."""
        return [step["token"] for step in self.game(game)["steps"]]

    def record(self, game: str) -> str:
        """Its record."""
        return self.http.get(f"/games/{game}/record").raise_for_status().text


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
