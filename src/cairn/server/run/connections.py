"""Refuse excess connections as soon as they are accepted, before the server does any work for them.

A refused connection costs a few microseconds. It is reset without a response. A connection is refused if its address
has too many open connections, or keeps flooding the server while in debt.
"""

from __future__ import annotations

import collections
import socket
import struct
from typing import Any, Final

from cairn.server.players.limits import Limiter, network_of
from cairn.server.players.workload import ADDRESS, CONNECTION
from cairn.server.web.middleware.forwarded import Proxies

MOST_TOGETHER: Final = 32
"""How many connections to accept in a row before the event loop serves other clients again."""
_RESET: Final = struct.pack("ii", 1, 0)


class Connections:
    """The open connections of this process, by address. Trusted proxies are exempt, because they serve many clients."""

    def __init__(self, most: int | None, limiter: Limiter, proxies: Proxies) -> None:
        self._most: Final = most
        self._limiter: Final = limiter
        self._proxies: Final = proxies
        self._open: Final[collections.Counter[str]] = collections.Counter()

    def admit(self, host: str) -> str | None:
        """Count a connection and return its key for :meth:`closed`, or return ``None`` to refuse it."""
        key = network_of(host)
        if not self._proxies.trusts(host):
            self._limiter.charge(ADDRESS, key, CONNECTION)
            full = self._most is not None and self._open[key] >= self._most
            if full or self._limiter.is_flooded(ADDRESS, key):
                self._limiter.counts.refused_connections += 1
                return None
        self._open[key] += 1
        return key

    def closed(self, key: str) -> None:
        """Stop counting a connection."""
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]


class LimitedListener(socket.socket):
    """A listening socket that accepts only admitted connections."""

    connections: Connections | None = None
    """Set before connections are accepted; ``None`` admits all connections."""
    _left = MOST_TOGETHER

    def accept(self) -> tuple[socket.socket, Any]:
        """The next admitted connection.

        Raises :class:`BlockingIOError` if there is none, or if other clients have to be served first.
        """
        while True:
            if self._left == 0:
                self._left = MOST_TOGETHER
                raise BlockingIOError
            self._left -= 1
            accepted, address = super().accept()
            if self.connections is None:
                return accepted, address
            key = self.connections.admit(address[0])
            if key is not None:
                return _Connection(accepted, self.connections, key), address
            with accepted:
                accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)


class _Connection(socket.socket):
    """An accepted connection. It is counted until it is closed."""

    def __init__(self, accepted: socket.socket, connections: Connections, key: str) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, accepted.detach())
        self._connections: Connections | None = connections
        self._key: Final = key

    def close(self) -> None:
        """Close the connection and stop counting it."""
        super().close()
        connections, self._connections = self._connections, None
        if connections:
            connections.closed(self._key)
