"""Sockets as uvicorn has them, with a shorter way for what many hear: framed once, and straight to the transport.

A message through ASGI wakes a task and passes ten layers for each socket, and costs more than the rules of the game.
Where a server offers no such way, everything goes through ASGI.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

Write: TypeAlias = Callable[[bytes], bool]
"""Takes a frame, if it can be sent at once; otherwise nothing has happened."""

MOST_WAITING: Final = 8
"""So many messages of a client may wait before its socket is read no further."""
_EXTENSION: Final = "cairn.write"


class EagerSocket(WebSocketsSansIOProtocol):
    """A socket that frames can be written to, and that is not paused for every single message."""

    def handle_connect(self, event: Request) -> None:
        """Offer the application to write."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, object] = {**(self.scope["extensions"] or {}), _EXTENSION: self._write}
            self.scope["extensions"] = extensions  # type: ignore[typeddict-item]  # any object may be offered

    def send_receive_event_to_app(self) -> None:
        """Pass a message on. To pause reading, and go on with it, is two system calls: only where several wait."""
        if self.read_paused or self.queue.qsize() >= MOST_WAITING:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # so that it is not
        try:
            super().send_receive_event_to_app()
        finally:
            self.read_paused = False

    def _write(self, frame: bytes) -> bool:
        is_open = self.handshake_complete and not self.close_sent and self.conn.state is State.OPEN
        if not is_open or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True


def framed(text: str) -> bytes:
    r"""A message as it goes over the wire, the same for everybody.

    >>> framed("hi")
    b'\x81\x02hi'
    """
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def way_of(scope: Scope) -> Write | None:
    """The shorter way to a socket, if its server has one."""
    write: Write | None = (scope.get("extensions") or {}).get(_EXTENSION)
    return write
