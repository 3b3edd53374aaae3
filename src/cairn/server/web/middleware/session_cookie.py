"""The cookie by which a browser is known.

Whoever decides that a browser should have another cookie says so here, and it goes out with the answer, whatever that
is: also with a refusal, so that no player is made whom nobody is.
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
    """Let the browser keep this secret for a year."""
    connection.scope.get(_KEY, {})["token"] = token


def forget(connection: HTTPConnection) -> None:
    """Let the browser forget its secret."""
    remember(connection, "")


class SessionCookie:
    """Gives browsers the cookies that were decided on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add to its answer."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        decided: dict[str, str] = {}
        scope[_KEY] = decided

        async def with_cookie(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept") and "token" in decided:
                secure = scope["scheme"] in ("https", "wss")
                MutableHeaders(scope=message).append("Set-Cookie", _cookie(decided["token"], secure))
            await send(message)

        await self._app(scope, receive, with_cookie)


def _cookie(token: str, secure: bool) -> str:
    """No script can read it, and no other site's form sends it along."""
    jar = cookies.SimpleCookie({NAME: token})
    cookie = jar[NAME]
    cookie["path"] = "/"
    cookie["max-age"] = SECONDS if token else 0
    cookie["httponly"] = True
    cookie["samesite"] = "Lax"
    if secure:
        cookie["secure"] = True
    return cookie.OutputString()
