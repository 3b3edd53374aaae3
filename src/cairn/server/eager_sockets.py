"""Sockets as uvicorn has them, which frames can be written to straight: see ``frames.py``.

They build on what uvicorn does not promise to keep (``queue``, ``read_paused``, ``writable``, ``close_sent``); tests of
slow watchers and of many messages at once would notice.
"""

from __future__ import annotations

from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from cairn.server.frames import EXTENSION

MOST_WAITING: Final = 8
"""So many messages of a client may wait before its socket is read no further."""


class EagerSocket(WebSocketsSansIOProtocol):
    """A socket that frames can be written to, and that is not paused for every single message."""

    _sending = 0
    """How many messages are on their way through ASGI: nothing may overtake them."""

    def handle_connect(self, event: Request) -> None:
        """Offer the application to write."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, object] = {**(self.scope["extensions"] or {}), EXTENSION: self._write}
            self.scope["extensions"] = extensions  # type: ignore[typeddict-item]  # any object may be offered

    async def run_asgi(self) -> None:
        """Let the application talk. What was offered leads back here: without that cycle a socket goes when it ends."""
        try:
            await super().run_asgi()
        finally:
            self.scope["extensions"] = {}

    def send_receive_event_to_app(self) -> None:
        """Pass a message on. To pause reading, and go on with it, is two system calls: only where several wait."""
        if self.read_paused or self.queue.qsize() >= MOST_WAITING:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # so that it does not pause
        try:
            super().send_receive_event_to_app()
        finally:
            self.read_paused = False

    async def send(self, message: ASGISendEvent) -> None:
        """Send what comes through ASGI; it may have to wait for a slow line."""
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
