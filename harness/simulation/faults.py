"""Faults injected during a run: crashes, cut connections, database failures and changes to the wall clock."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import datetime
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from harness.simulation.database import DatabaseFaults
from harness.simulation.instance import Instance, WallClock

PACES: Final = (None, 1.0, 3.0)
"""The mean number of seconds between two faults; ``None`` for a run without faults."""


class Chaos:
    """Injects a fault every few seconds."""

    def __init__(
        self,
        rng: random.Random,
        instances: Sequence[Instance],
        wall: WallClock,
        database: DatabaseFaults,
        counts: collections.Counter[str],
    ) -> None:
        self._rng: Final = rng
        self._instances: Final = instances
        self._wall: Final = wall
        self._database: Final = database
        self._counts: Final = counts
        self._disturbed_until = 0.0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start injecting faults. Some runs, chosen at random, have none."""
        pace = self._rng.choice(PACES)
        if pace is not None:
            self._task = asyncio.create_task(self._run(pace))

    async def end(self) -> None:
        """End all faults. The wall clock is not corrected."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        for field in dataclasses.fields(DatabaseFaults):
            if field.name != "delay":
                setattr(self._database, field.name, field.default)
        for instance in self._instances:
            if not instance.alive:
                await instance.kill()  # the instance may still be starting
                await instance.start()

    def is_felt(self) -> bool:
        """Whether a recent fault may still excuse errors and delays."""
        return asyncio.get_running_loop().time() < self._disturbed_until

    async def _run(self, pace: float) -> None:
        faults: list[Callable[[], Awaitable[None]]] = [
            lambda: self._kill(self._rng.choice(self._instances)),
            self._cut,
            lambda: self._fail_for_a_while(8, slow=0.2),
            lambda: self._fail_for_a_while(8, lost_before=0.1, lost_after=0.1),
            lambda: self._fail_for_a_while(8, full=True),
            lambda: self._fail_for_a_while(10, away=True),
            self._set_wall_clock,
        ]
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / pace))
            await self._rng.choice(faults)()

    def _disturb(self, seconds: float) -> None:
        """Excuse the consequences of a fault for this many seconds."""
        self._disturbed_until = max(self._disturbed_until, asyncio.get_running_loop().time() + seconds)

    async def _kill(self, victim: Instance) -> None:
        if victim.alive:
            self._counts["fault: instance killed"] += 1
            self._disturb(15)
            await victim.kill()
            await asyncio.sleep(self._rng.uniform(0.1, 3))
            await victim.start()

    async def _cut(self) -> None:
        self._disturb(6)
        for socket in [socket for instance in self._instances for socket in instance.lines]:
            if self._rng.random() < 0.3:
                self._counts["fault: socket cut"] += 1
                socket.cut(self._rng.choice((0.0, 1.0, 20.0)))

    async def _set_wall_clock(self) -> None:
        self._counts["fault: wall clock set"] += 1
        self._wall.offset += datetime.timedelta(seconds=self._rng.choice((-3600, -5, 5, 3600)))

    async def _fail_for_a_while(self, disturbed: float, **changes: Any) -> None:
        seconds = self._rng.uniform(0.2, 3)
        self._disturb(disturbed + seconds)
        before = dataclasses.replace(self._database)
        for name, value in changes.items():
            setattr(self._database, name, value)
        await asyncio.sleep(seconds)
        for name in changes:
            setattr(self._database, name, getattr(before, name))
