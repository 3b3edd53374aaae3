"""The session cookie of a browser.

Routes and dependencies set it with :func:`remember`. It is sent even if the request is refused; otherwise we would
create guests that no browser can claim.
"""

from __future__ import annotations

from http import cookies
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAME: Final = "cairn_session"
SECONDS: Final = 365 * 24 * 60 * 60

_KEY: Final = "cairn.cookie"


def remember(connection: HTTPConnection, token: str) -> None:
    """Set the cookie for a year."""
    connection.scope.get(_KEY, {})["token"] = token


def forget(connection: HTTPConnection) -> None:
    """Delete the cookie."""
    remember(connection, "")


class SessionCookie:
    """Adds the cookie to the response if it was set during the request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, and add the cookie to its response."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        changes: dict[str, str] = {}
        scope[_KEY] = changes

        async def with_cookie(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept") and "token" in changes:
                secure = scope["scheme"] in ("https", "wss")
                MutableHeaders(scope=message).append("Set-Cookie", _cookie(changes["token"], secure))
            await send(message)

        await self._app(scope, receive, with_cookie)


def _cookie(token: str, secure: bool) -> str:
    """The header value. Scripts cannot read the cookie, and forms on other sites do not send it."""
    jar = cookies.SimpleCookie({NAME: token})
    cookie = jar[NAME]
    cookie["path"] = "/"
    cookie["max-age"] = SECONDS if token else 0
    cookie["httponly"] = True
    cookie["samesite"] = "Lax"
    if secure:
        cookie["secure"] = True
    return cookie.OutputString()
