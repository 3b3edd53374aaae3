"""Trace requests, sockets and commands over sockets.

A trace contains the path pattern and the type of the command, never the URL or the content, which may contain secrets.
"""

from __future__ import annotations

import re
import time
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.server.players.workload import workload_of
from cairn.server.traces.trace import UNANSWERED, Trace, outcome_of, shortened_network
from cairn.server.traces.tracer import Tracer
from cairn.server.web.error_handlers import problem_in
from cairn.server.web.metrics import SAFE_METHODS, WatchedSend, method_of, route_of

_KEY: Final = "cairn.tracing"
_GAME_ID: Final = re.compile("[0-9a-z]{1,40}")
"""Matches game ids, which are shorter than any secret. A secret sent in place of an id is therefore not traced."""


class Tracing:
    """Traces one request or socket."""

    __slots__ = ("_network", "_tracer", "player")

    def __init__(self, tracer: Tracer, network: str) -> None:
        self._tracer: Final = tracer
        self._network: Final = network
        self.player: str | None = None
        """The player's id, once known."""

    def refused_message(self, scope: Scope, kind: str, *, whole: bool) -> None:
        """Trace a message that was refused before it was read. ``whole`` is false for pings and fragments."""
        self.record(scope, "message" if whole else "frame", _game_in(scope), outcome_of(kind), write=True)

    def opened_or_closed(self, scope: Scope) -> None:
        """Count the cost of opening a socket or, when it closes, the cost not attributed to any command."""
        self.record(scope, route_of(scope), None, outcome_of(None), write=False)

    def request(self, scope: Scope, status: int | None) -> None:
        """Trace a request. A request that changes nothing is only counted."""
        game = None if status == 404 else _game_in(scope)
        method = method_of(scope)
        outcome = UNANSWERED if status is None else outcome_of(problem_in(scope))
        changes = method not in SAFE_METHODS
        self.record(scope, f"{method} {route_of(scope)}", game, outcome, status, write=changes)

    def record(
        self, scope: Scope, command: str, game: str | None, outcome: str, status: int | None = None, *, write: bool
    ) -> None:
        """Trace a command or a request: count it and, with ``write``, write it to the files."""
        work = workload_of(scope)
        cost = work.take_charged() if work else None
        trace = Trace(time.time(), self.player, game, command, self._network, cost, outcome, status)
        self._tracer.record(trace, write=write)


def _game_in(scope: Scope) -> str | None:
    game = str(scope.get("path_params", {}).get("game", ""))
    return game if _GAME_ID.fullmatch(game) else None


def tracing_of(scope: Scope) -> Tracing | None:
    """The tracing of the request or socket with this ASGI scope; ``None`` on a server without traces."""
    found: Tracing | None = scope.get(_KEY)
    return found


def assign_player(scope: Scope, player: str) -> None:
    """From now on, attribute the request or socket to this player."""
    if tracing := tracing_of(scope):
        tracing.player = player


class Traced:
    """Traces every request and every socket."""

    def __init__(self, app: ASGIApp, tracer: Tracer) -> None:
        self._app: Final = app
        self._tracer: Final = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        tracing = scope[_KEY] = Tracing(self._tracer, shortened_network(client[0] if client else ""))
        if scope["type"] == "websocket":
            try:
                await self._app(scope, receive, send)
            finally:
                tracing.opened_or_closed(scope)
            return
        watched = WatchedSend(send)
        try:
            await self._app(scope, receive, watched)
        finally:
            tracing.request(scope, watched.status)
