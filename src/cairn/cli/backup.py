"""``cairn backup``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain
from cairn.messages import t


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="cli.backup.file", show_default=False)],
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", help="cli.arg.data")] = None,
) -> None:
    """Copy all games into one file. The server may be running.

    To restore, stop the server and run cairn restore.
    """
    try:
        from cairn.server.errors import DataError
        from cairn.server.storage.backup import copy_games
        from cairn.server.storage.data_folder import DATABASE, default_folder
    except ModuleNotFoundError as error:
        complain(t("cli.needs-package", package=error.name, extra="serve"), 1)

    try:
        count = copy_games((data or default_folder()) / DATABASE, file)
    except DataError as error:
        complain(error, 1)
    typer.echo(t("cli.backup.done", file=file, n=count))
