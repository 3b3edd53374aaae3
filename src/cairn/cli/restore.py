"""``cairn restore``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cairn.cli.screen import complain
from cairn.messages import t


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="cli.restore.file", show_default=False)],
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", help="cli.arg.data")] = None,
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
        complain(t("cli.needs-package", package=error.name, extra="serve"), 1)

    folder = data or default_folder()
    try:
        restored = asyncio.run(backup.restore(file, folder))
    except DataError as error:
        complain(error, 1)
    typer.echo(t("cli.restore.done", folder=folder, n=restored.games, file=file))
    for path in restored.kept:
        typer.echo(t("cli.restore.kept", path=path))
