"""A shorter way for what many hear: framed once, and written straight to the sockets.

A message through ASGI wakes a task and passes ten layers for each socket, and costs more than the rules of the game.
Where a server offers no such way, everything goes through ASGI.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from starlette.types import Scope
from websockets.frames import Frame, Opcode

EXTENSION: Final = "cairn.write"
"""What a server calls the way, among the extensions of a socket's scope."""

Write: TypeAlias = Callable[[bytes], bool]
"""Takes a frame, if it can be sent at once; otherwise nothing has happened."""


def framed(text: str) -> bytes:
    r"""A message as it goes over the wire, the same for everybody.

    >>> framed("hi")
    b'\x81\x02hi'
    """
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def way_of(scope: Scope) -> Write | None:
    """The shorter way to a socket, if its server has one."""
    write: Write | None = (scope.get("extensions") or {}).get(EXTENSION)
    return write
