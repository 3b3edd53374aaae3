"""Threads that search. None of them outlives the program, whatever it forgot to stop."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from typing import Final

from cairn.engine.stopper import Stopper

LAST_SECONDS: Final = 5.0
_searching: Final[dict[threading.Thread, Stopper]] = {}


def start_search(work: Callable[[], object], stopper: Stopper) -> threading.Thread:
    """Do the work, which ``stopper`` ends, in a thread."""

    def run() -> None:
        try:
            work()
        finally:
            _searching.pop(threading.current_thread(), None)

    thread = threading.Thread(target=run, name="cairn-search", daemon=True)
    _searching[thread] = stopper
    thread.start()
    return thread


@atexit.register
def _stop_all() -> None:
    """A thread inside the core must not be cut off with the interpreter: it would take the program down with it."""
    for thread, stopper in list(_searching.items()):
        stopper.stop()
        thread.join(LAST_SECONDS)
