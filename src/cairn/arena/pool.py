"""Play games on this machine, several at a time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Sequence
from typing import Final

from cairn.arena.result import GameResult
from cairn.arena.settings import ArenaSettings, Job
from cairn.arena.worker_process import WorkerProcess


def play_here(settings: ArenaSettings, games: Sequence[Job], jobs: int) -> Generator[GameResult, None, None]:
    """Play the games, ``jobs`` at a time, and yield each result when its game ends.

    Closing the iterator ends all workers.
    """
    pool = _Pool(settings, games)
    threads = [threading.Thread(target=pool.work, daemon=True) for _ in range(min(jobs, len(games)))]
    for thread in threads:
        thread.start()
    try:
        for _ in games:
            finished = pool.finished.get()
            if isinstance(finished, BaseException):
                raise finished
            yield finished
    finally:
        pool.close()
        for thread in threads:
            thread.join()


class _Pool:
    """The games to play and the worker processes."""

    def __init__(self, settings: ArenaSettings, games: Sequence[Job]) -> None:
        self.finished: Final[queue.Queue[GameResult | BaseException]] = queue.Queue()
        self._settings: Final = settings
        self._waiting: Final = iter(games)
        self._lock: Final = threading.Lock()
        self._workers: Final[list[WorkerProcess]] = []
        self._closed = False

    def work(self) -> None:
        """Play games until none are left. Runs in a thread."""
        worker: WorkerProcess | None = None
        try:
            worker = WorkerProcess(self._settings)
            with self._lock:
                self._workers.append(worker)
            while (job := self._next()) is not None:
                self.finished.put(worker.play(job))
        except EOFError:
            pass  # the pool was closed
        except BaseException as error:  # noqa: BLE001  # raised again by the consumer
            self.finished.put(error)
        finally:
            if worker:
                worker.close()

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            self._closed = True
            workers = list(self._workers)
        for worker in workers:
            worker.end()

    def _next(self) -> Job | None:
        with self._lock:
            return None if self._closed else next(self._waiting, None)
