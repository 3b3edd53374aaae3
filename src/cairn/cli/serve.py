"""``cairn serve``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


def serve(  # noqa: PLR0913, PLR0917  # each one is an option of the command line
    port: Annotated[
        int | None, typer.Option(min=1, max=65_535, help="Listen there: by default on 8765, or the next free port.")
    ] = None,
    host: Annotated[str, typer.Option(help="Listen there; 0.0.0.0 lets other machines play too.")] = "127.0.0.1",
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the games there, and not in your own data folder.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", envvar="CAIRN_DATABASE", help="Keep the games in that database: postgresql://…"),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Strangers use the server: each sees their own games.")
    ] = False,
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Players find the server under that name, too.")
    ] = None,
    proxies: Annotated[
        str, typer.Option(metavar="ADDRESSES", help="Proxies that may say for whom they ask.")
    ] = "127.0.0.1",
    metrics_token: Annotated[
        str | None, typer.Option(metavar="TOKEN", envvar="CAIRN_METRICS_TOKEN", help="Who has it may see the metrics.")
    ] = None,
    log_format: Annotated[str, typer.Option(metavar="text|json", help="How the log is written.")] = "text",
    speedups: Annotated[
        bool, typer.Option(envvar="CAIRN_SPEEDUPS", help="Use faster code that depends on internals of libraries.")
    ] = True,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the game in a browser.")] = True,
) -> None:
    """Play in the browser, from a server on this machine."""
    try:
        from cairn.server.errors import DataError
        from cairn.server.run.listen import DEFAULT_PORT, ListenError
        from cairn.server.run.serve import serve as run_server
        from cairn.server.settings import Settings
        from cairn.server.storage.data_folder import default_folder
    except ModuleNotFoundError as error:
        complain(f"playing in the browser needs {error.name}: pip install cairn-game[serve]", 1)

    if log_format not in ("text", "json"):
        complain(f"the log is written as text or json, not as {log_format}", 2)
    folder = data or default_folder()
    settings = Settings(
        data=folder,
        database=database,
        public=public,
        hosts=frozenset(each.lower() for each in name or ()),
        proxies=proxies,
        metrics_token=metrics_token,
        log_format="json" if log_format == "json" else "text",
        speedups=speedups,
    )

    place = "the database" if database else folder

    def ready(address: str) -> None:
        if port is None and f":{DEFAULT_PORT}/" not in address:
            typer.echo(f"Port {DEFAULT_PORT} is taken by another program, so Cairn takes the next free one.")
        typer.echo(f"Cairn is at {address} (Ctrl+C ends it). The games are kept in {place}.")
        if open_browser:
            _open(address)

    try:
        run_server(settings, host, port, ready)
    except (DataError, ListenError) as error:
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
