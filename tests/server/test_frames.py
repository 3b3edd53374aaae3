"""The WebSocket protocol: frames of all kinds count towards the rate limit, and lost connections are not logged."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import logging
import os
import struct
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from cairn.server.players.limits import NO_LIMITS
from cairn.server.run.direct_protocol import DirectProtocol
from cairn.server.run.websocket_protocol import MOST_AT_ONCE, MOST_DISCARDED, CountedProtocol
from cairn.server.settings import Settings
from cairn.server.web.close_codes import refuse_socket
from cairn.server.web.socket_registry import FRAMES
from harness.server.processes import listening
from harness.server.visitors import Visitor, application, begun, two

pytestmark = pytest.mark.anyio

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def frame(kind: int, content: bytes = b"") -> bytes:
    """Encode a frame with a mask, as clients must."""
    assert len(content) < 126
    mask = os.urandom(4)
    return (
        struct.pack("BB", kind, 0x80 | len(content))
        + mask
        + bytes(byte ^ mask[place % 4] for place, byte in enumerate(content))
    )


async def handshake(address: str, path: str) -> Line:
    """Open a socket without a library, because a library would not let the test break the protocol."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13"
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade"
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n{upgrade}\r\n{key}\r\n\r\n".encode())
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


class Inbox:
    """An application that accepts sockets and stores the messages that it receives."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[Any] = asyncio.Queue()

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            self.messages.put_nowait(message)


@pytest.fixture(params=[CountedProtocol, DirectProtocol])
async def inbox(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Inbox, str]]:
    application: Any = Inbox()
    async with listening(application, request.param) as address:
        yield application, address


async def test_control_frames_and_fragments_are_counted(inbox: tuple[Inbox, str]) -> None:
    received, address = inbox
    _, writer = await handshake(address, "/")
    writer.write(frame(PING, b"a") + frame(PONG, b"b") + frame(PING))
    async with asyncio.timeout(20):
        counted = 0
        while counted < 3:
            message = await received.messages.get()
            assert "text" not in message
            counted += message[FRAMES]
        assert counted == 3
        # Three fragments arrive as one message. The fragments after the first are counted separately.
        writer.write(frame(0x01, b"one ") + frame(0x00, b"two ") + frame(0x80, b"three"))
        texts: list[str] = []
        fragments = 0
        while not texts or fragments < 2:
            message = await received.messages.get()
            texts += [message["text"]] if "text" in message else []
            fragments += message.get(FRAMES, 0)
        assert (texts, fragments) == (["one two three"], 2)
    writer.close()


async def test_pings_are_answered(inbox: tuple[Inbox, str]) -> None:
    reader, writer = await handshake(inbox[1], "/")
    writer.write(frame(PING, b"hello"))
    async with asyncio.timeout(20):
        assert await reader.readexactly(7) == bytes([PONG, 5]) + b"hello"
    writer.close()


async def test_the_number_of_frames_in_each_read_is_limited(inbox: tuple[Inbox, str]) -> None:
    """A single read full of tiny frames must not keep the server busy for long."""
    received, address = inbox
    _, writer = await handshake(address, "/")
    count = 10_000
    writer.write(frame(PING) * count)
    counts: list[int] = []
    async with asyncio.timeout(20):
        while sum(counts) < count:
            counts.append((await received.messages.get())[FRAMES])
    assert max(counts) <= MOST_AT_ONCE / len(frame(PING)) + 1
    writer.close()


async def test_a_client_that_keeps_sending_after_the_close_frame_is_disconnected() -> None:
    async def refusing(_: Scope, receive: Receive, send: Send) -> None:
        await refuse_socket(receive, send, 1013, "Too many requests.")

    application: Any = refusing
    async with listening(application) as address:
        reader, writer = await handshake(address, "/")
        async with asyncio.timeout(20):
            closing = await reader.readexactly(2)
            assert closing[0] == CLOSE
            sent = 0
            with contextlib.suppress(ConnectionError):
                while True:
                    writer.write(frame(PING, b"x" * 100))
                    await writer.drain()
                    sent += 1
                    await asyncio.sleep(0)
        # The server does not keep reading for the ten seconds that a closing handshake may take.
        assert MOST_DISCARDED < sent * len(frame(PING, b"x" * 100)) < 10 * MOST_DISCARDED
        writer.close()


@pytest.mark.parametrize("protocol", [CountedProtocol, DirectProtocol])
async def test_dropped_connections_are_not_logged(
    settings: Settings, protocol: type[CountedProtocol], caplog: pytest.LogCaptureFixture
) -> None:
    """Watchers of one game drop their connections, so each departure is broadcast to others that have already left."""
    caplog.set_level(logging.INFO)
    async with (
        application(_unlimited(settings)) as app,
        listening(app, protocol) as address,
        two(address) as (ann, ben),
        Visitor(address) as cat,
    ):
        game = await begun(ann, ben)
        path = f"/api/games/{game['id']}/socket"
        for _ in range(3):
            lines = [await handshake(address, path) for _ in range(40)]
            for number, (_, writer) in enumerate(lines):
                if number % 2:
                    writer.write(frame(TEXT, json.dumps({"type": "ping", "id": "p"}).encode()) * 20)
            for _, writer in lines:
                writer.transport.abort()
            async with cat.socket(game["id"]) as watcher:  # the server still answers
                assert (await watcher.send("ping"))["type"] == "done"
        await _until_alone(app, game["id"])
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


def _unlimited(settings: Settings) -> Settings:
    return Settings(data=settings.data, pages=settings.pages, limits=NO_LIMITS)


async def _until_alone(app: FastAPI, game: str) -> None:
    async with asyncio.timeout(20):
        while app.state.services.hub.is_watched(game):
            await asyncio.sleep(0.01)


async def test_uvicorn_has_the_internals_that_the_protocol_uses() -> None:
    application: Any = Inbox()
    config = uvicorn.Config(application, ws=CountedProtocol, lifespan="off")
    config.load()
    base = WebSocketsSansIOProtocol(config, ServerState(), {})
    assert isinstance(base.queue, asyncio.Queue)
    assert (base.read_paused, base.close_sent) == (False, False)
    for name in ("connection_made", "data_received", "handle_ping", "handle_pong", "handle_cont", "receive", "send"):
        ours, theirs = (inspect.signature(getattr(each, name)) for each in (CountedProtocol, type(base)))
        assert list(ours.parameters) == list(theirs.parameters), name
