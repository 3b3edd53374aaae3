"""``cairn serve``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


def serve(  # noqa: PLR0913, PLR0917  # each one is an option of the command line
    port: Annotated[
        int | None, typer.Option(min=1, max=65_535, help="The port; the default is 8765, or the next free one.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 allows other machines to connect.")
    ] = "127.0.0.1",
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder for games, instead of the default data folder.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", envvar="CAIRN_DATABASE", help="Store games in this database: postgresql://…"),
    ] = None,
    shared: Annotated[
        bool, typer.Option("--shared", help="A public server: players see only their own games.")
    ] = False,
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A host name of the server; can be repeated.")
    ] = None,
    proxies: Annotated[
        str, typer.Option(metavar="ADDRESSES", help="Trusted proxies, which may set the client address.")
    ] = "127.0.0.1",
    metrics_token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", envvar="CAIRN_METRICS_TOKEN", help="The token for reading the metrics."),
    ] = None,
    log_format: Annotated[str, typer.Option(metavar="text|json", help="The format of the log.")] = "text",
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the game in the browser.")] = True,
) -> None:
    """Start a server on this machine to play in the browser."""
    try:
        from cairn.server import serving
        from cairn.server.data import DataError, default_folder
        from cairn.server.settings import Settings
    except ModuleNotFoundError as error:
        complain(f"this command needs {error.name}: pip install cairn-game[serve]", 1)

    if log_format not in ("text", "json"):
        complain(f"--log-format must be text or json, not {log_format}", 2)
    folder = data or default_folder()
    settings = Settings(
        data=folder,
        database=database,
        shared=shared,
        hosts=frozenset(each.lower() for each in name or ()),
        proxies=proxies,
        metrics_token=metrics_token,
        log_format="json" if log_format == "json" else "text",
    )

    place = "the database" if database else folder

    def ready(address: str) -> None:
        if port is None and f":{serving.DEFAULT_PORT}/" not in address:
            typer.echo(f"Port {serving.DEFAULT_PORT} is in use, so Cairn uses the next free one.")
        typer.echo(f"Cairn is running at {address} (press Ctrl+C to stop). Games are stored in {place}.")
        if open_browser:
            _open(address)

    try:
        serving.serve(settings, host, port, ready)
    except (DataError, serving.ListenError) as error:
        complain(error, 1)


def _open(address: str) -> None:
    """Open a browser, unless it would run in this terminal."""
    import os
    import sys
    import threading
    import webbrowser

    has_screen = not sys.platform.startswith("linux") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME")
    )
    if has_screen:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
