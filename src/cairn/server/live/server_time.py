"""The time that games use. It never goes back, and nobody's clock jumps when the system clock is set.

Inside a process, time follows the monotonic clock. The wall clock counts only when a process starts, and even then no
process starts behind a stored heartbeat or apart from the processes that are alive.
"""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Callable
from typing import Final

from cairn.server.storage.presence import SHORTEST_DOWNTIME

COMPARE_SECONDS: Final = 10.0
"""How often the wall clock is compared with our own time."""
TOLERANCE: Final = datetime.timedelta(seconds=1)

_log: Final = logging.getLogger("cairn.server")


def utc_now() -> datetime.datetime:
    """The time of day."""
    return datetime.datetime.now(datetime.UTC)


class ProcessClock:
    """The wall clock as it was when the process started, continued by the monotonic clock."""

    def __init__(
        self, wall: Callable[[], datetime.datetime] = utc_now, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall: Final = wall
        self._monotonic: Final = monotonic
        self._began: Final = wall()
        self._origin: Final = monotonic()
        self._compared = self._origin
        self._difference = datetime.timedelta()
        """How far the wall clock was ahead when it was last compared."""

    def __call__(self) -> datetime.datetime:
        """The current time."""
        seconds = self._monotonic()
        now = self._began + datetime.timedelta(seconds=seconds - self._origin)
        if seconds - self._compared >= COMPARE_SECONDS:
            self._compared = seconds
            self._compare(now)
        return now

    def _compare(self, now: datetime.datetime) -> None:
        difference = self._wall() - now
        if abs(difference - self._difference) >= TOLERANCE:
            self._difference = difference
            _log.warning(
                "the system clock was set: it differs from the server's time by %.1f s until the server is restarted; "
                "game clocks are not affected",
                difference.total_seconds(),
            )


class ServerTime:
    """A process clock, aligned with the other processes, and frozen while the database is unreachable."""

    def __init__(self, now: Callable[[], datetime.datetime], *, freezes: bool) -> None:
        self._now: Final = now
        self._freezes: Final = freezes
        """Whether the database can become unreachable."""
        self._offset = datetime.timedelta()
        self._last: datetime.datetime | None = None

    def __call__(self) -> datetime.datetime:
        """The current time, or the time of the last heartbeat while frozen."""
        at = self.running()
        return self._last if self._last is not None and at - self._last >= SHORTEST_DOWNTIME else at

    def running(self) -> datetime.datetime:
        """The current time, even while frozen."""
        return self._now() + self._offset

    def align(self, at: datetime.datetime) -> None:
        """Let it be that time now."""
        self._offset = at - self._now()

    def heartbeat_stored(self, at: datetime.datetime) -> None:
        """Record that a heartbeat was stored."""
        if self._freezes:
            self._last = at
