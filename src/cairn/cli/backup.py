"""``cairn backup``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.", show_default=False)],
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The data folder of the server, if not the default.")
    ] = None,
) -> None:
    """Copy all games into one file, even while the server is running.

    To restore a backup, stop the server and replace its database file with the copy.
    """
    try:
        from cairn.server.backup import copy_games
        from cairn.server.data import DATABASE, DataError, default_folder
    except ModuleNotFoundError as error:
        complain(f"this command needs {error.name}: pip install cairn-game[serve]", 1)

    try:
        count = copy_games((data or default_folder()) / DATABASE, file)
    except DataError as error:
        complain(error, 1)
    typer.echo(f"Copied {count} games to {file}.")
