"""Uvicorn's WebSocket protocol, with all frames counted and no writes to a closed connection.

This module relies on undocumented attributes of uvicorn: ``queue``, ``read_paused``, ``close_sent`` and the frame
handlers. ``tests/server/test_frames.py`` fails if a new version changes them.
"""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from typing import Any, Final

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from cairn.server.web.socket_registry import FRAMES

MOST_AT_ONCE: Final = 512
"""How many bytes to read at a time. With a larger limit, a read full of tiny frames could block the event loop."""

MOST_WAITING: Final = 8
"""How many messages and frame counts may wait before the server stops reading from the socket."""

MOST_AFTER_CLOSE: Final = 1_024
"""How many bytes to parse after the server has closed the socket, to find the client's close frame."""
MOST_DISCARDED: Final = 65_536
"""How many more bytes to read and discard. If any were left unread, the client might not get the close frame."""


class CountedProtocol(WebSocketsSansIOProtocol):
    """A socket that reports pings, pongs and fragments to the application, which applies the rate limit to them."""

    _frames = 0
    _after_close = 0

    def connection_made(self, transport: BaseTransport) -> None:
        """Read in small chunks."""
        super().connection_made(transport)
        if hasattr(transport, "max_size"):  # asyncio only; other event loops have their own limits
            transport.max_size = MOST_AT_ONCE

    def data_received(self, data: bytes) -> None:
        """Handle the frames, then report the number of frames that were not whole messages."""
        if self.close_sent:
            self._after_close += len(data)
            if self._after_close > MOST_AFTER_CLOSE + MOST_DISCARDED:
                self.transport.abort()
            if self._after_close > MOST_AFTER_CLOSE:
                return
        super().data_received(data)
        frames, self._frames = self._frames, 0
        if not frames or self.close_sent or self.transport.is_closing():
            return
        report: Any = {"type": "websocket.receive", FRAMES: frames}
        self.queue.put_nowait(report)
        if not self.read_paused and self.queue.qsize() > MOST_WAITING:
            self.read_paused = True  # `receive` resumes reading when the queue is empty
            self.transport.pause_reading()

    def handle_ping(self) -> None:
        """Answer and count a ping."""
        super().handle_ping()
        self._frames += 1

    def handle_pong(self, event: Any) -> None:
        """Count a pong."""
        super().handle_pong(event)
        self._frames += 1

    def handle_cont(self, event: Any) -> None:
        """Count a fragment."""
        super().handle_cont(event)
        self._frames += 1

    async def receive(self) -> ASGIReceiveEvent:
        """The next message. If this client's messages are already waiting, serve other clients first."""
        if not self.queue.empty():
            await asyncio.sleep(0)
        return await super().receive()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message, unless the connection is closed. asyncio logs a warning for each write to a closed one."""
        if self.transport.is_closing() and message["type"] == "websocket.send":
            raise ClientDisconnected
        await super().send(message)
