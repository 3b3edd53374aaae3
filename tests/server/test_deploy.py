"""What is in ``deploy``, unboxed: the same proxy configuration in front of two real processes over one PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import websockets
from tests.server.helpers import PERSONS, START, Client, Process, choices, tokens, updated
from tests.server.postgresql import PostgresServer
from tests.server.test_serve import free_port

from cairn.server.limits import NO_LIMITS
from cairn.server.settings import Settings

pytestmark = pytest.mark.anyio

DEPLOY = Path(__file__).parents[2] / "deploy"


@contextlib.contextmanager
def proxy(folder: Path, processes: tuple[Process, ...]) -> Iterator[str]:
    """Nginx with the configuration of ``deploy``; other ports, other addresses behind it, a certificate of our own."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None or shutil.which("openssl") is None:
        pytest.skip("there is no nginx or no openssl here")
    folder.mkdir()
    (folder / "certificates").mkdir()
    pem = [str(folder / "certificates" / name) for name in ("privkey.pem", "fullchain.pem")]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    subprocess.run([*made, "-keyout", pem[0], "-out", pem[1]], check=True, capture_output=True)
    port = free_port()
    configuration = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    configuration = configuration.replace("8443", str(port)).replace("8080", str(free_port()))
    configuration = configuration.replace("/tmp/nginx", str(folder / "nginx"))
    upstream = (DEPLOY / "upstream.conf").read_text(encoding="utf-8")
    for name, process in zip(("first:8765", "second:8765"), processes, strict=True):
        assert name in upstream
        upstream = upstream.replace(name, process.address.removeprefix("http://"))
    (folder / "nginx.conf").write_text(configuration)
    (folder / "upstream.conf").write_text(upstream)
    (folder / "mime.types").write_text("types { text/html html; }")
    with (folder / "log").open("wb") as log:
        command = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield f"https://localhost:{port}"
        assert running.poll() is None, (folder / "log").read_text()
    finally:
        running.terminate()
        running.wait()


async def test_two_processes_behind_the_proxy_and_one_dies(
    settings: Settings, postgres: PostgresServer, tmp_path: Path
) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS)
    with Process(shared) as first, Process(shared) as second, proxy(tmp_path / "proxy", (first, second)) as address:
        trusting = ssl.create_default_context(cafile=str(tmp_path / "proxy" / "certificates" / "fullchain.pem"))
        async with httpx.AsyncClient(base_url=address, timeout=30, verify=trusting) as http:
            client = Client(http)
            for _ in range(100):
                with contextlib.suppress(httpx.TransportError):
                    await client.get("/ready")
                    break
                await asyncio.sleep(0.1)
            assert (await http.get("/api/metrics")).status_code == 404
            games = [await client.begin(PERSONS, position=START) for _ in range(4)]
            # Changes are taken from pages of ours, under the name that the proxy has.
            socket_address = f"wss{address.removeprefix('https')}/api/games/{games[0]['id']}/socket"
            async with websockets.connect(socket_address, ssl=trusting, origin=address) as socket:  # type: ignore[arg-type]
                assert json.loads(await socket.recv())["type"] == "game"
                games[0] = updated(games[0], await client.play(games[0], choices(games[0])[0]))
                assert json.loads(await asyncio.wait_for(socket.recv(), 20))["update"]["revision"] == 1
            first.kill()
            for game in games:
                now = await client.view(game)
                after = updated(now, await client.play(now, choices(now)[0]))
                assert tokens(await client.view(game)) == tokens(after)
