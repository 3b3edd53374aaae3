"""``cairn restore``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file from cairn backup.", show_default=False)],
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder for the games, instead of your data folder.")
    ] = None,
) -> None:
    """Replace all games with those in a backup.

    Stop the server first. The backup is verified before anything changes, and the old files are kept.
    """
    try:
        import asyncio

        from cairn.server.errors import DataError
        from cairn.server.storage import backup
        from cairn.server.storage.data_folder import default_folder
    except ModuleNotFoundError as error:
        complain(f"this command needs {error.name}: pip install cairn-game[serve]", 1)

    folder = data or default_folder()
    try:
        restored = asyncio.run(backup.restore(file, folder))
    except DataError as error:
        complain(error, 1)
    typer.echo(f"{folder} now contains {restored.games} {'game' if restored.games == 1 else 'games'} from {file}.")
    for path in restored.kept:
        typer.echo(f"The old file is kept as {path}.")
