"""What a server does again and again, unasked: taking over games that nobody thinks about, forgetting idle guests."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from typing import Final

from cairn.server.logs import going_on


class Repeating:
    """Works every so many seconds, and not at the same time as other processes. Whatever goes wrong, it goes on."""

    def __init__(
        self, work: Callable[[], Awaitable[object]], seconds: float, problem: str, *, first: float | None = None
    ) -> None:
        self._work: Final = work
        self._seconds: Final = seconds
        self._problem: Final = problem
        """What the log says when it fails."""
        self._first: Final = seconds if first is None else first
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name=f"repeating, or else: {self._problem}")

    async def close(self) -> None:
        """End."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        wait = self._first
        while True:
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))
            with going_on(self._problem):
                await self._work()
            wait = self._seconds
