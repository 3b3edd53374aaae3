"""``cairn backup``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy is written.", show_default=False)],
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The games are there, and not in your own data folder.")
    ] = None,
) -> None:
    """Copy all games into one file; the server may run meanwhile. To restore, stop it and put the file in its place."""
    try:
        from cairn.server.errors import DataError
        from cairn.server.storage.backup import copy_games
        from cairn.server.storage.data_folder import DATABASE, default_folder
    except ModuleNotFoundError as error:
        complain(f"games in a database need {error.name}: pip install cairn-game[serve]", 1)

    try:
        count = copy_games((data or default_folder()) / DATABASE, file)
    except DataError as error:
        complain(error, 1)
    typer.echo(f"{file} holds {count} games.")
