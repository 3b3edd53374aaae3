"""Copy the built pages, deploy newer builds of them, and serve a static site with Python's own file server."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tests.e2e.server import PAGES, free_port

MAKE_SITE: Final = Path(__file__).parents[2] / "tools" / "make_site.py"
TEXTS: Final = (".html", ".js", ".json", ".css")


def copy_pages(folder: Path) -> Path:
    """Copy the built pages, without the compressed files, which :func:`deploy_next_build` does not update."""
    shutil.copytree(PAGES.parent, folder, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    return folder


def build_id(folder: Path) -> str:
    """The id of the build in a folder."""
    return str(json.loads((folder / "version.json").read_text("utf-8"))["build"])


def deploy_next_build(folder: Path) -> str:
    """Replace the build with one that has a different id and different asset names; return the new id."""
    old = build_id(folder)
    new = hashlib.sha256(old.encode()).hexdigest()[:16]
    assets = list((folder / "assets").iterdir())
    names = {path.name: f"{path.stem}2{path.suffix}" for path in assets}
    for path in folder.rglob("*"):
        if path.suffix in TEXTS:
            text = path.read_text("utf-8").replace(old, new)
            for before, after in names.items():
                text = text.replace(before, after)
            written = path.stat().st_mtime
            path.write_text(text, "utf-8")
            # Browsers revalidate by whole seconds. No real deployment follows another within a second.
            os.utime(path, (written + 2, written + 2))
    for path in assets:
        path.rename(path.with_name(names[path.name]))
    return new


class Site:
    """The output of ``make site``, in a subfolder of a plain file server that has no configuration for our pages."""

    def __init__(self, top: Path) -> None:
        self._top: Final = top / "www"
        self.folder: Final = self._top / "games" / "cairn"
        self.folder.parent.mkdir(parents=True)
        subprocess.run([sys.executable, str(MAKE_SITE), str(self.folder)], check=True)
        self._port: Final = free_port()
        self.address: Final = f"http://127.0.0.1:{self._port}/games/cairn"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the file server and wait until it accepts connections."""
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "http.server",
                str(self._port),
                "--bind",
                "127.0.0.1",
                "--directory",
                str(self._top),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port)).close()
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """Stop the file server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
