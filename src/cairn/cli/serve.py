"""``cairn serve``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


def serve(  # noqa: PLR0913, PLR0917  # each one is a command-line option
    port: Annotated[
        int | None, typer.Option(min=1, max=65_535, help="The port. By default 8765, or the next free port.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on. 0.0.0.0 accepts connections from other machines.")
    ] = "127.0.0.1",
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder for the games, instead of your data folder.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", envvar="CAIRN_DATABASE", help="The database for the games: postgresql://…"),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="For a public server: each player sees only their own games.")
    ] = False,
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A host name for the server. Can be repeated.")
    ] = None,
    proxies: Annotated[
        str, typer.Option(metavar="ADDRESSES", help="Trusted proxies, which may set X-Forwarded-* headers.")
    ] = "127.0.0.1",
    metrics_token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", envvar="CAIRN_METRICS_TOKEN", help="A token for reading the metrics remotely."),
    ] = None,
    log_format: Annotated[str, typer.Option(metavar="text|json", help="The format of the log.")] = "text",
    traces: Annotated[
        bool | None,
        typer.Option(
            "--traces/--no-traces", help="Log the timing of commands in the data folder. By default only with --public."
        ),
    ] = None,
    speedups: Annotated[
        bool, typer.Option(envvar="CAIRN_SPEEDUPS", help="Use faster code that depends on library internals.")
    ] = True,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the game in a browser.")] = True,
) -> None:
    """Run a server, so that you can play in the browser."""
    try:
        from cairn.server.errors import DataError
        from cairn.server.run.listen import DEFAULT_PORT, ListenError
        from cairn.server.run.serve import serve as run_server
        from cairn.server.settings import Settings
        from cairn.server.storage.data_folder import default_folder
    except ModuleNotFoundError as error:
        complain(f"this command needs {error.name}: pip install cairn-game[serve]", 1)

    if log_format not in ("text", "json"):
        complain(f"--log-format must be text or json, not {log_format}", 2)
    folder = data or default_folder()
    settings = Settings(
        data=folder,
        database=database,
        public=public,
        hosts=frozenset(each.lower() for each in name or ()),
        proxies=proxies,
        metrics_token=metrics_token,
        log_format="json" if log_format == "json" else "text",
        traces=traces,
        speedups=speedups,
    )

    place = "the database" if database else folder

    def ready(address: str) -> None:
        if port is None and f":{DEFAULT_PORT}/" not in address:
            typer.echo(f"Port {DEFAULT_PORT} is in use by another program, so Cairn is using the next free port.")
        typer.echo(f"Cairn is running at {address} (Ctrl+C to stop). Games are stored in {place}.")
        if open_browser:
            _open(address)

    try:
        run_server(settings, host, port, ready)
    except (DataError, ListenError) as error:
        complain(error, 1)


def _open(address: str) -> None:
    """Open a browser, unless only a text browser in this terminal is available."""
    import os
    import sys
    import threading
    import webbrowser

    has_screen = not sys.platform.startswith("linux") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME")
    )
    if has_screen:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
