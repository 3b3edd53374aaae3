"""Direct writes: a message for many watchers is framed once and written straight to their sockets.

Through ASGI, each message wakes a task and passes through ten layers per socket, which costs more than applying the
rules of the game. A server that supports direct writes puts a function into the scope of a socket; without that
function, every message goes through ASGI.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from starlette.types import Scope
from websockets.frames import Frame, Opcode

from cairn.server.transport.hub import EncodedMessage, Writer

EXTENSION: Final = "cairn.write"
"""The name of the function among the extensions of a socket's scope."""

WriteFrame: TypeAlias = Callable[[bytes], bool]
"""Writes a frame if it can be sent immediately; otherwise returns false and does nothing."""


def encode_frame(text: str) -> bytes:
    r"""A text message as a WebSocket frame; servers do not mask, so it is the same for all clients.

    >>> encode_frame("hi")
    b'\x81\x02hi'
    """
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def direct_writer(scope: Scope, is_open: Callable[[], bool]) -> Writer | None:
    """A writer for the socket, if its server supports direct writes. It stops once ``is_open`` returns false."""
    write_frame: WriteFrame | None = (scope.get("extensions") or {}).get(EXTENSION)
    if write_frame is None:
        return None

    def write(message: EncodedMessage) -> bool:
        if message.frame is None:
            message.frame = encode_frame(message.text)
        return is_open() and write_frame(message.frame)

    return write
