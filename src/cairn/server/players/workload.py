"""The work that the server does for a client, in milliseconds of CPU time.

The cost of a request or message is a fixed amount, for work that cannot be measured separately (such as parsing and
commits), plus the CPU time measured while it was handled (``meter.py``). Both are charged to the address and, once the
player is known, to the player. ``python tools/prove_attacks.py prices`` compares the costs with measurements.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any, Final

from cairn.server.meter import Meter
from cairn.server.players.limits import Limiter, TooMany

CONNECTION: Final = 0.1
"""The cost of a connection, even if it is closed immediately."""
REQUEST: Final = 0.5
"""The cost of an HTTP request."""
SOCKET: Final = 2.0
"""The cost of opening and closing a socket."""
CHANGE: Final = 3.0
"""The cost of storing a change, on top of the request or message that caused it."""
MESSAGE: Final = 0.1
"""The cost of a message over a socket."""
FRAME: Final = 0.03
"""The cost of any other frame: a ping, a pong, or a fragment of a message."""
LINE_TOKEN: Final = 0.04
"""The cost of replaying one token of a line."""
PICTURE: Final = 300.0
"""The cost of drawing a picture for a link preview. The drawing process has a low priority."""
REFUSED: Final = 2.0
"""The cost of refusing a client in debt. It exceeds the actual work, to deter clients that do not wait."""

ADDRESS, PLAYER = "work_of_address", "work_of_player"
_KEY: Final = "cairn.work"


class Workload:
    """The work for one request or socket."""

    def __init__(self, limiter: Limiter, address: str, meter: Meter) -> None:
        self._limiter: Final = limiter
        self._address: Final = address
        self._player: str | None = None
        self.meter: Final = meter
        self._charged = 0.0

    def assign(self, player: str) -> None:
        """From now on, charge the player too."""
        self._player = player

    def charge(self, milliseconds: float = 0.0) -> float:
        """Charge a fixed cost plus the CPU time measured since the last charge. Returns the same as :meth:`wait`."""
        amount = milliseconds + 1_000 * self.meter.take()
        self._charged += amount
        self._limiter.counts.work_milliseconds += amount
        wait = self._limiter.charge(ADDRESS, self._address, amount)
        if self._player is not None:
            wait = max(wait, self._limiter.charge(PLAYER, self._player, amount))
        return wait

    def take_charged(self) -> float:
        """Take the milliseconds charged since the last call, for the trace of a request or command."""
        self.charge()
        taken, self._charged = self._charged, 0.0
        return taken

    def wait(self) -> float:
        """The seconds until neither the address nor the player is in debt; 0 if neither is."""
        wait = self._limiter.wait(ADDRESS, self._address)
        return max(wait, self._limiter.wait(PLAYER, self._player)) if self._player is not None else wait

    def require(self) -> None:
        """Refuse if the address or the player is in debt."""
        if wait := self.wait():
            raise self.refusal(wait)

    def refusal(self, wait: float) -> TooMany:
        """Create the refusal for a client that has to wait, and count and charge it."""
        self._limiter.counts.refused_requests += 1
        self.charge(REFUSED)
        return TooMany(wait)

    def is_flooded(self) -> bool:
        """Whether the client keeps sending although it is in debt."""
        player = self._player
        return self._limiter.is_flooded(ADDRESS, self._address) or (
            player is not None and self._limiter.is_flooded(PLAYER, player)
        )

    def attach(self, scope: MutableMapping[str, Any]) -> None:
        """Store this workload in an ASGI scope, for :func:`workload_of`."""
        scope[_KEY] = self


def workload_of(scope: Mapping[str, Any]) -> Workload | None:
    """The workload of the request or socket with this ASGI scope; ``None`` on a server without limits."""
    found: Workload | None = scope.get(_KEY)
    return found
