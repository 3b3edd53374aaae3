"""Seats on the machines of a Ray cluster. Ray is optional: ``pip install cairn-game[ray]``."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, Final

from cairn.arena.result import Result
from cairn.arena.settings import ArenaError, Job, Settings

LOST_SEATS: Final = 100
"""After so many lost machines something else is wrong."""


class RemoteSeat:
    """A seat on another machine: an actor of Ray's, which holds a worker process there."""

    def __init__(self, settings: dict[str, Any]) -> None:
        from cairn.arena.seat import Seat

        self._seat: Final = Seat(Settings.from_json(settings))

    def play(self, job: dict[str, Any]) -> dict[str, Any]:
        """Play a game."""
        return self._seat.play(Job.from_json(job)).to_json()

    def where(self) -> str:
        """The machine that it is on."""
        import ray

        return str(ray.get_runtime_context().get_node_id())

    def close(self) -> None:
        """End the worker."""
        self._seat.close()


def play_on_ray(
    settings: Settings, games: Sequence[Job], jobs: int | None, address: str
) -> Generator[Result, None, None]:
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

    def __init__(self, ray: Any, settings: Settings) -> None:
        self._ray: Final = ray
        self._settings: Final = settings.to_json()
        # Spread: the games are all alike, so that every machine should get its share.
        self._actor: Final = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(RemoteSeat)
        self._running: Final[dict[Any, tuple[Any, Job]]] = {}
        self._lost = 0

    def play(self, games: Sequence[Job], jobs: int) -> Iterator[Result]:
        """Play the games, ``jobs`` at a time."""
        waiting = list(reversed(games))
        seats = [self._sit() for _ in range(jobs)]
        try:
            for seat in seats:
                self._deal(seat, waiting)
            while self._running:
                (done, *_), _ = self._ray.wait(list(self._running), num_returns=1)
                seat, job = self._running.pop(done)
                try:
                    finished = self._ray.get(done)
                except self._ray.exceptions.RayActorError as error:
                    seat = self._replace(error)
                    waiting.append(job)
                except self._ray.exceptions.RayTaskError as error:
                    raise ArenaError(str(error.cause)) from None
                else:
                    yield Result.from_json(finished)
                self._deal(seat, waiting)
        finally:
            for seat, _ in self._running.values():
                self._ray.kill(seat)

    def _sit(self) -> Any:
        return self._actor.remote(self._settings)

    def _deal(self, seat: Any, waiting: list[Job]) -> None:
        if waiting:
            job = waiting.pop()
            self._running[seat.play.remote(job.to_json())] = (seat, job)
        else:
            seat.close.remote()

    def _replace(self, error: Exception) -> Any:
        self._lost += 1
        cause = getattr(error, "cause", None)
        if isinstance(cause, ArenaError) or self._lost > LOST_SEATS:
            raise ArenaError(str(cause or error)) from None
        return self._sit()
