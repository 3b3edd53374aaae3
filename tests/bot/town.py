"""A real server process with accounts and bots; it keeps its address when it is killed and restarted."""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final, Self

from harness.server.preloaded import PreloadedPopen

CAIRN: Final = (sys.executable, "-c", "from cairn.cli import main; main()")
PASSWORD: Final = "correct horse"


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


class Program:
    """``cairn …`` in a separate process; its output is collected."""

    def __init__(self, *arguments: str) -> None:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process: Final = PreloadedPopen(
            [*CAIRN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        self.lines: Final[list[str]] = []
        assert self.process.stdout
        self._reading: Final = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self._reading.start()

    def _read(self, stream: IO[str]) -> None:
        self.lines.extend(iter(stream.readline, ""))

    def until(self, pattern: str, seconds: float = 60) -> str:
        """Wait for a line that matches the pattern and return it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            ended = self.process.poll() is not None
            if ended:
                self._reading.join(5)
            for line in list(self.lines):
                if re.search(pattern, line):
                    return line
            assert not ended, f"the program ended, but no line matches {pattern!r}: {self.text}"
            time.sleep(0.02)
        raise AssertionError(f"no line matches {pattern!r}: {self.text}")

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def interrupt(self) -> int:
        """Send Ctrl+C and return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.wait()

    def wait(self, seconds: float = 60) -> int:
        code = self.process.wait(seconds)
        self._reading.join(5)
        return code

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reading.join(5)
        assert self.process.stdout
        self.process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


class Town:
    """A server with accounts and bots."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._port: Final = free_port()
        self.address: Final = f"http://127.0.0.1:{self._port}"
        self._server: Program | None = None

    def start(self) -> None:
        self._server = Program("serve", "--no-open", "--port", str(self._port), "--data", str(self._folder / "data"))
        self._server.until("Cairn is running at")

    def kill(self) -> None:
        """Kill the server with SIGKILL."""
        if self._server:
            self._server.kill()
            self._server = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def ask(self, method: str, path: str, body: object = None, *, token: str = "", cookie: str = "") -> Any:
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Cookie": cookie} if cookie else {}
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            content = answer.read()
            self.cookie = str(answer.headers["Set-Cookie"] or "").partition(";")[0]
        return json.loads(content) if content else None

    def tokens(self, *names: str) -> dict[str, str]:
        """Create bots for a new account and return their tokens by name."""
        self.ask("POST", "/api/account", {"name": f"owner{secrets.token_hex(4)}", "password": PASSWORD})
        cookie = self.cookie
        self.owner: str = cookie
        return {name: self.ask("POST", "/api/account/tokens", {"bot": name}, cookie=cookie)["token"] for name in names}

    def token_file(self, name: str, token: str) -> str:
        path = self._folder / f"{name}.token"
        path.write_text(token + "\n", encoding="utf-8")
        path.chmod(0o600)
        return str(path)

    def challenge(self, token: str, **fields: Any) -> Mapping[str, Any]:
        """Let a bot create a challenge that anyone can accept."""
        made: Mapping[str, Any] = self.ask("POST", "/api/challenges", {"open": True, **fields}, token=token)
        number = {"number": secrets.token_hex(16)}
        self.ask("PUT", f"/api/challenges/{made['challenge']['id']}/number", number, token=token)
        return made

    def ask_text(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=20) as answer:
            text: str = answer.read().decode()
            return text

    def game(self, game: str) -> Any:
        return self.ask("GET", f"/api/games/{game}")

    def until(self, game: str, steps: int, seconds: float = 60) -> Any:
        """Return the game once it has ``steps`` steps or is over."""
        deadline, view = time.monotonic() + seconds, self.game(game)
        while time.monotonic() < deadline:
            view = self.game(game)
            if len(view["steps"]) >= steps or view["now"]["outcome"]:
                return view
            time.sleep(0.05)
        raise AssertionError(f"the game did not reach step {steps}: {view['now']}")


def bot(town: Town, token_file: str, *more: str) -> Program:
    return Program("bot", town.address, "--token-file", token_file, *more)


def engine_command(*options: str) -> str:
    return shlex.join([*CAIRN, "engine", *options])
