"""Messages about the traffic of a server process, for administrators."""

from __future__ import annotations

import datetime

from cairn.server.messages.base import Message
from cairn.server.messages.players import PlayerView


class NetworkTraffic(Message):
    """The usage of all clients in a network."""

    network: str
    """An IPv4 /24 or IPv6 /48 network, or ``unknown``."""
    requests: int
    """Requests, commands, and sockets that were opened or closed."""
    refused: int
    milliseconds: int
    """The CPU time that was charged against the rate limits."""


class PlayerTraffic(Message):
    """The usage of a player."""

    player: PlayerView
    requests: int
    """Requests, commands, and sockets that were opened or closed."""
    refused: int
    milliseconds: int
    """The CPU time that was charged against the rate limits."""


class StallView(Message):
    """A delay in the event loop, during which the process did not answer anybody."""

    ended: datetime.datetime
    milliseconds: int


class PairView(Message):
    """Two accounts in the same network whose rated games against each other are one-sided.

    This is a hint, not a proof: families and schools share networks too.
    """

    winner: PlayerView
    loser: PlayerView
    games: int
    """How many rated games they have played against each other in total."""
    score: float
    """The winner's points from these games: 1 for a win, 0.5 for a draw."""
    network: str
    """A network that both have used in the last few minutes."""


class Traffic(Message):
    """The traffic of the responding process. It is kept in memory, so it is empty after a restart."""

    traced: bool
    """Whether tracing is on. If not, only ``stalls`` can have entries."""
    process: str
    """The name of the process in the trace files."""
    minutes: int
    """How many minutes the lists cover."""
    networks: list[NetworkTraffic]
    """The networks that used the most CPU time, highest first."""
    players: list[PlayerTraffic]
    """The players who used the most CPU time, highest first."""
    stalls: list[StallView]
    """The longest delay in each minute, longest first."""
    pairs: list[PairView]
    """Suspicious pairs of accounts, most games first."""
