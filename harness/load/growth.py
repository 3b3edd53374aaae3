"""Scaling: tokens per second and latency with one to eight server processes sharing one PostgreSQL database.

Each server process has its own load generator. All sockets of a game connect to the same server, as they do behind the
proxy, which routes by game (``deploy/upstream.conf``). Each number of processes is measured twice, first in increasing
and then in decreasing order, so that if the machine slows down during the run, all results are affected equally.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import math
import multiprocessing
import os
import statistics
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from typing import Final

from harness.load.servers import RunningServer, Server, folder
from harness.load.traffic import SETTLE_SECONDS, Hall, percentile, undisturbed
from harness.load.traffic import Size as HallSize
from harness.server.postgresql import running_postgres

START_SECONDS: Final = 180
"""How long the generators wait for each other before each part of the test."""


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    processes: tuple[int, ...] = (1, 2, 4, 8)
    games: int = 250
    """The number of games per process."""
    rounds: int = 2
    """The number of rounds at full speed in each measurement."""
    round_seconds: float = 6.0
    rate: float = 160.0
    """Tokens per second per process in the steady part, in which tokens are played at a constant rate."""
    seconds: float = 20.0
    seed: int = 1


@dataclasses.dataclass
class Point:
    """Measurements for one number of processes."""

    processes: int
    fast: list[float] = dataclasses.field(default_factory=list)
    """Tokens per second for all processes combined, in each round."""
    latencies: list[float] = dataclasses.field(default_factory=list)
    """How many seconds each token in the steady part took to reach the opponent."""
    server: list[float] = dataclasses.field(default_factory=list)
    """CPU cores used by all servers combined, in each round at full speed."""
    database: list[float] = dataclasses.field(default_factory=list)
    generators: list[float] = dataclasses.field(default_factory=list)

    @property
    def rate(self) -> float:
        """Tokens per second at full speed: the median of the rounds."""
        return statistics.median(self.fast) if self.fast else math.nan

    def percentile(self, part: float) -> float:
        """A percentile of the latency, in milliseconds: how long a token took to reach the opponent."""
        return percentile(self.latencies, part)


@dataclasses.dataclass
class GrowthResult:
    """The results of a run."""

    points: list[Point] = dataclasses.field(default_factory=list)
    faults: list[str] = dataclasses.field(default_factory=list)

    def efficiency(self, point: Point) -> float:
        """The throughput per process, relative to the measurement with the fewest processes."""
        least = min(self.points, key=lambda each: each.processes)
        return point.rate / point.processes / (least.rate / least.processes)


@dataclasses.dataclass(frozen=True)
class _Report:
    """Measurements from one load generator."""

    fast: list[float]
    busy: list[float]
    """CPU cores used by the generator's server in each round."""
    own: list[float]
    """CPU cores used by the generator itself."""
    latencies: list[float]
    faults: list[str]


async def prove(size: Size, say: Callable[[str], object]) -> GrowthResult:
    """Run the whole test."""
    outcome = GrowthResult([Point(count) for count in size.processes])
    for point in (*outcome.points, *reversed(outcome.points)):
        outcome.faults += await asyncio.to_thread(_measure, point, size)
        say(f"{point.processes} processes: {point.fast[-1]:.0f} tokens/s, 99% within {point.percentile(0.99):.1f} ms")
    return outcome


def _measure(point: Point, size: Size) -> list[str]:
    """Measure one number of processes on a new database; return the faults."""
    count = point.processes
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(folder())
        database = stack.enter_context(running_postgres(safe=True))
        url = database.new_database()
        servers = [stack.enter_context(Server.cairn(place, url, "data0"))]  # creates the tables
        others = [Server.cairn(place, url, f"data{number}") for number in range(1, count)]
        with ThreadPoolExecutor(count) as starting:
            servers += starting.map(stack.enter_context, others)
        spawn = multiprocessing.get_context("spawn")
        barrier: Barrier = spawn.Barrier(count + 1)
        reports: Queue[_Report] = spawn.Queue()
        generators = [
            spawn.Process(target=_generate, args=(server.running, _hall(size, number), size, barrier, reports))
            for number, server in enumerate(servers)
        ]
        for generator in generators:
            generator.start()
        try:
            shares = [_round(barrier, database.processor_seconds, size) for _ in range(size.rounds)]
            barrier.wait(START_SECONDS)  # the steady part
            found = [reports.get(timeout=START_SECONDS + size.seconds) for _ in generators]
        finally:
            for generator in generators:
                generator.join(START_SECONDS)
                generator.kill()
        _add(point, found, shares)
        faults = [fault for report in found for fault in report.faults]
        return faults + [trouble for server in servers for trouble in server.troubles()]


def _round(barrier: Barrier, processor_seconds: Callable[[], float], size: Size) -> float:
    """Let the generators play a round; return the CPU cores used by the database."""
    barrier.wait(START_SECONDS)
    before = processor_seconds()
    barrier.wait(START_SECONDS + size.round_seconds)
    return (processor_seconds() - before) / size.round_seconds


def _add(point: Point, found: Sequence[_Report], database: Sequence[float]) -> None:
    point.fast += [sum(rates) for rates in zip(*(report.fast for report in found), strict=True)]
    point.server += [sum(shares) for shares in zip(*(report.busy for report in found), strict=True)]
    point.generators += [sum(shares) for shares in zip(*(report.own for report in found), strict=True)]
    point.database += database
    point.latencies += [latency for report in found for latency in report.latencies]


def _hall(size: Size, number: int) -> HallSize:
    return HallSize(games=size.games, watchers=0, rate=size.rate, seconds=size.seconds, seed=size.seed + 1_000 * number)


def _generate(server: RunningServer, hall: HallSize, size: Size, barrier: Barrier, reports: Queue[_Report]) -> None:
    """Entry point of a load generator process."""
    reports.put(asyncio.run(_play(server, hall, size, barrier)))


async def _play(server: RunningServer, size_of_hall: HallSize, size: Size, barrier: Barrier) -> _Report:
    itself = RunningServer("", os.getpid())
    hall = Hall(server, size_of_hall)
    fast, busy, own = [], [], []
    try:
        await hall.open()
        await asyncio.sleep(SETTLE_SECONDS)
        for _ in range(size.rounds):
            await hall.renew()
            await asyncio.to_thread(barrier.wait, START_SECONDS)
            before = server.processor_seconds(), itself.processor_seconds()
            fast.append(await hall.fast(size.round_seconds))
            busy.append((server.processor_seconds() - before[0]) / size.round_seconds)
            own.append((itself.processor_seconds() - before[1]) / size.round_seconds)
            await asyncio.to_thread(barrier.wait, START_SECONDS)
        await hall.renew()
        await asyncio.to_thread(barrier.wait, START_SECONDS)
        with undisturbed():
            await hall.steady()
    finally:
        await hall.close()
    return _Report(fast, busy, own, hall.outcome.latencies, hall.outcome.faults)
