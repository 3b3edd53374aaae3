"""Uvicorn's HTTP protocol, with limits on time and memory for incomplete requests.

Uvicorn waits forever for the rest of a request. Here, the head of a request has to arrive within 10 seconds, then its
body within 25 seconds, and a response has to be read within 30 seconds. The number and the total size of incomplete
requests are limited across all clients. When there are too many, the oldest request is dropped. This does not affect
ordinary requests, which arrive within milliseconds.

This module relies on undocumented attributes of uvicorn: ``conn``, ``cycle`` and ``transport``.
``tests/server/test_timeouts.py`` fails if a new version changes them.
"""

from __future__ import annotations

import asyncio
import collections
from collections.abc import Callable
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from cairn.server.messages.problems import Problem

HEAD_SECONDS: Final = 10.0
BODY_SECONDS: Final = 25.0
ANSWER_SECONDS: Final = 30.0
"""How long a client may take to read buffered data."""
MOST_HEADS: Final = 2_000
"""The maximum number of connections that have sent nothing yet, or only part of a request's head."""
MOST_BODIES: Final = 500
"""How many requests may have an unfinished body at the same time."""
MOST_HEAD_BYTES: Final = 4 * 2**20
MOST_BODY_BYTES: Final = 8 * 2**20
"""The maximum total size of all unfinished bodies, in bytes."""


class Waiting:
    """Connections that are waiting for more data, oldest first, each with a deadline."""

    def __init__(self, seconds: float, most: int, most_bytes: int) -> None:
        self._seconds: Final = seconds
        self._most: Final = most
        self._most_bytes: Final = most_bytes
        self._bytes = 0
        self._each: Final[collections.OrderedDict[TimedProtocol, tuple[float, int]]] = collections.OrderedDict()
        """For each connection, its deadline and the number of bytes received."""
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._each)

    def add(self, connection: TimedProtocol, received: int) -> None:
        """Add a connection, or count more bytes for a waiting one. Drops the oldest ones if a limit is exceeded."""
        loop = asyncio.get_running_loop()
        deadline, held = self._each.get(connection, (loop.time() + self._seconds, 0))
        self._each[connection] = (deadline, held + received)
        self._bytes += received
        while self._each and (len(self._each) > self._most or self._bytes > self._most_bytes):
            self._drop_oldest(TimedProtocol.drop)
        if self._timer is None and self._each:
            self._timer = loop.call_at(deadline, self._check, loop)

    def discard(self, connection: TimedProtocol) -> None:
        """Remove a connection that is no longer waiting."""
        _, held = self._each.pop(connection, (0.0, 0))
        self._bytes -= held

    def _check(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        while self._each:
            deadline = next(iter(self._each.values()))[0]
            if deadline > loop.time():
                self._timer = loop.call_at(deadline, self._check, loop)
                return
            self._drop_oldest(TimedProtocol.time_out)

    def _drop_oldest(self, how: Callable[[TimedProtocol], None]) -> None:
        connection, (_, held) = self._each.popitem(last=False)
        self._bytes -= held
        how(connection)


class TimedProtocol(H11Protocol):
    """A connection whose requests have to arrive in time."""

    heads: Waiting
    bodies: Waiting
    """Shared by all connections of a server; see :func:`timed_protocol`."""
    _unread: asyncio.TimerHandle | None = None
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start waiting for a request."""
        super().connection_made(transport)
        self.heads.add(self, 0)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting, because nothing more will arrive."""
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle the received data, and wait for the rest if the request is incomplete."""
        super().data_received(data)
        self._wait(len(data))

    def on_response_complete(self) -> None:
        """Wait for the rest of the next request, if part of it has already arrived."""
        super().on_response_complete()
        self._wait(0)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Stop waiting, because the whole request has arrived and another protocol takes over."""
        self._upgraded = True
        self._forget()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Start a timer, because the client is not reading fast enough."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(ANSWER_SECONDS, self.drop)

    def resume_writing(self) -> None:
        """Cancel the timer, because the client is reading again."""
        super().resume_writing()
        if self._unread:
            self._unread.cancel()
            self._unread = None

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing, so that clients cannot fill the log."""

    def drop(self) -> None:
        """Close the connection without a response."""
        self.transport.abort()

    def time_out(self) -> None:
        """Close the connection, and say why if that is still possible."""
        cycle: RequestResponseCycle | None = self.cycle  # uvicorn's annotation omits None
        if cycle is None or not cycle.response_started:
            self.transport.write(_TIMEOUT)
        self.transport.close()

    def _wait(self, received: int) -> None:
        """Wait for the rest of a request, if part of one has arrived."""
        if self._upgraded:
            return
        if self.transport.is_closing():
            self._forget()
        elif self.conn.their_state is h11.SEND_BODY:
            self.heads.discard(self)
            self.bodies.add(self, received)
        else:
            self.bodies.discard(self)
            # Between requests there is nothing to wait for. Uvicorn's own timer closes idle connections.
            if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
                self.heads.add(self, received)
            else:
                self.heads.discard(self)

    def _forget(self) -> None:
        self.heads.discard(self)
        self.bodies.discard(self)
        if self._unread:
            self._unread.cancel()
            self._unread = None


def timed_protocol() -> type[TimedProtocol]:
    """The protocol class for one server. Its connections share the limits on incomplete requests."""

    class ServerProtocol(TimedProtocol):
        heads = Waiting(HEAD_SECONDS, MOST_HEADS, MOST_HEAD_BYTES)
        bodies = Waiting(BODY_SECONDS, MOST_BODIES, MOST_BODY_BYTES)

    return ServerProtocol


def _timeout() -> bytes:
    body = Problem(kind="timeout", sentence="The request did not arrive in time.").model_dump_json()
    head = "HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json\r\nConnection: close\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


_TIMEOUT: Final = _timeout()
