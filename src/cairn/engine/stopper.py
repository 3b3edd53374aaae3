"""Stop a search from another thread, and run one search at a time."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final


class Stopper:
    """Stops one search. If :meth:`stop` is called before the search starts, the search ends as soon as it starts.

    >>> stopper = Stopper()
    >>> stopper.stop()
    >>> with stopper.calling(lambda: print("stopped")):
    ...     pass
    stopped
    """

    def __init__(self) -> None:
        # Re-entrant, because the garbage collector may stop a stream at any point.
        self._lock: Final = threading.RLock()
        self._end: Callable[[], object] | None = None
        self.stopped_at: float | None = None
        """When the search was stopped, in ``time.monotonic`` time."""

    def stop(self) -> None:
        """Stop the search. Idempotent. Any thread may call this method."""
        with self._lock:
            if self.stopped_at is None:
                self.stopped_at = time.monotonic()
                if self._end:
                    self._end()

    @contextlib.contextmanager
    def calling(self, end: Callable[[], object]) -> Iterator[None]:
        """Call ``end`` when the search is stopped during the block, or immediately if it was stopped before."""
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
    """Runs one search at a time."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._stopper: Stopper | None = None

    @contextlib.contextmanager
    def running(self, stopper: Stopper | None = None) -> Iterator[None]:
        """Wait until no other search is running, then run the block."""
        with self._lock:
            self._stopper = stopper
            try:
                yield
            finally:
                self._stopper = None

    def stop_and_wait(self, seconds: float) -> None:
        """Stop the running search and wait at most ``seconds`` for it to end."""
        if stopper := self._stopper:
            stopper.stop()
        if self._lock.acquire(timeout=seconds):
            self._lock.release()
