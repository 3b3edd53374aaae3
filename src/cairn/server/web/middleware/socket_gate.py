"""Count sockets, and stop sending to a socket once its session has ended."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cairn.server.web.close_codes import TOO_MANY_SOCKETS, refuse_socket
from cairn.server.web.metrics import count_refusal
from cairn.server.web.middleware.rate_limit import address_of
from cairn.server.web.socket_registry import KEY, SocketRegistry


class SocketGate:
    """Limits the number of sockets per address, and drops messages to sockets that have ended."""

    def __init__(self, app: ASGIApp, sockets: SocketRegistry) -> None:
        self._app: Final = app
        self._sockets: Final = sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the socket, or refuse it."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        socket = self._sockets.add(address_of(HTTPConnection(scope)), send)
        if socket is None:
            sentence = "Too many sockets are open from your address. Please close some pages."
            count_refusal(scope, "too-many-sockets")
            await refuse_socket(receive, send, TOO_MANY_SOCKETS, sentence)
            return
        scope[KEY] = (self._sockets, socket)

        async def guarded_send(message: Message) -> None:
            if socket.ended:
                return
            if message["type"] == "websocket.close" and not socket.accepted:
                # A browser reveals the code and reason only if the socket was accepted.
                await send({"type": "websocket.accept"})
            socket.accepted = True
            await send(message)

        try:
            await self._app(scope, receive, guarded_send)
        finally:
            self._sockets.remove(socket)
            del scope[KEY]  # breaks a reference cycle: registry, socket, send, scope
