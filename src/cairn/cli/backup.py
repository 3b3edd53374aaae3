"""``cairn backup``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file for the copy.", show_default=False)],
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder with the games, instead of your data folder.")
    ] = None,
) -> None:
    """Copy all games into one file. The server may be running.

    To restore, stop the server and run cairn restore.
    """
    try:
        from cairn.server.errors import DataError
        from cairn.server.storage.backup import copy_games
        from cairn.server.storage.data_folder import DATABASE, default_folder
    except ModuleNotFoundError as error:
        complain(f"this command needs {error.name}: pip install cairn-game[serve]", 1)

    try:
        count = copy_games((data or default_folder()) / DATABASE, file)
    except DataError as error:
        complain(error, 1)
    typer.echo(f"{file} contains {count} {'game' if count == 1 else 'games'}.")
