"""``cairn serve``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


def serve(
    port: Annotated[
        int | None, typer.Option(min=1, max=65_535, help="Listen there: by default on 8765, or the next free port.")
    ] = None,
    host: Annotated[str, typer.Option(help="Listen there; 0.0.0.0 lets other machines play too.")] = "127.0.0.1",
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the games there, and not in your own data folder.")
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the game in a browser.")] = True,
) -> None:
    """Play in the browser, from a server on this machine."""
    try:
        from cairn.server import serving
        from cairn.server.data import DataError, default_folder
        from cairn.server.settings import Settings
    except ModuleNotFoundError as error:
        complain(f"playing in the browser needs {error.name}: pip install cairn-game[serve]", 1)

    folder = data or default_folder()

    def ready(address: str) -> None:
        if port is None and f":{serving.DEFAULT_PORT}/" not in address:
            typer.echo(f"Port {serving.DEFAULT_PORT} is taken by another program, so Cairn takes the next free one.")
        typer.echo(f"Cairn is at {address} (Ctrl+C ends it). The games are kept in {folder}.")
        if open_browser:
            _open(address)

    try:
        serving.serve(Settings(data=folder), host, port, ready)
    except (DataError, serving.ListenError) as error:
        complain(error, 1)


def _open(address: str) -> None:
    """Open a browser, if there is one that would not take over the terminal."""
    import os
    import sys
    import threading
    import webbrowser

    has_screen = not sys.platform.startswith("linux") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME")
    )
    if has_screen:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
