"""Measure event loop lag. While the event loop lags, the server does not answer anybody."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import datetime
from collections.abc import AsyncIterator, Callable
from typing import Final

from cairn.server.tasks import cancel_and_wait
from cairn.server.traces.recent import MINUTES

CHECK_SECONDS: Final = 0.1
STALL_SECONDS: Final = 0.05
"""The shortest delay that counts as a stall, in seconds. Only stalls are listed."""


@dataclasses.dataclass(frozen=True, slots=True)
class Stall:
    """A delay in the event loop."""

    ended: datetime.datetime
    seconds: float


class LoopDelays:
    """The longest delay in each of the last few minutes."""

    def __init__(self, observe: Callable[[float], object]) -> None:
        self._observe: Final = observe
        self._longest: Final[collections.deque[Stall]] = collections.deque(maxlen=MINUTES)
        """At most one stall per wall-clock minute."""

    @contextlib.asynccontextmanager
    async def measured(self) -> AsyncIterator[None]:
        """Measure the running event loop during the block."""
        task = asyncio.create_task(self._measure(), name="measuring the event loop")
        try:
            yield
        finally:
            await cancel_and_wait([task])

    def record(self, seconds: float) -> None:
        """Record a delay that has just ended."""
        self._observe(seconds)
        if seconds < STALL_SECONDS:
            return
        stall = Stall(datetime.datetime.now(datetime.UTC), seconds)
        if self._longest and _minute(self._longest[-1]) == _minute(stall):
            if self._longest[-1].seconds < seconds:
                self._longest[-1] = stall
        else:
            self._longest.append(stall)

    def longest(self, most: int) -> list[Stall]:
        """The longest delays of the last few minutes, longest first."""
        oldest = datetime.datetime.now(datetime.UTC) - datetime.timedelta(minutes=MINUTES)
        recent = [stall for stall in self._longest if stall.ended >= oldest]
        return sorted(recent, key=lambda stall: stall.seconds, reverse=True)[:most]

    async def _measure(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + CHECK_SECONDS
            await asyncio.sleep(CHECK_SECONDS)
            self.record(max(0.0, loop.time() - due))


def _minute(stall: Stall) -> datetime.datetime:
    return stall.ended.replace(second=0, microsecond=0)
