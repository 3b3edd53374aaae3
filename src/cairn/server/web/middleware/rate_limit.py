"""The rate limit for requests, per network address."""

from __future__ import annotations

import ipaddress
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.server.messages.problems import problem_of
from cairn.server.players.limits import Limiter, TooMany
from cairn.server.web.close_codes import TRY_AGAIN_LATER
from cairn.server.web.error_handlers import problem_response


class RateLimit:
    """Refuses requests from an address that sends too many."""

    def __init__(self, app: ASGIApp, limiter: Limiter) -> None:
        self._app: Final = app
        self._limiter: Final = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or refuse it."""
        if scope["type"] in ("http", "websocket") and scope["path"].startswith("/api/"):
            try:
                self._limiter.spend("request", address_of(HTTPConnection(scope)))
            except TooMany as refusal:
                await _refuse(refusal, scope, receive, send)
                return
        await self._app(scope, receive, send)


def address_of(connection: HTTPConnection) -> str:
    """The key for rate limits: an IPv4 address, or an IPv6 /64 network, which usually belongs to one customer."""
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


async def _refuse(refusal: TooMany, scope: Scope, receive: Receive, send: Send) -> None:
    problem = problem_of(refusal)
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": TRY_AGAIN_LATER, "reason": problem.sentence})
    else:
        await problem_response(refusal.status, problem, refusal.headers)(scope, receive, send)
