"""The computer's turn: one task for each game in which it is to decide, and the patience to store what it chose."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from typing import Final, Protocol

from cairn.game import Game
from cairn.server.computer import Computer
from cairn.server.errors import Refusal
from cairn.server.storage import StorageError

SHORTEST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 1.0
"""Seconds between two attempts to store what the computer decided."""

_log: Final = logging.getLogger("cairn.server")


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """A decision that is asked of the computer."""

    game: Game
    """A copy: it may be played on."""
    level: int
    revision: int
    """What was decided at another one is of no use."""


class Asker(Protocol):
    """Whoever lets the computer decide."""

    async def ask_computer(self, game: str) -> Question | None:
        """What the computer has to decide now. If it is nothing, :meth:`Thinking.forget` was called."""

    async def take_answer(self, game: str, question: Question, token: str) -> None:
        """Play what the computer decided, if the game still stands where it was asked."""


class Thinking:
    """All games that the computer thinks about."""

    def __init__(self, computer: Computer, asker: Asker) -> None:
        self._computer: Final = computer
        self._asker: Final = asker
        self._tasks: Final[dict[str, asyncio.Task[None]]] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, game: str) -> None:
        """Think about a game, unless that is being done already."""
        if game not in self._tasks:
            task = asyncio.create_task(self._think(game), name=f"computer in {game}")
            self._tasks[game] = task
            task.add_done_callback(lambda done: self._thought(game, done))

    def stop(self, game: str) -> None:
        """Called while the game is locked, so that the computer cannot be in the middle of a decision."""
        if task := self._tasks.pop(game, None):
            task.cancel()

    def forget(self, game: str) -> None:
        """Called while the game is locked: from here on nobody may believe that the computer still thinks."""
        self._tasks.pop(game, None)

    async def close(self) -> None:
        """Stop all thinking."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._computer.close()

    async def _think(self, game: str) -> None:
        """Decide for the computer, token by token, until somebody else is to decide."""
        wait = SHORTEST_WAIT
        while True:
            try:
                question = await self._asker.ask_computer(game)
                if question is None:
                    return
                token = await self._computer.choose(question.game, question.level)
                await self._asker.take_answer(game, question, token)
                wait = SHORTEST_WAIT
            except StorageError as error:
                _log.warning("the computer's token in game %s is not stored yet: %s", game, error)
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)
            except Refusal:
                return  # the game was deleted, or somebody else continued it

    def _thought(self, game: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(game) is task:
            del self._tasks[game]
        if not task.cancelled() and (error := task.exception()):
            _log.error("the computer stopped playing game %s", game, exc_info=error)
