"""Load: many simultaneous games, first at a steady rate and then at full speed, compared with a minimal echo server.

The steady part measures the time from sending a token until the opponent receives it. In the fast part, both servers
run and the load alternates between them, so that other activity on the machine affects both equally. The echo server
commits a row for each message.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gc
import json
import math
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final

import websockets

from harness.load.servers import RunningServer, Server, folder
from harness.load.table import Meeting, Table, meet
from harness.load.web import Web

OPENERS: Final = 8
"""The number of HTTP connections for starting games."""
SAMPLE_SECONDS: Final = 5.0
SETTLE_SECONDS: Final = 1.0


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    games: int = 500
    watchers: int = 100
    """The total number of watchers across all games."""
    rate: float = 320.0
    """Tokens sent per second."""
    seconds: float = 300.0
    rounds: int = 6
    """The number of rounds for each of the two servers in the fast part."""
    round_seconds: float = 10.0
    seed: int = 1
    speedups: bool = True
    """Whether the server runs with its speedups."""


@dataclasses.dataclass
class TrafficResult:
    """The results of a run."""

    tokens: int = 0
    finished: int = 0
    seconds: float = 0.0
    sockets: int = 0
    latencies: list[float] = dataclasses.field(default_factory=list)
    faults: list[str] = dataclasses.field(default_factory=list)
    memory: list[float] = dataclasses.field(default_factory=list)
    """The server's memory in MiB, sampled every few seconds."""
    busy: float = 0.0
    """The share of a CPU core that the server used in the steady part."""
    fast: list[float] = dataclasses.field(default_factory=list)
    """Tokens per second in each round."""
    echo: list[float] = dataclasses.field(default_factory=list)

    @property
    def rate(self) -> float:
        """Tokens per second in the steady part."""
        return self.tokens / self.seconds if self.seconds else 0.0

    @property
    def ratio(self) -> float:
        """The throughput relative to the echo server: the median of the ratios of paired rounds."""
        pairs = [one / other for one, other in zip(self.fast, self.echo, strict=True) if other]
        return statistics.median(pairs) if pairs else math.nan

    def percentile(self, part: float) -> float:
        """A percentile of the latency, in milliseconds: how long a token took to reach the opponent."""
        return percentile(self.latencies, part)


def percentile(seconds: Sequence[float], part: float) -> float:
    """The percentile ``part`` of the times, in milliseconds; NaN if there are none."""
    ordered = sorted(seconds)
    return 1_000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else math.nan


class Hall:
    """Many tables. A game that has ended is replaced by a new one."""

    def __init__(self, server: RunningServer, size: Size) -> None:
        self._server: Final = server
        self._size: Final = size
        self._rng: Final = random.Random(size.seed)
        self._tables: Final[list[Table]] = []
        self._webs: Final = [Web(server.address) for _ in range(OPENERS)]
        self.outcome: Final = TrafficResult()

    async def open(self) -> None:
        """Start all games."""
        meetings: list[Meeting] = []
        for first in range(0, self._size.games, OPENERS):
            webs = self._webs[: self._size.games - first]
            meetings += await asyncio.gather(*(meet(web, self._rng) for web in webs))
        for number, meeting in enumerate(meetings):
            watchers = self._size.watchers * (number + 1) // self._size.games
            watchers -= self._size.watchers * number // self._size.games
            table = Table(self._server.address, meeting, watchers)
            await table.open()
            self._tables.append(table)
        self.outcome.sockets = sum(len(table.everybody) for table in self._tables)

    async def close(self) -> None:
        """Close all tables and connections."""
        for table in self._tables:
            await table.close()
        for web in self._webs:
            await web.close()

    async def steady(self) -> None:
        """Play at all tables at regular intervals, for the configured time and at the configured total rate."""
        size, outcome = self._size, self.outcome
        pause = size.games / size.rate
        began, busy = time.monotonic(), self._server.processor_seconds()
        sampling = asyncio.create_task(self._sample())
        players = (
            self._play(number, began + pause * number / size.games, pause, began + size.seconds)
            for number in range(size.games)
        )
        await asyncio.gather(*players)
        sampling.cancel()
        outcome.seconds = time.monotonic() - began
        outcome.busy = (self._server.processor_seconds() - busy) / outcome.seconds
        outcome.tokens = len(outcome.latencies)

    async def renew(self) -> None:
        """Replace the games that have ended."""
        ended = [number for number, table in enumerate(self._tables) if table.over]
        for first in range(0, len(ended), OPENERS):
            await asyncio.gather(*(self._again(number, self._rng) for number in ended[first : first + OPENERS]))

    async def fast(self, seconds: float) -> float:
        """Play at all tables as fast as possible and return tokens per second.

        Each table plays for ``seconds`` or until its game ends.
        """
        with undisturbed():
            began = time.monotonic()
            counts = await asyncio.gather(*(self._rush(number, began + seconds) for number in range(len(self._tables))))
            return sum(counts) / (time.monotonic() - began)

    async def _play(self, number: int, at: float, pause: float, end: float) -> None:
        rng = random.Random(f"{self._size.seed} {number}")
        while at < end:
            await asyncio.sleep(max(0.0, at - time.monotonic()))
            latency = await self._one(number, rng)
            if latency is not None:
                self.outcome.latencies.append(latency)
            at += pause

    async def _rush(self, number: int, end: float) -> int:
        rng = random.Random(f"{self._size.seed} fast {number}")
        count = 0
        while time.monotonic() < end and not self._tables[number].over:
            count += await self._one(number, rng) is not None
        return count

    async def _one(self, number: int, rng: random.Random) -> float | None:
        """Play a token at a table, in a new game if the old one has ended."""
        table = self._tables[number]
        try:
            if table.over:
                table = await self._again(number, rng)
            latency = await table.play(rng)
        except (TimeoutError, OSError, websockets.WebSocketException) as error:
            self.outcome.faults.append(f"game {table.id}: {error!r}")
            latency = math.nan
        if faults := table.faults():
            self.outcome.faults += faults
        return None if math.isnan(latency) else latency

    async def _again(self, number: int, rng: random.Random) -> Table:
        old = self._tables[number]
        await old.close()
        async with Web(self._server.address) as web:
            table = Table(self._server.address, await meet(web, rng), len(old.watchers))
        await table.open()
        self._tables[number] = table
        self.outcome.finished += 1
        return table

    async def _sample(self) -> None:
        while True:
            self.outcome.memory.append(self._server.memory())
            await asyncio.sleep(SAMPLE_SECONDS)


class Echoes:
    """Sockets to the echo server, one for each game, since only one player per game waits for an answer at a time."""

    def __init__(self, server: Server, sockets: int) -> None:
        self._server: Final = server
        self._count: Final = sockets
        self._sockets: list[websockets.ClientConnection] = []

    async def open(self) -> None:
        """Connect all sockets."""
        target = f"ws{self._server.address.removeprefix('http')}/echo"
        for _ in range(self._count):
            socket = await websockets.connect(target, compression=None, ping_interval=None, open_timeout=60)
            self._sockets.append(socket)

    async def close(self) -> None:
        """Close all sockets."""
        for socket in self._sockets:
            await socket.close()

    async def fast(self, seconds: float) -> float:
        """Return messages per second. Each socket sends a message when the previous one has come back."""
        text = json.dumps({"type": "play", "id": "load-1", "revision": 1, "tribe": "forest", "token": "a1-c3"})
        with undisturbed():
            began = time.monotonic()
            counts = await asyncio.gather(*(self._rush(socket, text, began + seconds) for socket in self._sockets))
            return sum(counts) / (time.monotonic() - began)

    @staticmethod
    async def _rush(socket: websockets.ClientConnection, text: str, end: float) -> int:
        count = 0
        while time.monotonic() < end:
            await socket.send(text)
            await socket.recv()
            count += 1
        return count


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Disable garbage collection while measuring: with a thousand sockets, a collection takes a third of a second."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def prove(size: Size, say: Callable[[str], object]) -> TrafficResult:
    """Run the whole test."""
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(folder())
        cairn = stack.enter_context(Server.cairn(place, speedups=size.speedups))
        echo = stack.enter_context(Server.echo(place))
        hall, echoes = Hall(cairn.running, size), Echoes(echo, size.games)
        try:
            await hall.open()
            await echoes.open()
            say(f"{size.games} games and {hall.outcome.sockets} sockets are open")
            await asyncio.sleep(SETTLE_SECONDS)
            with undisturbed():
                await hall.steady()
            outcome = hall.outcome
            say(f"steady: {outcome.rate:.0f} tokens/s, 99% within {outcome.percentile(0.99):.1f} ms")
            for number in range(size.rounds):
                await _both(hall, echoes, size.round_seconds, backwards=number % 2 == 1)
                say(f"round {number + 1}: {outcome.fast[-1]:.0f} tokens/s, {outcome.echo[-1]:.0f} echoes/s")
        finally:
            await hall.close()
            await echoes.close()
        hall.outcome.faults += cairn.troubles()
        return hall.outcome


async def _both(hall: Hall, echoes: Echoes, seconds: float, *, backwards: bool) -> None:
    """Run one round with each server, the echo server first if ``backwards``."""
    await hall.renew()
    turns: Sequence[tuple[list[float], Callable[[float], Awaitable[float]]]] = (
        (hall.outcome.fast, hall.fast),
        (hall.outcome.echo, echoes.fast),
    )
    for kept, turn in reversed(turns) if backwards else turns:
        kept.append(await turn(seconds))
