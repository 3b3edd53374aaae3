"""Limit the work that the server does for an address and for a player (``players/workload.py``)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cairn.server.messages.problems import problem_of
from cairn.server.meter import Meter
from cairn.server.players.limits import Limiter, TooMany, network_of
from cairn.server.players.workload import ADDRESS, CHANGE, PLAYER, REQUEST, SOCKET, Workload
from cairn.server.web.close_codes import TRY_AGAIN_LATER, refuse_socket
from cairn.server.web.error_handlers import problem_response
from cairn.server.web.metrics import SAFE_METHODS, count_refusal


class RateLimit:
    """Measures and charges every request, and refuses requests from an address in debt."""

    def __init__(self, app: ASGIApp, limiter: Limiter, processor_time: Callable[[], float] = time.thread_time) -> None:
        self._app: Final = app
        self._limiter: Final = limiter
        self._processor_time: Final = processor_time
        self._limited: Final = limiter.is_limited(ADDRESS) or limiter.is_limited(PLAYER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or refuse it."""
        if scope["type"] not in ("http", "websocket") or not self._limited:
            await self._app(scope, receive, send)
            return
        work = Workload(self._limiter, address_of(HTTPConnection(scope)), Meter(self._processor_time))
        work.attach(scope)
        work.charge(_price(scope))
        try:
            work.require()
        except TooMany as refusal:
            await _refuse(refusal, scope, receive, send, disconnect=work.is_flooded())
            return

        async def charging_send(message: Message) -> None:
            work.charge()  # charge as we go, because a bot's event stream may last for days
            await send(message)

        try:
            await work.meter.run(self._app(scope, receive, charging_send))
        finally:
            work.charge()


def _price(scope: Scope) -> float:
    if scope["type"] == "websocket":
        return SOCKET
    return REQUEST if scope["method"] in SAFE_METHODS else REQUEST + CHANGE


def address_of(connection: HTTPConnection) -> str:
    """The address of a client, as a key for limits."""
    return network_of(connection.client.host if connection.client else "")


async def _refuse(refusal: TooMany, scope: Scope, receive: Receive, send: Send, *, disconnect: bool) -> None:
    """Say how long to wait. ``disconnect`` closes the connection, which makes the next attempt cheaper to refuse."""
    if scope["type"] == "websocket":
        count_refusal(scope, refusal.kind)
        await refuse_socket(receive, send, TRY_AGAIN_LATER, refusal.sentence)
        return
    response = problem_response(refusal.status, problem_of(refusal), refusal.headers)
    if disconnect:
        response.headers["Connection"] = "close"
    await response(scope, receive, send)
