"""Serves the WebAssembly core and its workers to Chromium, with the security headers of the real server."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import uvicorn
from playwright.sync_api import Browser, Page

from cairn.server.web.middleware.guard import SecurityHeaders
from cairn.server.web.static import Pages
from harness.wasm.module import MODULE

HERE: Final = Path(__file__).parent
SOURCES: Final = (*sorted(MODULE.parent.glob("*.ts")), HERE / "replay.worker.ts", HERE / "page.ts")
START_PAGE: Final = '<!doctype html><meta charset="utf-8"><body>-<script type="module" src="/page.js"></script>\n'


def write_pages(folder: Path) -> None:
    """Write the module, the workers and the test page into a folder. Types are stripped; nothing is bundled."""
    node = Path(sys.executable).with_name("node")
    script = HERE / "strip_types.js"
    quiet = "--disable-warning=ExperimentalWarning"
    subprocess.run([str(node), quiet, str(script), str(folder), *map(str, SOURCES)], check=True)
    shutil.copy(MODULE, folder)
    (folder / "index.html").write_text(START_PAGE, encoding="utf-8")


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the folder as the real server serves its pages, and yield the address."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = SecurityHeaders(Pages(folder))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def open_page(browser: Browser, address: str) -> Page:
    """Open the test page and wait until the module is compiled. Raises ``RuntimeError`` if a script fails."""
    page = browser.new_page()
    page.goto(address)
    body = page.locator("body[data-state]")
    body.wait_for()
    if (state := body.get_attribute("data-state")) != "ready":
        raise RuntimeError(state)
    return page
