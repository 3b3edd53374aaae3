"""Checks for every request (origin, path, size), and security headers for every response."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cairn.server.messages.problems import Problem
from cairn.server.web.close_codes import FORBIDDEN, UNKNOWN, refuse_socket
from cairn.server.web.error_handlers import problem_response
from cairn.server.web.metrics import SAFE_METHODS, count_refusal

NOT_FOUND: Final = "There is nothing at this address."

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "  # for the WebAssembly core in a worker
        "img-src 'self' data: blob:; media-src 'self' data: blob:; "
        "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
HTTPS_ONLY: Final = "max-age=31536000"
"""Makes browsers use only https for a year."""


class SecurityHeaders:
    """Adds the security headers to every response, and the build id of the pages to every API response."""

    def __init__(self, app: ASGIApp, build: str | None = None) -> None:
        self._app: Final = app
        self._build: Final = build

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, and add headers to its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                if _scheme(scope) == "https":
                    headers.setdefault("Strict-Transport-Security", HTTPS_ONLY)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
                    if self._build is not None:
                        headers["X-Cairn-Build"] = self._build
            await send(message)

        await self._app(scope, receive, with_headers)


class SameOrigin:
    """Refuses requests from pages on other sites.

    To prevent DNS rebinding, the ``Host`` must be a numeric address, ``localhost`` or one of our names. Sockets, and
    requests that change something, must come from our own pages or from a program that sends no origin. The schemes of
    the page and of the request must match; trusted proxies report the scheme.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self._app: Final = app
        self._hosts: Final = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._is_own_host(headers.get("host", "")):
            await _forbid(scope, receive, send, "This host name is not known to the server. Add it with --name.")
        elif scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            await self._app(scope, receive, send)
        elif (sentence := _cross_origin(headers, _scheme(scope))) is not None:
            await _forbid(scope, receive, send, sentence)
        else:
            await self._app(scope, receive, send)

    def _is_own_host(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _cross_origin(headers: Headers, scheme: str) -> str | None:
    """Why a request counts as coming from another site; ``None`` if it comes from our own pages or a program."""
    origin = headers.get("origin")
    if origin is None:
        own = headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        return None if own else "Requests from other sites are refused."
    page_scheme, found, host = origin.lower().partition("://")
    if not found or host != headers["host"].lower():
        return "Requests from other sites are refused."
    if page_scheme != scheme:
        return f"The page uses {page_scheme}, but the request uses {scheme}. List your proxy with --proxies."
    return None


def _scheme(scope: Scope) -> str:
    """The scheme of the request, with socket schemes mapped to http and https."""
    scheme: str = scope["scheme"]
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


async def _forbid(scope: Scope, receive: Receive, send: Send, sentence: str) -> None:
    if scope["type"] == "websocket":
        count_refusal(scope, "forbidden")
        await refuse_socket(receive, send, FORBIDDEN, sentence)
    else:
        await problem_response(403, Problem(kind="forbidden", sentence=sentence))(scope, receive, send)


class NulPaths:
    """Responds with 404 to paths that contain a NUL character. PostgreSQL rejects NUL, so nothing has such a name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or refuse it."""
        path = scope.get("path", "")
        if "\0" not in path or not path.startswith("/api/"):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            count_refusal(scope, "not-found")
            await refuse_socket(receive, send, UNKNOWN, NOT_FOUND)
        else:
            await problem_response(404, Problem(kind="not-found", sentence=NOT_FOUND))(scope, receive, send)


class BodyLimit:
    """Refuses request bodies that are too large."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self._app: Final = app
        self._most_bytes: Final = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body up to the limit, then forward the request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        body = bytearray()
        message: Message = {"more_body": not length.isdecimal() or int(length) <= self._most_bytes}
        too_large = not message["more_body"]
        while message.get("more_body") and not too_large:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            too_large = len(body) > self._most_bytes
        if too_large:
            sentence = f"The request is too large. The limit is {self._most_bytes:,} bytes."
            refusal = problem_response(413, Problem(kind="too-large", sentence=sentence))
            refusal.headers["Connection"] = "close"
            await refusal(scope, receive, send)
            return
        pending: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replay() -> Message:
            return pending.pop() if pending else await receive()

        await self._app(scope, replay, send)
