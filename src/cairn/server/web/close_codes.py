"""The codes that the server uses to close sockets."""

from __future__ import annotations

from typing import Final

from starlette.types import Message, Receive, Send

TRY_AGAIN_LATER: Final = 1013
"""The client should reconnect."""
SESSION_ENDED: Final = 4401
"""The session that opened the socket has ended."""
FORBIDDEN: Final = 4403
"""The request came from another site."""
UNKNOWN: Final = 4404
"""There is no such game or challenge."""
TOO_MANY_SOCKETS: Final = 4429
"""Too many sockets are open."""


def close_message(code: int, reason: str) -> Message:
    """The ASGI message that closes a socket."""
    return {"type": "websocket.close", "code": code, "reason": reason}


async def refuse_socket(receive: Receive, send: Send, code: int, reason: str) -> None:
    """Refuse a socket that is being opened. Accepts and closes it, because browsers reveal the code only then."""
    await receive()
    await send({"type": "websocket.accept"})
    await send(close_message(code, reason))
