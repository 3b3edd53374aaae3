"""Connections with unfinished requests are closed after a time limit, and use little memory until then."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import socket
from collections.abc import AsyncIterator

import h11
import pytest
import uvicorn
import websockets
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from cairn.server.players.limits import Limiter, Limits, Rate
from cairn.server.run import http_protocol
from cairn.server.run.connections import Connections
from cairn.server.run.http_protocol import TimedProtocol, Waiting, timed_protocol
from cairn.server.settings import Settings
from cairn.server.web.middleware.forwarded import Proxies
from harness.server.processes import Process, listening
from harness.server.visitors import application

pytestmark = pytest.mark.anyio

SHORT = 0.2
"""The time limit for a request in these tests, in seconds."""
LONG = 3_600.0
HEAD = b"POST /api/records HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[FastAPI]:
    async with application(settings) as app:
        yield app


def protocol(heads: Waiting | None = None, bodies: Waiting | None = None) -> type[TimedProtocol]:
    """Return a protocol class with custom limits."""
    made = timed_protocol()
    if heads is not None:
        made.heads = heads
    if bodies is not None:
        made.bodies = bodies
    return made


@contextlib.asynccontextmanager
async def connected(address: str, count: int = 1) -> AsyncIterator[list[Line]]:
    """Open plain connections to a server."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    lines = [await asyncio.open_connection(host, int(port)) for _ in range(count)]
    try:
        yield lines
    finally:
        for _, writer in lines:
            writer.close()


async def end_of(line: Line) -> bytes:
    """Return everything that the server sends until it closes the connection."""
    async with asyncio.timeout(20):
        with contextlib.suppress(ConnectionError):
            return await line[0].read()
    return b""


# --- Time


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /api/health HT",
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"GET /api/games/any/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
    ],
    ids=["nothing", "request line", "headers", "WebSocket handshake"],
)
async def test_a_request_head_has_to_arrive_in_time(app: FastAPI, sent: bytes) -> None:
    timed = protocol(heads=Waiting(SHORT, 100, 10_000))
    async with listening(app, http=timed) as address, connected(address) as (line,):
        line[1].write(sent)
        assert b"408 Request Timeout" in await end_of(line)
        assert len(timed.heads) == 0


async def test_a_request_body_has_to_arrive_in_time(app: FastAPI) -> None:
    timed = protocol(bodies=Waiting(SHORT, 100, 10_000))
    async with listening(app, http=timed) as address, connected(address) as (line,):
        line[1].write(HEAD + b"Content-Length: 100\r\n\r\n" + b"x" * 50)
        head, _, body = (await end_of(line)).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408 Request Timeout")
        assert json.loads(body)["kind"] == "timeout"
        assert len(timed.bodies) == 0


async def test_sending_bytes_slowly_does_not_extend_the_deadline(app: FastAPI) -> None:
    """The whole head has to arrive in time, not just its next byte."""
    async with (
        listening(app, http=protocol(heads=Waiting(SHORT, 100, 10_000))) as address,
        connected(address) as ((reader, writer),),
    ):
        ended = asyncio.create_task(end_of((reader, writer)))
        async with asyncio.timeout(20):
            while not ended.done():
                with contextlib.suppress(ConnectionError):
                    writer.write(b"X")
                    await writer.drain()
                await asyncio.sleep(SHORT / 10)


async def test_the_second_request_on_a_connection_has_to_arrive_in_time_too(app: FastAPI) -> None:
    timed = protocol(heads=Waiting(SHORT, 100, 10_000))
    async with listening(app, http=timed) as address, connected(address) as ((reader, writer),):
        request = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        writer.write(request + b"\r\n" + request)
        answer = await end_of((reader, writer))
        assert answer.startswith(b"HTTP/1.1 200 OK")


@pytest.mark.slow
async def test_a_connection_stays_open_between_two_requests(app: FastAPI) -> None:
    """Uvicorn keeps the connection open for longer than a request head may take in this test."""
    timed = protocol(heads=Waiting(SHORT, 100, 10_000))
    async with listening(app, http=timed) as address, connected(address) as ((reader, writer),):
        for _ in range(3):
            writer.write(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
            await reader.readuntil(b"}")
            assert len(timed.heads) == 0
            await asyncio.sleep(2 * SHORT)


@pytest.mark.slow
async def test_a_response_has_to_be_read_in_time(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "ANSWER_SECONDS", SHORT)
    gone = asyncio.Event()

    class Watched(timed_protocol()):  # type: ignore[misc]  # a new class for each server
        def drop(self) -> None:
            super().drop()
            gone.set()

    async with listening(app, http=Watched, send_buffer=4_096) as address, connected(address) as ((reader, writer),):
        line: socket.socket = writer.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        reader._transport.pause_reading()  # type: ignore[attr-defined]  # the only way to stop a stream from reading
        writer.write(b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20)
        async with asyncio.timeout(20):
            await gone.wait()


async def test_a_socket_does_not_count_as_an_unfinished_request(app: FastAPI) -> None:
    timed = protocol(Waiting(SHORT, 100, 10_000), Waiting(SHORT, 100, 10_000))
    async with (
        listening(app, http=timed) as address,
        websockets.connect(f"ws{address.removeprefix('http')}api/lobby/socket") as opened,
    ):
        assert json.loads(await opened.recv())["type"] == "lobby"
        await asyncio.sleep(2 * SHORT)
        await (await opened.ping())


# --- Memory


async def test_the_oldest_unfinished_heads_are_dropped_when_there_are_too_many(app: FastAPI) -> None:
    timed = protocol(heads=Waiting(LONG, 20, 100_000))
    async with listening(app, http=timed) as address, connected(address, 50) as lines:
        for _, writer in lines:
            writer.write(b"GET /api/health HTTP/1.1\r\n")
        await asyncio.gather(*(end_of(line) for line in lines[:30]))
        assert len(timed.heads) <= 20
        # The other connections are still open, and can finish their requests.
        reader, writer = lines[-1]
        writer.write(b"Host: 127.0.0.1\r\n\r\n")
        assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")


async def test_the_memory_for_unfinished_bodies_is_limited(app: FastAPI) -> None:
    timed = protocol(bodies=Waiting(LONG, 1_000, 1_001_000))
    async with listening(app, http=timed) as address, connected(address, 10) as lines:
        for _, writer in lines:
            writer.write(HEAD + b"Content-Length: 300000\r\n\r\n" + b"x" * 200_000)
            with contextlib.suppress(ConnectionError):
                await writer.drain()
        await asyncio.gather(*(end_of(line) for line in lines[:5]))
        assert timed.bodies._bytes <= 1_001_000
        assert len(timed.bodies) == 5


async def test_finished_requests_leave_nothing_behind(app: FastAPI) -> None:
    timed = protocol()
    async with listening(app, http=timed) as address, connected(address, 5) as lines:
        for _, writer in lines:
            writer.write(HEAD + b"Content-Length: 2\r\n\r\n{")
            await writer.drain()
        while len(timed.bodies) < 5:
            await asyncio.sleep(0.01)
        for reader, writer in lines:
            writer.write(b"}")
            assert b"422" in await reader.readuntil(b"\r\n\r\n")
        assert (len(timed.heads), len(timed.bodies), timed.heads._bytes, timed.bodies._bytes) == (0, 0, 0, 0)


async def test_dropped_connections_leave_nothing_behind(app: FastAPI) -> None:
    timed = protocol()
    async with listening(app, http=timed) as address:
        async with connected(address, 5) as lines:
            for number, (_, writer) in enumerate(lines):
                writer.write(HEAD + (b"Content-Length: 2\r\n\r\n{" if number % 2 else b""))
                await writer.drain()
            while len(timed.heads) + len(timed.bodies) < 5:
                await asyncio.sleep(0.01)
            for _, writer in lines:
                writer.transport.abort()
        async with asyncio.timeout(20):
            while len(timed.heads) + len(timed.bodies):
                await asyncio.sleep(0.01)
        assert (timed.heads._bytes, timed.bodies._bytes) == (0, 0)


# --- Connections per address


@pytest.mark.slow
async def test_the_number_of_connections_per_address_is_limited(settings: Settings) -> None:
    """Connections over the limit are closed immediately. Other addresses and trusted proxies are not affected."""
    few = dataclasses.replace(settings, limits=Limits(connections_of_address=3))
    with Process(few) as process:
        host, port = process.address.removeprefix("http://").split(":")

        async def open_from(local: str) -> Line:
            return await asyncio.open_connection(host, int(port), local_addr=(local, 0))

        async def is_served(line: Line) -> bool:
            line[1].write(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            answer = await end_of(line)
            line[1].close()
            return b"200 OK" in answer

        kept = [await open_from("127.0.0.2") for _ in range(3)]
        with contextlib.suppress(ConnectionResetError):  # refused before the client knew that it was connected
            assert not await is_served(await open_from("127.0.0.2"))
        assert await is_served(await open_from("127.0.0.3"))
        proxied = [await open_from("127.0.0.1") for _ in range(10)]
        assert await is_served(await open_from("127.0.0.1"))
        assert await is_served(kept.pop())  # this closes the connection
        assert await is_served(await open_from("127.0.0.2"))
        for _, writer in [*kept, *proxied]:
            writer.close()


async def test_a_flooding_address_is_refused_when_it_connects(settings: Settings) -> None:
    with Process(dataclasses.replace(settings, limits=Limits(work_of_address=Rate(100, 36_000)))) as process:
        host, port = process.address.removeprefix("http://").split(":")
        answers = set()
        async with asyncio.timeout(60):
            while b"" not in answers:
                try:
                    line = await asyncio.open_connection(host, int(port), local_addr=("127.0.0.2", 0))
                except ConnectionResetError:  # refused before the client knew that it was connected
                    answers.add(b"")
                    continue
                line[1].write(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                answers.add((await end_of(line))[9:12])
                line[1].close()
        assert answers == {b"200", b"429", b""}


@pytest.mark.parametrize(
    ("proxies", "trusted", "others"),
    [
        ("127.0.0.1", ["127.0.0.1"], ["127.0.0.2", "::1", "name"]),
        ("10.0.0.0/8, ::1", ["10.1.2.3", "::1"], ["127.0.0.1", "11.0.0.1"]),
        ("*", ["127.0.0.1", "192.0.2.1"], []),
    ],
)
def test_only_trusted_proxies_are_exempt_from_the_connection_limit(
    proxies: str, trusted: list[str], others: list[str]
) -> None:
    connections = Connections(0, Limiter(Limits()), Proxies(proxies))
    assert [host for host in (*trusted, *others) if connections.admit(host) is not None] == trusted


# --- Uvicorn


async def test_uvicorn_has_the_internals_that_the_protocol_uses() -> None:
    config = uvicorn.Config(_no_application, http=timed_protocol(), lifespan="off")
    config.load()
    base = H11Protocol(config, ServerState(), {})
    assert isinstance(base.conn, h11.Connection)
    assert base.conn.their_state is h11.IDLE
    assert base.conn.trailing_data == (b"", False)
    assert vars(base)["cycle"] is None
    for name in ("connection_made", "data_received", "on_response_complete", "handle_websocket_upgrade"):
        assert callable(getattr(base, name))


async def _no_application(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise NotImplementedError
