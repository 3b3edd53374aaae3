"""Slows down a browser's pages, including their workers.

The DevTools command ``Emulation.setCPUThrottlingRate`` slows only the main thread of a page; a search in a worker still
runs at full speed. This throttle repeatedly pauses the whole process instead.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Final

from playwright.sync_api import Browser

SLICE: Final = 0.005
"""How long a process runs between two pauses, in seconds. A frame of 16 ms includes several pauses."""


def renderers(browser: Browser) -> list[int]:
    """The ids of the processes that run the pages and their workers."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return [process["id"] for process in processes if process["type"] == "renderer"]


@contextlib.contextmanager
def slowed(processes: list[int], factor: float) -> Iterator[None]:
    """Pause the processes after each slice, so that everything takes ``factor`` times as long."""
    done = threading.Event()

    def send(number: signal.Signals) -> None:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def throttle() -> None:
        while not done.is_set():
            began = time.monotonic()
            time.sleep(SLICE)
            send(signal.SIGSTOP)
            time.sleep((time.monotonic() - began) * (factor - 1))
            send(signal.SIGCONT)

    thread = threading.Thread(target=throttle)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
