"""Seats on the machines of a Ray cluster. Ray is optional: ``pip install cairn-game[ray]``."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, Final

from cairn.arena.result import GameResult
from cairn.arena.settings import ArenaError, ArenaSettings, Job

LOST_SEATS: Final = 10
"""After so many lost seats without a finished game something else is wrong."""


class RemoteSeat:
    """A seat on another machine: an actor of Ray's, which holds a worker process there."""

    def __init__(self, settings: dict[str, Any]) -> None:
        from cairn.arena.worker_process import WorkerProcess

        self._seat: WorkerProcess | None = None
        self._refusal = ""
        try:
            self._seat = WorkerProcess(ArenaSettings.from_json(settings))
        except ArenaError as error:
            # An actor that fails while it is made does not tell why; a game that fails does.
            self._refusal = str(error)

    def play(self, job: dict[str, Any]) -> dict[str, Any]:
        """Play a game."""
        if self._seat is None:
            raise ArenaError(self._refusal)
        return self._seat.play(Job.from_json(job)).to_json()

    def where(self) -> str:
        """The machine that it is on."""
        import ray

        return str(ray.get_runtime_context().get_node_id())


def play_on_ray(
    settings: ArenaSettings, games: Sequence[Job], jobs: int | None, address: str
) -> Generator[GameResult, None, None]:
    """Play the games on the cluster at ``address``, with one seat for each processor or ``jobs`` of them.

    The package has to be installed on every machine. A game whose machine is lost is played again elsewhere.
    """
    try:
        import ray
    except ImportError:
        raise ArenaError("--ray needs Ray: pip install 'cairn-game[ray]'") from None
    ours = not ray.is_initialized()
    if ours:
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, ValueError) as error:
            raise ArenaError(f"no Ray cluster at {address}: {error}") from None
    try:
        processors = int(ray.cluster_resources().get("CPU", 1))
        yield from _Cluster(ray, settings).play(games, min(jobs or processors, len(games)))
    finally:
        if ours:
            ray.shutdown()


class _Cluster:
    """The seats on a cluster and what each is doing."""

    def __init__(self, ray: Any, settings: ArenaSettings) -> None:
        self._ray: Final = ray
        self._settings: Final = settings.to_json()
        # Spread: the games are all alike, so that every machine should get its share.
        self._actor: Final = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(RemoteSeat)
        self._running: Final[dict[Any, tuple[Any, Job]]] = {}
        self._lost = 0

    def play(self, games: Sequence[Job], jobs: int) -> Iterator[GameResult]:
        """Play the games, ``jobs`` at a time."""
        waiting = list(reversed(games))
        try:
            while self._running or waiting:
                while waiting and len(self._running) < jobs:
                    self._deal(self._sit(), waiting.pop())
                (done, *_), _ = self._ray.wait(list(self._running), num_returns=1)
                seat, job = self._running.pop(done)
                try:
                    finished = self._ray.get(done)
                except self._ray.exceptions.RayActorError as error:
                    # The others go on with what is left, since there may be no place for another seat.
                    jobs = max(1, len(self._running))
                    waiting.append(job)
                    self._count_loss(error)
                    continue
                except self._ray.exceptions.RayTaskError as error:
                    raise ArenaError(str(error.cause)) from None
                self._lost = 0
                if waiting:
                    self._deal(seat, waiting.pop())
                else:
                    self._ray.kill(seat)  # its worker ends with it, and its place is free
                yield GameResult.from_json(finished)
        finally:
            for seat, _ in self._running.values():
                self._ray.kill(seat)

    def _sit(self) -> Any:
        return self._actor.remote(self._settings)

    def _deal(self, seat: Any, job: Job) -> None:
        self._running[seat.play.remote(job.to_json())] = (seat, job)

    def _count_loss(self, error: Exception) -> None:
        self._lost += 1
        if self._lost > LOST_SEATS:
            raise ArenaError(f"one seat after the other is lost: {error}") from None
