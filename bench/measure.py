"""Code shared by all contenders: rates per second of CPU time, and statistics of random games."""

from __future__ import annotations

import dataclasses
import importlib
import math
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

Batch = Callable[[], float]
"""Does a few milliseconds of work and returns the number of tokens or moves."""


def require(module: str, remedy: str) -> Any:
    """Import and return the module. Exit with a message if the import fails."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        sys.exit(f"{module} cannot be imported ({error}); {remedy}")


def random_choice(seed: int) -> Callable[[Sequence[Any]], Any]:
    """Return the function that both Python loops use to choose a legal move."""
    return random.Random(seed).choice


def rate(batch: Batch, seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """Tokens or moves per second of CPU time, measured for at least ``seconds`` seconds."""
    count = 0.0
    begin = clock()
    while (elapsed := clock() - begin) < seconds:
        count += batch()
    return count / elapsed


def busiest_thread() -> Callable[[], float]:
    """Return a clock for two threads that share the work: the CPU time of the busier one since now.

    On a machine with two idle cores, this is the wall-clock time. It does not count waiting for a busy core.
    """
    own, both = time.thread_time(), time.process_time()

    def clock() -> float:
        caller = time.thread_time() - own
        return max(caller, time.process_time() - both - caller)

    return clock


@dataclasses.dataclass(frozen=True)
class Tally:
    """Statistics of random games."""

    playouts: int
    moves: int
    moves_squared: int
    first_wins: int

    @property
    def length(self) -> float:
        """The average length of a game, in moves."""
        return self.moves / self.playouts

    @property
    def length_error(self) -> float:
        """The standard error of :attr:`length`."""
        return math.sqrt((self.moves_squared / self.playouts - self.length**2) / self.playouts)

    @property
    def first_share(self) -> float:
        """The share of games that the first player won."""
        return self.first_wins / self.playouts

    @property
    def first_share_error(self) -> float:
        """The standard error of :attr:`first_share`."""
        return math.sqrt(self.first_share * (1 - self.first_share) / self.playouts)
