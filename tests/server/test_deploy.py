"""The configuration in ``deploy``, run without containers: a proxy, two server processes and a PostgreSQL server."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import click
import httpx
import pytest
import typer
import websockets
import yaml  # type: ignore[import-untyped]

from cairn.cli.app import app
from cairn.server.players.limits import NO_LIMITS
from cairn.server.run import http_protocol
from cairn.server.settings import Settings
from harness.server.client import PERSONS, START, Client, choices, tokens, updated
from harness.server.postgresql import PostgresServer
from harness.server.processes import Process
from tests.server.test_serve import free_port

pytestmark = pytest.mark.anyio

DEPLOY = Path(__file__).parents[2] / "deploy"


def options_of(*arguments: str) -> dict[str, Any]:
    """Parse arguments as ``cairn serve`` does; an unknown option raises an error."""
    serve = cast("click.Group", typer.main.get_command(app)).commands["serve"]
    return serve.make_context("serve", list(arguments)).params


def test_the_image_starts_a_server_that_matches_the_proxy_configuration() -> None:
    told = re.findall(r"^ENTRYPOINT (\[.*\])$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    entry = json.loads(told[0])
    assert entry[:2] == ["cairn", "serve"]
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    for name in ("first", "second"):
        service = compose["services"][name]
        options = options_of(*entry[2:], *service["command"])
        assert (options["host"], options["public"], options["log_format"]) == ("0.0.0.0", True, "json")
        # The server trusts every client that reaches its port, so only the proxy may reach it.
        assert options["proxies"] == "*"
        assert (service["networks"], service.get("ports")) == (["inside"], None)
        assert f"server {name}:{options['port']} " in (DEPLOY / "upstream.conf").read_text(encoding="utf-8")
        assert set(service["environment"]) == {"CAIRN_DATABASE", "CAIRN_METRICS_TOKEN"}
    assert compose["networks"]["inside"]["internal"]
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["proxy"]
    known = {parameter.envvar for parameter in _parameters()}
    assert {"CAIRN_DATABASE", "CAIRN_METRICS_TOKEN"} <= known


def _parameters() -> list[click.Parameter]:
    return cast("click.Group", typer.main.get_command(app)).commands["serve"].params


def test_the_limits_in_the_proxy_configuration_match_the_server() -> None:
    text, settings = (DEPLOY / "nginx.conf").read_text(encoding="utf-8"), Settings()
    taken = re.search(r"client_max_body_size (\d+)k;", text)
    assert taken
    assert settings.most_body_bytes < int(taken[1]) * 1024 < 2 * settings.most_body_bytes
    connections = re.search(r"worker_connections (\d+);", text)
    files = re.search(r"worker_rlimit_nofile (\d+);", text)
    assert connections
    assert files
    assert settings.limits.sockets_of_address is not None
    assert 2 * settings.limits.sockets_of_address < int(connections[1]) < int(files[1])
    assert f"limit_conn addresses {settings.limits.connections_of_address};" in text
    assert f"client_header_timeout {http_protocol.HEAD_SECONDS:.0f}s;" in text
    assert f"client_body_timeout {http_protocol.BODY_SECONDS:.0f}s;" in text
    for header in ("Host $http_host", "X-Forwarded-For $remote_addr", "X-Forwarded-Proto $scheme"):
        assert f"proxy_set_header {header};" in text
    assert "add_header" not in text  # the server itself sets all headers for browsers
    assert "access_log off;" in text


@contextlib.contextmanager
def proxy(folder: Path, processes: tuple[Process, ...]) -> Iterator[str]:
    """Run nginx with the configuration in ``deploy``, but with other ports, other backends and a test certificate."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None or shutil.which("openssl") is None:
        pytest.skip("nginx or openssl is not installed")
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


@pytest.mark.slow
async def test_play_continues_behind_the_proxy_when_one_of_two_processes_dies(
    settings: Settings, postgres: PostgresServer, tmp_path: Path
) -> None:
    shared = dataclasses.replace(settings, database=postgres.new_database("empty"), limits=NO_LIMITS)
    with Process(shared) as first, Process(shared) as second, proxy(tmp_path / "proxy", (first, second)) as address:
        trusting = ssl.create_default_context(cafile=str(tmp_path / "proxy" / "certificates" / "fullchain.pem"))
        async with httpx.AsyncClient(base_url=address, timeout=30, verify=trusting) as http:
            client = Client(http)
            await client.until_ready()
            assert (await http.get("/api/metrics")).status_code == 404
            answer = await http.post("/api/challenges", json={}, headers={"Origin": address})
            assert answer.headers.get_list("strict-transport-security") == ["max-age=31536000"]
            assert "Secure" in answer.headers["set-cookie"]
            foreign = {"Origin": address.replace("https", "http")}
            assert (await http.post("/api/challenges", json={}, headers=foreign)).status_code == 403
            games = [await client.begin(PERSONS, position=START) for _ in range(4)]
            # The server accepts a socket whose origin is the address of the proxy.
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
