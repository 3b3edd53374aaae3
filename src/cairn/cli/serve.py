"""``cairn serve``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain
from cairn.messages import t


def serve(  # noqa: PLR0913, PLR0917  # each one is a command-line option
    port: Annotated[int | None, typer.Option(min=1, max=65_535, metavar="N", help="cli.serve.port")] = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="cli.serve.host")] = "127.0.0.1",
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", help="cli.serve.data")] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", envvar="CAIRN_DATABASE", help="cli.serve.database"),
    ] = None,
    public: Annotated[bool, typer.Option("--public", help="cli.serve.public")] = False,
    name: Annotated[list[str] | None, typer.Option(metavar="NAME", help="cli.serve.name")] = None,
    proxies: Annotated[str, typer.Option(metavar="ADDRESSES", help="cli.serve.proxies")] = "127.0.0.1",
    metrics_token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", envvar="CAIRN_METRICS_TOKEN", help="cli.serve.metrics-token"),
    ] = None,
    log_format: Annotated[str, typer.Option(metavar="text|json", help="cli.serve.log-format")] = "text",
    traces: Annotated[
        bool | None,
        typer.Option("--traces/--no-traces", help="cli.serve.traces"),
    ] = None,
    speedups: Annotated[bool, typer.Option(envvar="CAIRN_SPEEDUPS", help="cli.serve.speedups")] = True,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="cli.serve.open")] = True,
) -> None:
    """Run a server, so that you can play in the browser."""
    try:
        from cairn.server.errors import DataError
        from cairn.server.run.listen import DEFAULT_PORT, ListenError
        from cairn.server.run.serve import serve as run_server
        from cairn.server.settings import Settings
        from cairn.server.storage.data_folder import default_folder
    except ModuleNotFoundError as error:
        complain(t("cli.needs-package", package=error.name, extra="serve"), 1)

    if log_format not in ("text", "json"):
        complain(t("cli.serve.bad-log-format", value=log_format), 2)
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

    place = t("cli.serve.the-database") if database else folder

    def ready(address: str) -> None:
        if port is None and f":{DEFAULT_PORT}/" not in address:
            typer.echo(t("cli.serve.next-port", port=DEFAULT_PORT))
        typer.echo(t("cli.serve.ready", address=address, place=place))
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
