"""Run work on a Ray cluster. Ray is optional: ``pip install cairn-game[ray]``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

MOST_RETRIES: Final = 3
"""How many times a task is run again after its machine was lost."""
PLACEMENT: Final[Mapping[str, Any]] = {"num_cpus": 1, "scheduling_strategy": "SPREAD"}
"""All tasks and actors need the same resources, so they are spread evenly over the machines."""

_Key = TypeVar("_Key")


class ClusterError(Exception):
    """There is no cluster to work on. The message is for people."""


@contextlib.contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to the cluster at ``address``, for example ``auto``, and yield the module ``ray``.

    A connection that exists already is used, and stays open.
    """
    try:
        import ray
    except ImportError:
        raise ClusterError("a Ray cluster needs Ray: pip install 'cairn-game[ray]'") from None
    ours = not ray.is_initialized()
    if ours:
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, ValueError) as error:
            raise ClusterError(f"no Ray cluster at {address}: {error}") from None
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()


def run_tasks(
    address: str, function: Callable[..., Any], calls: Mapping[_Key, tuple[Any, ...]]
) -> Iterator[tuple[_Key, Any]]:
    """Call ``function`` with each of these arguments on the cluster, and yield the results as they arrive.

    The package must be installed on every machine. A task whose machine is lost runs again on another one.
    """
    with connected(address) as ray:
        task = ray.remote(max_retries=MOST_RETRIES, **PLACEMENT)(function)
        running = {task.remote(*arguments): key for key, arguments in calls.items()}
        while running:
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            yield running.pop(done), ray.get(done)
