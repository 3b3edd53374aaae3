"""Group commit: appends that are waiting at the same time share one transaction, and therefore one fsync.

Each append succeeds or fails on its own. If the connection is lost during a commit, the retry first reads the logs.
Events that are already there count as stored; the retry stores the others.
"""

from __future__ import annotations

import asyncio
import collections
import dataclasses
from collections.abc import Callable, Sequence
from typing import Final

from cairn.server.backoff import backoff
from cairn.server.errors import ConnectionLostError, OutcomeUnknownError, RevisionTakenError, StorageError
from cairn.server.storage.engines.append import Append
from cairn.server.storage.engines.backend import Backend

MOST_TOGETHER: Final = 128
PATIENCE_SECONDS: Final = 12.0
"""How long to retry an append while the database is unreachable."""
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
    """Commits queued appends, in as many concurrent transactions as the engine allows."""

    def __init__(self, backend: Backend) -> None:
        self._backend: Final = backend
        self._waiting: Final[collections.deque[Append]] = collections.deque()
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._busy = 0
        self.counts: Final = Counts()
        self.observe: Callable[[float], object] | None = None
        """Called with the duration of each commit in seconds."""

    @property
    def waiting(self) -> int:
        """How many appends are waiting for a transaction."""
        return len(self._waiting)

    async def append(self, append: Append) -> None:
        """Queue an append, and return when it is stored.

        Raises :class:`RevisionTakenError` if it does not continue its log, and :class:`StorageError` if storing fails.
        """
        self._waiting.append(append)
        if self._busy < self._backend.writers:
            self._busy += 1
            task = asyncio.create_task(self._commit_batches(), name="group commit")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await append.done

    async def close(self) -> None:
        """Wait until all queued appends have been stored or have failed."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _commit_batches(self) -> None:
        """Commit queued appends until none are left, one batch per transaction.

        A batch is retried with back-off while the database is unreachable. If one append makes its batch fail, the
        appends are stored one by one.
        """
        alone, clock = collections.deque[Append](), asyncio.get_running_loop().time
        while batch := [alone.popleft()] if alone else self._next_batch():
            began, unsure = clock(), False
            stored: Sequence[bool] = [False] * len(batch)
            problem: BaseException | None = None
            try:
                for pause in backoff(SHORTEST_PAUSE, LONGEST_PAUSE):
                    try:
                        stored = await self._backend.append(batch, unsure)
                        break
                    except (ConnectionLostError, OutcomeUnknownError) as error:
                        unsure = unsure or isinstance(error, OutcomeUnknownError)
                        if clock() - began > PATIENCE_SECONDS:
                            raise
                    await asyncio.sleep(pause)
            except StorageError as error:
                # This attempt failed, but an earlier one may have been committed.
                problem = OutcomeUnknownError() if unsure else error
            except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # passed on to the waiting tasks
                if len(batch) > 1 and isinstance(error, Exception):
                    alone.extend(batch)
                    continue
                problem = error
            self._settle(batch, stored, problem, clock() - began)
        self._busy -= 1  # no await since the loop ended, so nothing can have been queued in between

    def _next_batch(self) -> list[Append]:
        """Take queued appends, except those whose callers were cancelled. The batch is empty only if none are left."""
        batch = list[Append]()
        while self._waiting and len(batch) < MOST_TOGETHER:
            append = self._waiting.popleft()
            if not append.done.cancelled():
                batch.append(append)
        return batch

    def _settle(
        self, batch: Sequence[Append], stored: Sequence[bool], problem: BaseException | None, seconds: float
    ) -> None:
        """Count a transaction and its appends. Report each outcome, unless the caller was cancelled."""
        if problem is None:
            self.counts.commits += 1
            if self.observe:
                self.observe(seconds)
        for append, fits in zip(batch, stored, strict=True):
            error = None if fits else problem or RevisionTakenError()
            if error is None:
                self.counts.appends += 1
            elif isinstance(error, RevisionTakenError):
                self.counts.refused += 1
            else:
                self.counts.failed += 1
            if append.done.done():
                continue
            if error is None:
                append.done.set_result(None)
            else:
                append.done.set_exception(error)
