"""A word from another thread that ends a search, and is never lost; and searches that wait for each other."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final


class Stopper:
    """Ends one search. Told before the search has begun, it ends it as soon as it begins.

    >>> stopper = Stopper()
    >>> stopper.stop()
    >>> with stopper.calling(lambda: print("stopped")):
    ...     pass
    stopped
    """

    def __init__(self) -> None:
        # Re-entrant, since a forgotten stream may be collected, and stop, anywhere.
        self._lock: Final = threading.RLock()
        self._end: Callable[[], object] | None = None
        self.stopped_at: float | None = None
        """When it was told to stop, by ``time.monotonic``."""

    def stop(self) -> None:
        """End the search, or let it not get far. Any thread may call it, any number of times."""
        with self._lock:
            if self.stopped_at is None:
                self.stopped_at = time.monotonic()
                if self._end:
                    self._end()

    @contextlib.contextmanager
    def calling(self, end: Callable[[], object]) -> Iterator[None]:
        """While the search runs, a stop calls ``end``; one that came before calls it at once. Afterwards none does."""
        with self._lock:
            self._end = end
            if self.stopped_at is not None:
                end()
        try:
            yield
        finally:
            with self._lock:
                self._end = None


class OneAtATime:
    """Lets one search run, and the next one wait."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._stopper: Stopper | None = None

    @contextlib.contextmanager
    def running(self, stopper: Stopper | None = None) -> Iterator[None]:
        """Wait until no other search runs, then be the one that does."""
        with self._lock:
            self._stopper = stopper
            try:
                yield
            finally:
                self._stopper = None

    def stop_and_wait(self, seconds: float) -> None:
        """Stop the search that runs, and wait at most so long for its end."""
        if stopper := self._stopper:
            stopper.stop()
        if self._lock.acquire(timeout=seconds):
            self._lock.release()
