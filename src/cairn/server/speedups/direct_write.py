"""Direct writes: a message for many watchers is framed once and written straight to their sockets.

Through ASGI, each message wakes a task and passes through ten layers per socket, which costs more than applying the
rules of the game. An ASGI server that supports direct writes puts a function into the scope of each socket. Without
this function, every message goes through ASGI.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from starlette.types import Scope
from websockets.frames import Frame, Opcode

from cairn.server.transport.hub import EncodedMessage, Writer

EXTENSION: Final = "cairn.write"
"""The key of the write function in the extensions of a socket's scope."""

WriteFrame: TypeAlias = Callable[[bytes], bool]
"""Writes a frame if it can be sent immediately; otherwise, does nothing and returns false."""


class CanEnd(Protocol):
    """A socket that the application may treat as ended before its connection is closed."""

    ended: bool


def direct_writer(scope: Scope, socket: CanEnd | None) -> Writer | None:
    """A writer for the socket, if its server supports direct writes. It writes nothing once the socket has ended."""
    write_frame: WriteFrame | None = (scope.get("extensions") or {}).get(EXTENSION)
    if write_frame is None:
        return None

    def write(message: EncodedMessage) -> bool:
        if message.frame is None:  # servers do not mask frames, so the frame is the same for all clients
            message.frame = Frame(Opcode.TEXT, message.text.encode()).serialize(mask=False)
        return not (socket and socket.ended) and write_frame(message.frame)

    return write
