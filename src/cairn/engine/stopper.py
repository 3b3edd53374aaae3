"""A word from another thread that ends a search, and is never lost."""

from __future__ import annotations

import contextlib
import threading
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
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._stopped

    def stop(self) -> None:
        """End the search, or let it not get far. Any thread may call it, any number of times."""
        with self._lock:
            if not self._stopped:
                self._stopped = True
                if self._end:
                    self._end()

    @contextlib.contextmanager
    def calling(self, end: Callable[[], object]) -> Iterator[None]:
        """While the search runs, a stop calls ``end``; one that came before calls it at once. Afterwards none does."""
        with self._lock:
            self._end = end
            if self._stopped:
                end()
        try:
            yield
        finally:
            with self._lock:
                self._end = None
