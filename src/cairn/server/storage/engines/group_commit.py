"""Group commit: appends that wait at the same time share one transaction, and one wait for the disk.

Each append succeeds or fails on its own. If the connection is lost during a commit, the log is read back: events that
are in it count as stored, and the others are stored then.
"""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Final

from cairn.server.backoff import backoff
from cairn.server.errors import ConnectionLostError, OutcomeUnknownError, RevisionTakenError, StorageError
from cairn.server.storage.engines.append import Append
from cairn.server.storage.engines.backend import Backend

MOST_TOGETHER: Final = 128
PATIENCE_SECONDS: Final = 12.0
"""How long an append is retried while the database is unreachable."""
SHORTEST_PAUSE: Final = 0.02
LONGEST_PAUSE: Final = 0.1


@dataclasses.dataclass
class Counts:
    """Counters for the metrics."""

    commits: int = 0
    appends: int = 0
    """Successful appends."""
    refused: int = 0
    failed: int = 0


class GroupCommit:
    """Commits waiting appends, with as many transactions at a time as the engine can use."""

    def __init__(self, backend: Backend) -> None:
        self._backend: Final = backend
        self._waiting: Final[collections.deque[Append]] = collections.deque()
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._busy = 0
        self.counts: Final = Counts()
        self.observe: Callable[[float], object] | None = None
        """Called with the duration of every commit, in seconds."""

    @property
    def waiting(self) -> int:
        """How many appends are waiting for a transaction."""
        return len(self._waiting)

    async def append(self, append: Append) -> None:
        """Return when the append is stored.

        Raises :class:`RevisionTakenError` if it does not continue its log, and :class:`StorageError` if storing fails.
        """
        self._waiting.append(append)
        if self._busy < self._backend.writers:
            self._busy += 1
            task = asyncio.create_task(self._work(), name="group commit")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await append.done

    async def close(self) -> None:
        """Return when nothing is waiting."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self) -> None:
        while self._waiting:
            taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_TOGETHER))]
            batch = [append for append in taken if not append.done.cancelled()]
            if batch:
                await self._store(batch)
        self._busy -= 1  # no await since the loop ended: nothing can have been queued in between

    async def _store(self, batch: Sequence[Append]) -> None:
        """Store a batch. If one append breaks it, store each on its own."""
        outcomes: Sequence[BaseException | None]
        try:
            fits = await self._store_with_retry(batch)
            outcomes = [None if fit else RevisionTakenError() for fit in fits]
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # the waiting tasks get it, whatever it is
            if len(batch) > 1 and isinstance(error, Exception) and not isinstance(error, StorageError):
                for append in batch:
                    await self._store([append])
                return
            self.counts.failed += len(batch)
            outcomes = [error] * len(batch)
        for append, outcome in zip(batch, outcomes, strict=True):
            if outcome is None:
                self.counts.appends += 1
            elif not isinstance(outcome, StorageError):
                self.counts.refused += 1
            append.settle(outcome)

    async def _store_with_retry(self, batch: Sequence[Append]) -> Sequence[bool]:
        """Store a batch; retry with back-off while the database is unreachable."""
        began, unsure = time.monotonic(), False
        problem: StorageError
        for pause in backoff(SHORTEST_PAUSE, LONGEST_PAUSE):
            try:
                fits = await self._backend.append(batch, unsure)
            except OutcomeUnknownError as error:
                unsure, problem = True, error
            except ConnectionLostError as error:
                problem = OutcomeUnknownError() if unsure else error
            except StorageError as error:
                if unsure:  # this attempt failed, but an earlier one may have been committed
                    raise OutcomeUnknownError from error
                raise
            else:
                self.counts.commits += 1
                if self.observe:
                    self.observe(time.monotonic() - began)
                return fits
            if time.monotonic() - began > PATIENCE_SECONDS:
                raise problem
            await asyncio.sleep(pause)
        raise AssertionError("backoff never ends")
