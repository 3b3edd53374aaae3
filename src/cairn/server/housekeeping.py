"""Guests who came, did nothing that is kept, and never came back are forgotten after a while."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import random
from collections.abc import Awaitable, Callable
from typing import Final

from cairn.server.logs import going_on

FIRST_SECONDS: Final = 60.0
EVERY_SECONDS: Final = 6 * 3_600.0


class Housekeeping:
    """Sweeps now and then, and not at the same time as other processes."""

    def __init__(self, sweep: Callable[[datetime.timedelta], Awaitable[int]], idle: datetime.timedelta) -> None:
        self._sweep: Final = sweep
        self._idle: Final = idle
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name="housekeeping")

    async def close(self) -> None:
        """End."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        wait = FIRST_SECONDS
        while True:
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))
            with going_on("guests are not swept"):
                await self._sweep(self._idle)
            wait = EVERY_SECONDS
