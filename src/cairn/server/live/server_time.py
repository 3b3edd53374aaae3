"""The time used by games. It never goes backwards, and no game clock jumps when the system clock is changed.

Within a process, time follows the monotonic clock. Every heartbeat stores this time together with the wall-clock time.
A new process starts from the time of the last heartbeat, plus the wall-clock time that has passed since then.
"""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from cairn.server.storage.presence import SHORTEST_DOWNTIME

COMPARE_SECONDS: Final = 10.0
"""How often the wall clock is compared with the server's time."""
TOLERANCE: Final = datetime.timedelta(seconds=1)

_log: Final = logging.getLogger("cairn.server")


def utc_now() -> datetime.datetime:
    """The current wall-clock time in UTC."""
    return datetime.datetime.now(datetime.UTC)


class ProcessClock:
    """The wall-clock time at which the process started, advanced by the monotonic clock."""

    def __init__(
        self, wall: Callable[[], datetime.datetime] = utc_now, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.wall: Final = wall
        self._monotonic: Final = monotonic
        self._began: Final = wall()
        self._origin: Final = monotonic()
        self._compared = self._origin
        self._difference = datetime.timedelta()
        """How far the wall clock was ahead of this clock when they were last compared."""

    def __call__(self) -> datetime.datetime:
        """The current time."""
        seconds = self._monotonic()
        now = self._began + datetime.timedelta(seconds=seconds - self._origin)
        if seconds - self._compared >= COMPARE_SECONDS:
            self._compared = seconds
            self._compare(now)
        return now

    def _compare(self, now: datetime.datetime) -> None:
        difference = self.wall() - now
        if abs(difference - self._difference) >= TOLERANCE:
            self._difference = difference
            _log.warning(
                "the system clock was changed: it will differ from the server's time by %.1f s until the server is "
                "restarted; game clocks are not affected",
                difference.total_seconds(),
            )


class ServerTime:
    """A process clock, aligned with the other processes, and frozen while the database is unreachable."""

    def __init__(self, now: Callable[[], datetime.datetime], *, freezes: bool) -> None:
        self._now: Final = now
        self.wall: Final = now.wall if isinstance(now, ProcessClock) else now
        self._freezes: Final = freezes
        """Whether the database can become unreachable."""
        self._offset = datetime.timedelta()
        self._last: datetime.datetime | None = None
        self.thaw: Callable[[], Awaitable[None]] | None = None
        """Stores a heartbeat, which shows whether all processes were cut off from the database or only this one."""

    def __call__(self) -> datetime.datetime:
        """The current time, or the time of the last heartbeat while frozen."""
        now = self._now() + self._offset
        return now if self._last is None or now - self._last < SHORTEST_DOWNTIME else self._last

    @property
    def is_frozen(self) -> bool:
        """Whether the last heartbeat is so old that all processes may have been cut off from the database."""
        return self._last is not None and self.running() - self._last >= SHORTEST_DOWNTIME

    async def ensure_running(self) -> None:
        """Wait until the time is no longer frozen. Raises :class:`~cairn.server.errors.StorageError`.

        Make no decisions until then: if other processes were able to reach the database, the clocks have kept running.
        """
        if self.thaw and self.is_frozen:
            await self.thaw()

    def running(self) -> datetime.datetime:
        """The current time, even while frozen."""
        return self._now() + self._offset

    def align(self, at: datetime.datetime) -> None:
        """Set the current time."""
        self._offset = at - self._now()

    def heartbeat_stored(self) -> None:
        """Record that the database has just stored a heartbeat."""
        if self._freezes:
            self._last = self.running()
