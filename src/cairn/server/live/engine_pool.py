"""The computer's seats: a bounded number of threads in which engines think."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from cairn.engine import NativeEngine, Stopper
from cairn.game import Game


class Computer(Protocol):
    """Decides for the seats that no person has."""

    async def choose(self, game: Game, level: int) -> str:
        """The token that this level plays; ``game`` is not changed. Cancelling it ends the thinking soon."""

    async def close(self) -> None:
        """End all thinking."""


class EnginePool:
    """Engines of all levels in a few threads. When all of them think, the next game waits its turn."""

    def __init__(self, threads: int, seed: int | None = None) -> None:
        self._seed: Final = seed
        self._executor: Final = ThreadPoolExecutor(threads, thread_name_prefix="cairn-computer")
        self._running: Final[set[Stopper]] = set()
        self._own: Final = threading.local()

    async def choose(self, game: Game, level: int) -> str:
        """Think in one of the threads."""
        stopper = Stopper()
        self._running.add(stopper)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, self._think, game, level, stopper)
        finally:
            self._running.discard(stopper)
            stopper.stop()  # matters if nobody waits for the answer any more

    async def close(self) -> None:
        """End all thinking."""
        for stopper in list(self._running):
            stopper.stop()
        await asyncio.to_thread(self._executor.shutdown, cancel_futures=True)

    def _think(self, game: Game, level: int, stopper: Stopper) -> str:
        # A thread keeps the engine of the level that it played last: its table is large, and the next game is mostly
        # of the same level.
        engine: NativeEngine | None = getattr(self._own, "engine", None)
        if engine is None or engine.level is None or engine.level.number != level:
            engine = self._own.engine = NativeEngine(level=level, seed=self._seed)
        return str(engine.play(game, stopper=stopper).token)
