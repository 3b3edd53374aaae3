"""Periodic work, such as taking over games, ending abandoned games and deleting idle guests."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Final

from cairn.server.logs import log_and_continue
from cairn.server.tasks import cancel_and_wait


class PeriodicTask:
    """Runs ``work`` periodically, with jitter so that processes do not run it at the same time. Logs failures."""

    def __init__(
        self, work: Callable[[], Awaitable[object]], seconds: float, problem: str, *, first: float | None = None
    ) -> None:
        self._work: Final = work
        self._seconds: Final = seconds
        self._problem: Final = problem
        """The log message for a failure."""
        self._first: Final = seconds if first is None else first
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the task."""
        self._task = asyncio.create_task(self._run(), name=f"periodic ({self._problem})")

    async def close(self) -> None:
        """Stop the task."""
        await cancel_and_wait([self._task])

    async def _run(self) -> None:
        wait = self._first
        while True:
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))
            with log_and_continue(self._problem):
                await self._work()
            wait = self._seconds
