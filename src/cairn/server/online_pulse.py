"""The heartbeat of a process: by it all know for how long nobody was alive, so that no clock ran.

A process that cannot reach the database is as good as dead: its time stands still until the next beat is stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from collections.abc import Callable
from typing import Final

from cairn.server.authority import Authority
from cairn.server.logs import going_on
from cairn.server.online_storage import SHORTEST_DOWNTIME, OnlineStorage
from cairn.vocabulary import Tribe

BEAT_SECONDS: Final = 0.5
SHARED_BEAT_SECONDS: Final = 0.25
"""Where several processes share a database, a silence is noticed while they live, and so has to be short."""
SWEEP_BEATS: Final = 20
"""Every so many beats one looks for games whose time is up and that nobody ended."""
LAST_SECONDS: Final = 2.0
"""So long an orderly end waits for the last beat."""
LATE: Final = 2_000
"""Milliseconds after which a deadline was missed by whoever should have looked."""


class ServerTime:
    """What games go by: the time of day, but while the database is away, the time when it was last there."""

    def __init__(self, now: Callable[[], datetime.datetime]) -> None:
        self._now: Final = now
        self._last: datetime.datetime | None = None

    def __call__(self) -> datetime.datetime:
        """The time."""
        at = self._now()
        return self._last if self._last is not None and at - self._last >= SHORTEST_DOWNTIME else at

    def there(self, at: datetime.datetime) -> None:
        """The database has stored a beat."""
        self._last = at


class Pulse:
    """Beats while clocks run; where several processes share a database, always."""

    def __init__(
        self,
        storage: OnlineStorage,
        authority: Authority,
        now: Callable[[], datetime.datetime],
        *,
        always: bool = False,
        time: ServerTime | None = None,
    ) -> None:
        self._storage: Final = storage
        self._authority: Final = authority
        self._now: Final = now
        self._always: Final = always
        self._time: Final = time
        """Stands still while no beat is stored; left out where the database cannot go away."""
        self._process: Final = authority.presence.process
        self._task: asyncio.Task[None] | None = None
        self._noted: dict[tuple[str, Tribe], datetime.datetime | None] = {}
        """Who came to a table or left one, and is not stored yet."""

    async def start(self) -> list[tuple[datetime.datetime, datetime.datetime]]:
        """Begin to beat. All times in which no process was alive."""
        at = self._now()
        downtimes = await self._storage.begin(self._process, at)
        if self._time:
            self._time.there(at)
        self._task = asyncio.create_task(self._run(), name="pulse")
        return downtimes

    async def close(self) -> None:
        """Beat once more, and then no more: what was thought up to an orderly end is charged."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            with going_on("the last beat is not stored"), contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self._beat()

    async def _run(self) -> None:
        beats = 0
        while True:
            await asyncio.sleep(SHARED_BEAT_SECONDS if self._time else BEAT_SECONDS)
            beats += 1
            with going_on("the pulse is not stored"):
                await self._beat()
                if beats % SWEEP_BEATS == 0:
                    await self._sweep()

    async def _beat(self) -> None:
        self._noted |= self._authority.presence.take_changes()
        if self._always or len(self._authority.timers):
            at = self._now()
            downtimes = await self._storage.beat(self._process, at, self._noted if self._always else {})
            if self._time:
                self._time.there(at)
            if downtimes:
                await self._authority.pause(downtimes)
        self._noted = {}

    async def _sweep(self) -> None:
        """Games that a process which is no more should have looked at."""
        for game, _ in await self._storage.deadlines(before=self._authority.clock_time() - LATE):
            await self._authority.look_at_time(game)
