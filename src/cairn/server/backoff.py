"""Exponential back-off for retries."""

from __future__ import annotations

from collections.abc import Iterator


def backoff(shortest: float, longest: float) -> Iterator[float]:
    """The pauses between attempts, in seconds. Each is twice as long as the previous one, up to ``longest``.

    >>> pauses = backoff(0.1, 0.5)
    >>> [next(pauses) for _ in range(4)]
    [0.1, 0.2, 0.4, 0.5]
    """
    pause = shortest
    while True:
        yield pause
        pause = min(2 * pause, longest)
