"""A process's heartbeat. The stored heartbeats show when no process was alive and therefore no clock ran.

A process that cannot reach the database counts as dead. Its time is frozen until the next heartbeat is stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from typing import Final

from cairn.server.backoff import backoff
from cairn.server.errors import ConnectionLostError
from cairn.server.live.authority import Authority
from cairn.server.live.server_time import ServerTime
from cairn.server.logs import log_and_continue
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.presence import Downtime, PresenceRepository
from cairn.server.tasks import cancel_and_wait
from cairn.vocabulary import Tribe

BEAT_SECONDS: Final = 0.5
SHARED_BEAT_SECONDS: Final = 0.25
"""The interval between heartbeats if several processes share a database.

It is shorter, so that processes notice an outage while they are running.
"""
RECENT: Final = datetime.timedelta(seconds=0.6)
"""A heartbeat at most this old proves that its process is alive and that the wall clock has not been changed."""
LOOKS: Final = 5
"""How many times a starting process checks for a heartbeat from a live process."""
SWEEP_BEATS: Final = 20
"""How many heartbeats pass between two searches for overdue games."""
THAW_SECONDS: Final = 12.0
"""How long a command waits for the database after an outage. An append waits equally long."""
SHORTEST_PAUSE: Final = 0.02
LONGEST_PAUSE: Final = 0.1
LAST_SECONDS: Final = 2.0
"""How long a shutdown waits for the final heartbeat."""
LATE: Final = 2_000
"""Once a deadline has been missed by this many milliseconds, any process may check the game."""


class Heartbeat:
    """Stores heartbeats: always on a public or shared server, otherwise only while clocks are running."""

    def __init__(
        self,
        storage: PresenceRepository,
        games: GameRepository,
        authority: Authority,
        time: ServerTime,
        *,
        always: bool = False,
    ) -> None:
        self._storage: Final = storage
        self._games: Final = games
        self._authority: Final = authority
        self._always: Final = always
        self._time: Final = time
        self._beat_seconds: Final = SHARED_BEAT_SECONDS if games.multi_process else BEAT_SECONDS
        self._presence: Final = authority.attendance.presence
        self._task: asyncio.Task[None] | None = None
        self._pausing: asyncio.Task[None] | None = None
        """Corrects clocks after an outage. If heartbeats waited for this task, they would show another outage."""
        self._thawing: Final = asyncio.Lock()
        self._noted: dict[tuple[str, Tribe], datetime.datetime | None] = {}
        """Arrivals and departures that have not been stored yet."""

    async def start(self) -> list[Downtime]:
        """Start the heartbeat. Returns all downtimes."""
        await self._align()
        at = self._time.running()
        downtimes = await self._storage.begin(self._presence.process, at, self._time.wall())
        self._time.heartbeat_stored()
        self._time.thaw = self._thaw
        self._task = asyncio.create_task(self._run(), name="heartbeat")
        return downtimes

    async def _align(self) -> None:
        """Set the server's time to the time of the last heartbeat plus the wall-clock time that has passed since.

        The wall clock may have been changed since that heartbeat. If another process is alive, its next heartbeat shows
        by how much, so this method waits for it.
        """
        looks = LOOKS if self._games.multi_process else 1
        while (last := await self._storage.last_heartbeat()) is not None:
            since = self._time.wall() - (last.wall or last.time)
            looks -= 1
            if looks == 0 or datetime.timedelta() <= since <= RECENT:
                self._time.align(last.time + max(since, datetime.timedelta()))
                return
            await asyncio.sleep(self._beat_seconds)

    async def close(self) -> None:
        """Stop after a final heartbeat, so that players are charged for their thinking time up to the shutdown."""
        await cancel_and_wait([self._task, self._pausing])
        if self._task:
            with log_and_continue("could not store the final heartbeat"), contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self._beat()

    async def _run(self) -> None:
        beats = 0
        while True:
            await asyncio.sleep(self._beat_seconds)
            beats += 1
            with log_and_continue("could not store the heartbeat"):
                await self._beat()
                if beats % SWEEP_BEATS == 0:
                    await self._check_overdue()

    async def _thaw(self) -> None:
        """Store one heartbeat on behalf of all waiting commands. Retry with back-off while the database is down."""
        until = asyncio.get_running_loop().time() + THAW_SECONDS
        async with self._thawing:
            for pause in backoff(SHORTEST_PAUSE, LONGEST_PAUSE):
                if not self._time.is_frozen:
                    return
                try:
                    await self._beat()
                except ConnectionLostError:
                    if asyncio.get_running_loop().time() > until:
                        raise
                    await asyncio.sleep(pause)

    async def _beat(self) -> None:
        self._noted |= self._presence.take_changes()
        if self._always or len(self._authority.clock_watch):
            at = self._time.running()
            noted = self._noted if self._always else {}
            downtimes = await self._storage.beat(self._presence.process, at, noted, self._time.wall())
            self._time.heartbeat_stored()
            if downtimes:
                self._pause(downtimes)
        self._noted = {}

    def _pause(self, downtimes: list[Downtime]) -> None:
        # This takes effect immediately: from now on, every game corrects its clock before it executes a command.
        self._authority.know_downtimes(downtimes)
        before = self._pausing

        async def correct_clocks() -> None:
            if before:
                await asyncio.wait([before])
            await self._authority.correct_clocks()

        self._pausing = asyncio.create_task(correct_clocks(), name="correcting clocks")

    async def _check_overdue(self) -> None:
        """Check games that a dead process should have checked."""
        for game, deadline in await self._games.deadlines(before=self._authority.clock_time() - LATE):
            self._authority.clock_watch.set(game, deadline)
