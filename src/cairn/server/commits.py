"""Appends that wait at the same time are committed together: one transaction, and one wait for the disk.

Each has its own success or refusal. After a commit whose outcome nobody told, the log is read back: what is there was
stored, and what is not is stored now.
"""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from cairn.server.events import Event
from cairn.server.storage import ConnectionLostError, OutcomeUnknownError, Standing, StorageError

MOST_TOGETHER: Final = 128
PATIENCE_SECONDS: Final = 12.0
"""So long an append waits for a database that went away."""
SHORTEST_PAUSE: Final = 0.02
LONGEST_PAUSE: Final = 0.1


@dataclasses.dataclass(eq=False, slots=True)
class Append:
    """One continuation of one log, and what comes of it."""

    game: str
    revision: int
    log: Sequence[Event]
    standing: Standing
    done: asyncio.Future[None] = dataclasses.field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def settle(self, error: BaseException | None) -> None:
        """Tell whoever waits, if anybody still does."""
        if not self.done.done():
            if error is None:
                self.done.set_result(None)
            else:
                self.done.set_exception(error)


Commit = Callable[[Sequence[Append], bool], Awaitable[Sequence[BaseException | None]]]
"""Store appends in one transaction; what became of each. If the flag is set, some may be stored already."""


@dataclasses.dataclass
class Counts:
    """What a committer did."""

    commits: int = 0
    appends: int = 0
    """Successful ones."""
    refused: int = 0
    failed: int = 0


class Committer:
    """Commits what waits, with a few transactions at the same time at most."""

    def __init__(self, commit: Commit, writers: int) -> None:
        self._commit: Final = commit
        self._writers: Final = writers
        self._waiting: Final[collections.deque[Append]] = collections.deque()
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._busy = 0
        self.counts: Final = Counts()
        self.observe: Callable[[float], object] | None = None
        """Is told the seconds of every commit."""

    @property
    def waiting(self) -> int:
        """How many appends wait for a transaction."""
        return len(self._waiting)

    async def append(self, append: Append) -> None:
        """Return when it is stored, or raise why it is not."""
        self._waiting.append(append)
        if self._busy < self._writers:
            self._busy += 1
            task = asyncio.create_task(self._work(), name="commits")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await append.done

    async def close(self) -> None:
        """Return when nothing waits any more."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self) -> None:
        while self._waiting:
            taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_TOGETHER))]
            batch = [append for append in taken if not append.done.cancelled()]
            if batch:
                await self._store(batch)
        self._busy -= 1  # before anybody else can wait

    async def _store(self, batch: Sequence[Append]) -> None:
        """Store them together. If something is wrong with one of them, then each apart, so that it harms no other."""
        try:
            outcomes = await self._try_patiently(batch)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # whoever waits is told, whatever it is
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

    async def _try_patiently(self, batch: Sequence[Append]) -> Sequence[BaseException | None]:
        """Store them, also if the database goes away for a while."""
        began, pause, unsure = time.monotonic(), SHORTEST_PAUSE, False
        problem: StorageError
        while True:
            try:
                outcomes = await self._commit(batch, unsure)
            except OutcomeUnknownError as error:
                unsure, problem = True, error
            except ConnectionLostError as error:
                problem = OutcomeUnknownError() if unsure else error
            except StorageError as error:
                if unsure:  # it did not happen this time, but it may have before
                    raise OutcomeUnknownError from error
                raise
            else:
                self.counts.commits += 1
                if self.observe:
                    self.observe(time.monotonic() - began)
                return outcomes
            if time.monotonic() - began > PATIENCE_SECONDS:
                raise problem
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
