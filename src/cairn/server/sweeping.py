"""Games that wait for the computer although nobody thinks: left by a process that died, and taken over by another."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Final, Protocol

from cairn.server.logs import going_on

SWEEP_SECONDS: Final = 4.0


class Sweepable(Protocol):
    """Whoever lets the computer think."""

    async def take_over(self) -> None:
        """Let the computer go on in games that have waited too long."""


class Sweeper:
    """Asks every few seconds, and not at the same time as other processes."""

    def __init__(self, authority: Sweepable, seconds: float = SWEEP_SECONDS) -> None:
        self._authority: Final = authority
        self._seconds: Final = seconds
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name="sweeper")

    async def close(self) -> None:
        """End."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._seconds * random.uniform(0.7, 1.3))
            with going_on("games that wait for the computer were not looked for"):
                await self._authority.take_over()
