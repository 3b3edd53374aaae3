"""``cairn serve`` as a user starts it: a real process, and a clear error message for every failure."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from cairn.cli.app import app
from cairn.server.run import listen as serving
from cairn.server.settings import Settings
from cairn.server.storage.data_folder import DATABASE
from harness.server.client import PERSONS, START

PROGRAM = """
import resource, sys
from cairn.cli import main

most_bytes = int(sys.argv.pop(1))
if most_bytes:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
main()
"""


def command(*arguments: str, most_bytes: int = 0) -> list[str]:
    """Return the command line. ``most_bytes`` limits the size of files, which has the same effect as a full disk."""
    return [sys.executable, "-c", PROGRAM, str(most_bytes), "serve", "--no-open", *arguments]


@contextlib.contextmanager
def served(
    *arguments: str, most_bytes: int = 0, popen: type[subprocess.Popen[str]] = subprocess.Popen
) -> Iterator[tuple[str, str]]:
    """Start the command and wait until it prints its address; yield the address and the output so far."""
    process = popen(
        command(*arguments, most_bytes=most_bytes),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    said = ""
    try:
        while not (found := re.search(r"Cairn is running at (\S+)/ ", said)):
            line = process.stdout.readline()
            assert line, f"ended with {process.wait()}: {said}"
            said += line
        yield found[1], said
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        rest = process.stdout.read()
        assert "Traceback" not in rest, rest
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def refused(*arguments: str) -> str:
    """Run the command, check that it fails with exit code 1, and return the sentence that it prints."""
    done = CliRunner().invoke(app, ["serve", "--no-open", *arguments])
    return sentence_of(done.exit_code, done.stdout, done.stderr)


def sentence_of(code: int, output: str, errors: str) -> str:
    assert (code, output) == (1, ""), errors
    assert errors.startswith("cairn: ")
    assert errors.count("\n") == 1
    return errors.removeprefix("cairn: ").strip()


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program is listening on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.slow
def test_a_game_survives_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    with serving.listen("127.0.0.1", 0) as probe:
        port = str(probe.getsockname()[1])
    with served("--data", str(folder), "--port", port) as (address, said):
        assert address == f"http://127.0.0.1:{port}"
        assert str(folder) in said
        game = httpx.post(f"{address}/api/games", json={"seats": PERSONS, "position": START}).json()
        body = {"revision": 0, "tribe": "forest", "token": "a1-a2"}
        assert httpx.post(f"{address}/api/games/{game['id']}/tokens", json=body).status_code == 200
        # A second start reports where the server is running, whatever port is requested.
        for arguments in ((), ("--port", port)):
            assert refused("--data", str(folder), *arguments) == (
                f"Cairn is already running at {address}/, using the games in {folder}."
            )
    with served("--data", str(folder), "--port", port) as (address, _):
        view = httpx.get(f"{address}/api/games/{game['id']}").json()
        assert [step["token"] for step in view["steps"]] == ["a1-a2"]


def test_a_requested_port_that_is_taken_is_refused(tmp_path: Path, taken: int) -> None:
    said = refused("--data", str(tmp_path), "--port", str(taken))
    assert said.startswith(f"Port {taken} is in use by another program. Port ")
    assert re.search(r"is free: --port \d+$", said)


def test_the_next_free_port_is_used_by_default(monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    monkeypatch.setattr(serving, "DEFAULT_PORT", taken)
    with serving.listen("127.0.0.1", None) as listening:
        assert taken < listening.getsockname()[1] <= taken + serving.MOST_PORTS


@pytest.mark.anyio
async def test_connections_send_without_delay() -> None:
    accepted: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
    with serving.listen("127.0.0.1", 0) as listening:
        server = await asyncio.start_server(lambda _, writer: accepted.put_nowait(writer), sock=listening)
        async with server:
            _, visitor = await asyncio.open_connection(*listening.getsockname())
            answering = await accepted.get()
            connection = answering.get_extra_info("socket")
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for each in (answering, visitor):
                each.close()
                await each.wait_closed()


def test_the_server_does_not_start_without_a_free_port(monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    monkeypatch.setattr(serving, "DEFAULT_PORT", taken)
    monkeypatch.setattr(serving, "MOST_PORTS", 0)
    with pytest.raises(serving.ListenError, match="all in use by other programs"):
        serving.listen("127.0.0.1", None)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(serving.ListenError, match=r"Cairn cannot listen on 192\.0\.2\.1, port 8765"):
        serving.listen("192.0.2.1", 8765)
    with pytest.raises(serving.ListenError, match="Cairn cannot listen on no such host"):
        serving.listen("no such host", 8765)


def newer(folder: Path) -> None:
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (newer, "was written by a newer version of Cairn"),
        (lambda folder: (folder / DATABASE).write_text("My diary"), "is not a database."),
        (lambda folder: (folder / DATABASE).mkdir(), "cannot be read"),
    ],
    ids=["newer", "not a database", "a folder"],
)
def test_unusable_data_is_refused(tmp_path: Path, spoil: Callable[[Path], Any], sentence: str) -> None:
    spoil(tmp_path)
    assert sentence in refused("--data", str(tmp_path))


def test_an_unwritable_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refused("--data", str(tmp_path / "file" / "data")).endswith("part of this path is not a folder.")
    if os.geteuid():  # nothing is read-only for root
        (tmp_path / "data").mkdir(mode=0o500)
        assert refused("--data", str(tmp_path / "data")).endswith("permission denied.")


@pytest.mark.slow
def test_a_full_disk_at_the_start_is_reported(tmp_path: Path) -> None:
    limited = command("--data", str(tmp_path), most_bytes=8_192)
    done = subprocess.run(limited, capture_output=True, text=True, timeout=60, check=False)
    assert "full" in sentence_of(done.returncode, done.stdout, done.stderr)


@pytest.mark.slow
def test_a_full_disk_during_play_is_reported_and_no_data_is_lost(tmp_path: Path) -> None:
    limited = served("--data", str(tmp_path), "--port", str(free_port()), most_bytes=600_000)
    with limited as (address, _), httpx.Client(base_url=f"{address}/api") as http:
        game = http.post("/games", json={"seats": PERSONS, "position": START}).json()
        path = f"/games/{game['id']}"
        answer = http.get(path)
        for number in range(2_000):  # alternate a token and its undo, so that the disk is full before the game ends
            body = {"revision": game["revision"]}
            if number % 2:
                answer = http.post(f"{path}/undo", json=body)
            else:
                body |= {"tribe": game["now"]["decider"], "token": game["now"]["choices"][0]["token"]}
                answer = http.post(f"{path}/tokens", json=body)
            if answer.status_code != 200:
                break
            game = http.get(path).json()
        assert answer.status_code in (503, 507)
        assert "full" in answer.json()["sentence"]
        assert http.get(path).json() == game
    with served("--data", str(tmp_path), "--port", str(free_port())) as (address, _):
        assert httpx.get(f"{address}/api/games/{game['id']}").json() == game


def free_port() -> int:
    with serving.listen("127.0.0.1", 0) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.slow
def test_a_missing_dependency_is_reported(tmp_path: Path) -> None:
    (tmp_path / "fastapi.py").write_text("raise ModuleNotFoundError(\"No module named 'fastapi'\", name='fastapi')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command(), capture_output=True, text=True, check=False, env=environment)
    said = sentence_of(done.returncode, done.stdout, done.stderr)
    assert said == "this command needs fastapi: pip install cairn-game[serve]"


def test_a_server_is_reachable_under_the_names_of_its_machine() -> None:
    assert serving.names_of("127.0.0.1") == {"127.0.0.1"}
    assert socket.gethostname().lower() in serving.names_of("0.0.0.0")
    assert Settings().hosts == frozenset()
