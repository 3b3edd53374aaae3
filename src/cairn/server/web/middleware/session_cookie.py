"""A browser's session cookie.

Routes and dependencies set the cookie with :func:`remember`. It is sent even if the request is refused; otherwise the
server would create guests that no browser can claim.
"""

from __future__ import annotations

from http import cookies
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAME: Final = "cairn_session"
SECURE_NAME: Final = "__Host-cairn_session"
"""The name of the cookie over https. Browsers accept this prefix only over https and from the host itself, so no other
host can set the cookie."""
SECONDS: Final = 365 * 24 * 60 * 60

_KEY: Final = "cairn.cookie"


def token_of(connection: HTTPConnection) -> str:
    """The token in the cookie, or an empty string."""
    sent = connection.cookies
    return (sent.get(SECURE_NAME) if _is_secure(connection.scope) else None) or sent.get(NAME, "")


def is_outdated(connection: HTTPConnection) -> bool:
    """Whether a browser now uses https but has only the cookie without the prefix."""
    return _is_secure(connection.scope) and NAME in connection.cookies and SECURE_NAME not in connection.cookies


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
                headers = MutableHeaders(scope=message)
                for cookie in _cookies(HTTPConnection(scope), changes["token"]):
                    headers.append("Set-Cookie", cookie)
            await send(message)

        await self._app(scope, receive, with_cookie)


def _is_secure(scope: Scope) -> bool:
    return scope["scheme"] in ("https", "wss")


def _cookies(connection: HTTPConnection, token: str) -> list[str]:
    """The header values. Over https, the cookie without the prefix is deleted."""
    if not _is_secure(connection.scope):
        return [_cookie(NAME, token, secure=False)]
    replaced = [_cookie(NAME, "", secure=True)] if NAME in connection.cookies else []
    return [_cookie(SECURE_NAME, token, secure=True), *replaced]


def _cookie(name: str, token: str, *, secure: bool) -> str:
    """A header value. Scripts cannot read the cookie, and forms on other sites do not send it."""
    jar = cookies.SimpleCookie({name: token})
    cookie = jar[name]
    cookie["path"] = "/"
    cookie["max-age"] = SECONDS if token else 0
    cookie["httponly"] = True
    cookie["samesite"] = "Lax"
    if secure:
        cookie["secure"] = True
    return cookie.OutputString()
