"""A WebSocket protocol for uvicorn that supports direct writes and pauses reading less often.

It relies on undocumented attributes of uvicorn: ``queue``, ``read_paused``, ``writable`` and ``close_sent``.
``tests/server/test_speedups.py`` fails if a new version changes them.
"""

from __future__ import annotations

from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from cairn.server.speedups.direct_write import EXTENSION

MOST_WAITING: Final = 8
"""How many messages from a client may wait before the server stops reading from its socket."""


class DirectWriteProtocol(WebSocketsSansIOProtocol):
    """A socket with direct writes that does not pause reading for every single message."""

    _sending = 0
    """How many messages are being sent through ASGI. A direct write must not overtake them."""

    def handle_connect(self, event: Request) -> None:
        """Offer direct writes to the application."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, object] = {**(self.scope["extensions"] or {}), EXTENSION: self._write}
            self.scope["extensions"] = extensions  # type: ignore[typeddict-item]  # any object is allowed

    async def run_asgi(self) -> None:
        """Run the application, then break the reference cycle through the scope, so that this object is freed."""
        try:
            await super().run_asgi()
        finally:
            self.scope["extensions"] = {}

    def send_receive_event_to_app(self) -> None:
        """Forward a message. Pausing and resuming cost two system calls, so pause only if many messages are waiting."""
        if self.read_paused or self.queue.qsize() >= MOST_WAITING:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # keeps the base class from pausing
        try:
            super().send_receive_event_to_app()
        finally:
            self.read_paused = False

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message through ASGI. It may have to wait for a slow connection."""
        self._sending += 1
        try:
            await super().send(message)
        finally:
            self._sending -= 1

    def _write(self, frame: bytes) -> bool:
        is_open = self.handshake_complete and not self.close_sent and self.conn.state is State.OPEN
        if not is_open or self._sending or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True
