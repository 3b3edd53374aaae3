"""Check games when a player's time has run out."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from cairn.server.tasks import cancel_and_wait

LONGEST_SLEEP: Final = 1.0
"""The maximum time between two checks, in seconds. It is short so that a change of the system clock is noticed."""

_log: Final = logging.getLogger("cairn.server")


class ClockWatch:
    """Calls ``check`` with a game when its deadline has passed. Times are in milliseconds."""

    def __init__(self, check: Callable[[str], Awaitable[object]], now: Callable[[], int]) -> None:
        self._check: Final = check
        self._now: Final = now
        self._deadlines: Final[dict[str, int]] = {}
        self._heap: Final[list[tuple[int, str]]] = []
        self._changed: Final = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._checks: Final[dict[str, asyncio.Task[None]]] = {}
        """The running checks. Each runs in its own task, so that a slow commit does not delay other games."""

    def start(self) -> None:
        """Start watching."""
        self._task = asyncio.create_task(self._run(), name="clock watch")

    async def close(self) -> None:
        """Stop watching."""
        await cancel_and_wait([self._task, *self._checks.values()])

    def set(self, game: str, deadline: int | None) -> None:
        """Replace the deadline of a game."""
        if deadline is None:
            self._deadlines.pop(game, None)
        elif self._deadlines.get(game) != deadline:
            self._deadlines[game] = deadline
            heapq.heappush(self._heap, (deadline, game))
            if len(self._heap) > 2 * len(self._deadlines) + 1_000:
                self._heap[:] = [(at, each) for each, at in self._deadlines.items()]
                heapq.heapify(self._heap)
            if self._heap[0][0] == deadline:
                self._changed.set()

    def __len__(self) -> int:
        return len(self._deadlines)

    def check_due(self) -> None:
        """Start checking every game whose deadline has passed."""
        while self._heap and self._heap[0][0] <= self._now():
            deadline, game = heapq.heappop(self._heap)
            if self._deadlines.get(game) != deadline:
                continue  # the deadline has been replaced since
            del self._deadlines[game]
            if game not in self._checks:  # a running check sets the next deadline itself when it ends
                self._checks[game] = asyncio.create_task(self._check_game(game), name=f"clock of {game}")

    async def _check_game(self, game: str) -> None:
        try:
            await self._check(game)
        except Exception:  # noqa: BLE001  # a failed check must not end the watch
            _log.exception("could not check the clock of game %s", game)
        finally:
            del self._checks[game]

    async def _run(self) -> None:
        while True:
            self._changed.clear()
            self.check_due()
            wait = LONGEST_SLEEP
            if self._heap:
                wait = min(wait, max(0.0, (self._heap[0][0] - self._now()) / 1000))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), wait or 0.001)
