"""One task that wakes when somebody's time is up."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import logging
from collections.abc import Awaitable, Callable
from typing import Final

LONGEST_SLEEP: Final = 1.0
"""Seconds. The machine's clock may be set, so that it is looked at now and then."""

_log: Final = logging.getLogger("cairn.server")


class Timers:
    """Calls ``fire`` with a game when its deadline has passed. Times are in milliseconds."""

    def __init__(self, fire: Callable[[str], Awaitable[object]], now: Callable[[], int]) -> None:
        self._fire: Final = fire
        self._now: Final = now
        self._deadlines: Final[dict[str, int]] = {}
        self._heap: Final[list[tuple[int, str]]] = []
        self._changed: Final = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to watch the time."""
        self._task = asyncio.create_task(self._run(), name="timers")

    async def close(self) -> None:
        """Watch the time no more."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def set(self, game: str, deadline: int | None) -> None:
        """When to look at a game; instead of any time that was set before."""
        if deadline is None:
            self._deadlines.pop(game, None)
        elif self._deadlines.get(game) != deadline:
            self._deadlines[game] = deadline
            heapq.heappush(self._heap, (deadline, game))
            if len(self._heap) > 2 * len(self._deadlines) + 1_000:
                self._heap[:] = [(at, each) for each, at in self._deadlines.items()]
                heapq.heapify(self._heap)
            if self._heap[0][0] == deadline:
                self._changed.set()

    def __len__(self) -> int:
        return len(self._deadlines)

    async def fire_due(self) -> None:
        """Look at every game whose deadline has passed."""
        while self._heap and self._heap[0][0] <= self._now():
            deadline, game = heapq.heappop(self._heap)
            if self._deadlines.get(game) != deadline:
                continue  # another time was set meanwhile
            del self._deadlines[game]
            try:
                await self._fire(game)
            except Exception:  # noqa: BLE001  # the other games' time has to be looked at all the same
                _log.exception("the time of game %s could not be looked at", game)

    async def _run(self) -> None:
        while True:
            self._changed.clear()
            await self.fire_due()
            wait = LONGEST_SLEEP
            if self._heap:
                wait = min(wait, max(0.0, (self._heap[0][0] - self._now()) / 1000))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), wait or 0.001)
