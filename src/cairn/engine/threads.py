"""Search threads. They are stopped when the program ends."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from typing import Final

from cairn.engine.stopper import Stopper

LAST_SECONDS: Final = 5.0
_searching: Final[dict[threading.Thread, Stopper]] = {}


def start_search(work: Callable[[], object], stopper: Stopper) -> threading.Thread:
    """Run ``work`` in a thread. ``stopper`` must be able to stop it."""

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
    """Stop all searches before the interpreter exits. Otherwise a thread in the core would crash the process."""
    for thread, stopper in list(_searching.items()):
        stopper.stop()
        thread.join(LAST_SECONDS)
