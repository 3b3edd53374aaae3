"""Play games on a Ray cluster. Ray is optional: ``pip install cairn-game[ray]``."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, Final

from cairn.arena.result import GameResult
from cairn.arena.settings import ArenaError, ArenaSettings, Job
from cairn.cluster import PLACEMENT, ClusterError, connected

MOST_LOST_WORKERS: Final = 10
"""The arena gives up when it has lost more workers than this since the last finished game."""


class RemoteWorker:
    """A Ray actor that runs a worker process on another machine."""

    def __init__(self, settings: dict[str, Any]) -> None:
        from cairn.arena.worker_process import WorkerProcess

        self._worker: WorkerProcess | None = None
        self._refusal = ""
        try:
            self._worker = WorkerProcess(ArenaSettings.from_json(settings))
        except ArenaError as error:
            # Ray hides errors from constructors, so raise this one when the first game is requested.
            self._refusal = str(error)

    def play(self, job: dict[str, Any]) -> dict[str, Any]:
        """Play a game."""
        if self._worker is None:
            raise ArenaError(self._refusal)
        return self._worker.play(Job.from_json(job)).to_json()

    def where(self) -> str:
        """The id of the worker's machine."""
        import ray

        return str(ray.get_runtime_context().get_node_id())


def play_on_ray(
    settings: ArenaSettings, games: Sequence[Job], jobs: int | None, address: str
) -> Generator[GameResult, None, None]:
    """Play the games on the cluster at ``address`` with ``jobs`` workers (by default, one per CPU core).

    The package must be installed on every machine. If a machine is lost, its games are played again on another machine.
    """
    try:
        with connected(address) as ray:
            processors = int(ray.cluster_resources().get("CPU", 1))
            yield from _Cluster(ray, settings).play(games, min(jobs or processors, len(games)))
    except ClusterError as error:
        raise ArenaError(str(error)) from None


class _Cluster:
    """The workers in a cluster and their games."""

    def __init__(self, ray: Any, settings: ArenaSettings) -> None:
        self._ray: Final = ray
        self._settings: Final = settings.to_json()
        self._actor: Final = ray.remote(**PLACEMENT)(RemoteWorker)
        self._running: Final[dict[Any, tuple[Any, Job]]] = {}
        self._lost = 0

    def play(self, games: Sequence[Job], jobs: int) -> Iterator[GameResult]:
        """Play the games, ``jobs`` at a time."""
        waiting = list(reversed(games))
        try:
            while self._running or waiting:
                while waiting and len(self._running) < jobs:
                    self._assign(self._new_worker(), waiting.pop())
                (done, *_), _ = self._ray.wait(list(self._running), num_returns=1)
                worker, job = self._running.pop(done)
                try:
                    finished = self._ray.get(done)
                except self._ray.exceptions.RayActorError as error:
                    # Continue with the other workers, because the cluster may have no free core for a new one.
                    jobs = max(1, len(self._running))
                    waiting.append(job)
                    self._count_loss(error)
                    continue
                except self._ray.exceptions.RayTaskError as error:
                    raise ArenaError(str(error.cause)) from None
                self._lost = 0
                if waiting:
                    self._assign(worker, waiting.pop())
                else:
                    self._ray.kill(worker)  # frees its CPU core
                yield GameResult.from_json(finished)
        finally:
            for worker, _ in self._running.values():
                self._ray.kill(worker)

    def _new_worker(self) -> Any:
        return self._actor.remote(self._settings)

    def _assign(self, worker: Any, job: Job) -> None:
        self._running[worker.play.remote(job.to_json())] = (worker, job)

    def _count_loss(self, error: Exception) -> None:
        self._lost += 1
        if self._lost > MOST_LOST_WORKERS:
            raise ArenaError(f"too many workers were lost: {error}") from None
