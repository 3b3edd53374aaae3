"""Serves the pages as a static site, and provides a script that plays random moves there."""

from __future__ import annotations

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PATIENCE: Final = 120_000
"""How long a page may take to appear, in milliseconds."""

PLAY: Final = """([seed, pause]) => {
    let state = seed;
    const random = () => {  // mulberry32
        state = (state + 0x6d2b79f5) | 0;
        let bits = Math.imul(state ^ (state >>> 15), 1 | state);
        bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
        return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
    };
    const act = () => {
        const places = [...document.querySelectorAll('.play [data-pick][aria-disabled="false"]')]
            .filter((place) => place.dataset.pick !== 'deck');
        const buttons = [...document.querySelectorAll('.play .prompt button, section.end .main')];
        const choices = [...places, ...buttons];
        const chosen = choices[Math.floor(random() * choices.length)];
        chosen?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
        setTimeout(act, pause);
    };
    act();
}"""
"""Keeps clicking random choices, with ``pause`` milliseconds in between. Starts the next game when one ends."""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextlib.contextmanager
def static_site(folder: Path) -> Iterator[str]:
    """Serve a folder with Python's own file server, and yield the address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
