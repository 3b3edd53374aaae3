"""The computer player: engines in a bounded number of threads."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from cairn.engine import NativeEngine, Stopper
from cairn.game import Game


class Computer(Protocol):
    """Chooses tokens for the computer's seats."""

    async def choose(self, game: Game, level: int) -> str:
        """Choose a token at this level. Does not change ``game``. Cancelling the call stops the search."""

    async def close(self) -> None:
        """Stop all searches."""


class EnginePool:
    """Runs engines of all levels in a few threads. If all threads are busy, a search waits for one of them."""

    def __init__(self, threads: int, seed: int | None = None) -> None:
        self._seed: Final = seed
        self._executor: Final = ThreadPoolExecutor(threads, thread_name_prefix="cairn-computer")
        self._running: Final[set[Stopper]] = set()
        self._thread_local: Final = threading.local()

    async def choose(self, game: Game, level: int) -> str:
        """Search in one of the threads."""
        stopper = Stopper()
        self._running.add(stopper)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, self._search, game, level, stopper)
        finally:
            self._running.discard(stopper)
            stopper.stop()  # if the caller was cancelled, the thread is still searching

    async def close(self) -> None:
        """Stop all searches."""
        for stopper in list(self._running):
            stopper.stop()
        await asyncio.to_thread(self._executor.shutdown, cancel_futures=True)

    def _search(self, game: Game, level: int, stopper: Stopper) -> str:
        # Each thread reuses its last engine: the hash table is large, and the next game often has the same level.
        engine: NativeEngine | None = getattr(self._thread_local, "engine", None)
        if engine is None or engine.level is None or engine.level.number != level:
            engine = self._thread_local.engine = NativeEngine(level=level, seed=self._seed)
        return str(engine.play(game, stopper=stopper).token)
