"""The computer's turns: one task for each game in which the computer has to decide."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from cairn.server.backoff import backoff
from cairn.server.errors import Refusal, RevisionTakenError, StorageError
from cairn.server.tasks import cancel_and_wait

SHORTEST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 1.0
"""The longest pause between attempts to store a token, in seconds."""

_log: Final = logging.getLogger("cairn.server")


class ComputerTurns:
    """Calls ``play``, which plays one token for the computer, until it returns false."""

    def __init__(self, play: Callable[[str], Awaitable[bool]]) -> None:
        self._play: Final = play
        self._tasks: Final[dict[str, asyncio.Task[None]]] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, game: str) -> None:
        """Let the computer think about a game, unless it is already thinking about it."""
        if game not in self._tasks:
            task = asyncio.create_task(self._run(game), name=f"computer in {game}")
            self._tasks[game] = task
            task.add_done_callback(lambda done: self._ended(game, done))

    def stop(self, game: str) -> None:
        """Stop thinking. Call this with the game locked; otherwise the computer might play at the same moment."""
        if task := self._tasks.pop(game, None):
            task.cancel()

    def finished(self, game: str) -> None:
        """Record that the computer has nothing to decide. Call this with the game locked, or a wake-up may be lost."""
        self._tasks.pop(game, None)

    async def close(self) -> None:
        """Stop thinking about all games."""
        await cancel_and_wait(self._tasks.values())

    async def _run(self, game: str) -> None:
        """Play token by token. Retry with back-off while nothing can be stored."""
        pauses = backoff(SHORTEST_PAUSE, LONGEST_PAUSE)
        while True:
            try:
                if not await self._play(game):
                    return
                pauses = backoff(SHORTEST_PAUSE, LONGEST_PAUSE)
            except StorageError as error:
                _log.warning("the computer's token in game %s is not stored yet: %s", game, error)
                await asyncio.sleep(next(pauses))
            except (Refusal, RevisionTakenError):
                return  # the game was deleted, or another process continued it

    def _ended(self, game: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(game) is task:
            del self._tasks[game]
        if not task.cancelled() and (error := task.exception()):
            _log.error("the computer stopped playing game %s", game, exc_info=error)
