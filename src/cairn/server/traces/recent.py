"""Client activity in the last few minutes, kept in memory as totals per minute."""

from __future__ import annotations

import collections
import dataclasses
import time
from collections.abc import Callable, Iterable
from typing import Final

from cairn.server.traces.trace import REFUSED, UNKNOWN, Trace

MINUTES: Final = 15
MOST_CLIENTS: Final = 5_000
"""The maximum number of networks, and of players, to count per minute. Any others are ignored."""
MOST_NETWORKS_OF_PLAYER: Final = 8


@dataclasses.dataclass(slots=True)
class Usage:
    """The usage of a network or a player."""

    requests: int = 0
    """The number of requests, commands, and opened or closed sockets."""
    refused: int = 0
    milliseconds: float = 0.0
    """The CPU time charged."""

    def add(self, other: Usage) -> None:
        """Add the usage of another minute."""
        self.requests += other.requests
        self.refused += other.refused
        self.milliseconds += other.milliseconds


class _Minute:
    """The totals of one minute."""

    __slots__ = ("networks", "networks_of", "number", "players")

    def __init__(self, number: int) -> None:
        self.number: Final = number
        self.networks: Final[dict[str, Usage]] = {}
        self.players: Final[dict[str, Usage]] = {}
        self.networks_of: Final[dict[str, set[str]]] = {}
        """The networks of each player."""


class RecentTraffic:
    """The traffic of the last :data:`MINUTES` minutes, in bounded memory."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now: Final = now
        self._minutes: Final[collections.deque[_Minute]] = collections.deque(maxlen=MINUTES)

    def add(self, trace: Trace) -> None:
        """Count a trace."""
        number = int(self._now() // 60)
        if not self._minutes or self._minutes[-1].number != number:
            self._minutes.append(_Minute(number))
        minute = self._minutes[-1]
        _count(minute.networks, trace.network, trace)
        if trace.player is not None:
            _count(minute.players, trace.player, trace)
            networks = minute.networks_of.get(trace.player)
            if networks is None:
                if len(minute.networks_of) < MOST_CLIENTS:
                    minute.networks_of[trace.player] = {trace.network}
            elif len(networks) < MOST_NETWORKS_OF_PLAYER:
                networks.add(trace.network)

    def networks(self, most: int) -> list[tuple[str, Usage]]:
        """The networks that used the most CPU time, highest first."""
        return _largest((minute.networks for minute in self._last()), most)

    def players(self, most: int) -> list[tuple[str, Usage]]:
        """The players who used the most CPU time, highest first."""
        return _largest((minute.players for minute in self._last()), most)

    def players_by_network(self) -> dict[str, set[str]]:
        """The players in each network that has several players."""
        found: dict[str, set[str]] = collections.defaultdict(set)
        for minute in self._last():
            for player, networks in minute.networks_of.items():
                for network in networks:
                    found[network].add(player)
        return {network: each for network, each in found.items() if len(each) > 1 and network != UNKNOWN}

    def _last(self) -> list[_Minute]:
        oldest = int(self._now() // 60) - MINUTES
        return [minute for minute in self._minutes if minute.number > oldest]


def _count(usages: dict[str, Usage], client: str, trace: Trace) -> None:
    usage = usages.get(client)
    if usage is None:
        if len(usages) >= MOST_CLIENTS:
            return
        usage = usages[client] = Usage()
    usage.requests += 1
    usage.refused += trace.outcome.startswith(REFUSED)
    usage.milliseconds += trace.milliseconds or 0.0


def _largest(minutes: Iterable[dict[str, Usage]], most: int) -> list[tuple[str, Usage]]:
    sums: dict[str, Usage] = collections.defaultdict(Usage)
    for usages in minutes:
        for client, usage in usages.items():
            sums[client].add(usage)
    order = sorted(sums.items(), key=lambda each: (each[1].milliseconds, each[1].requests), reverse=True)
    return order[:most]
