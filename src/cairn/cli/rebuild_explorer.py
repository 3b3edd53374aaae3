"""``cairn rebuild-explorer``."""

from __future__ import annotations

from pathlib import Path

import typer

from cairn.cli.arguments import DatabaseUrl, DataFolder
from cairn.cli.screen import complain
from cairn.messages import t


def rebuild_explorer(data: DataFolder = None, database: DatabaseUrl = None) -> None:
    """Build the explorer's tables again from all finished games.

    With PostgreSQL, the server may be running. With a data folder, stop the server first.
    """
    try:
        import asyncio

        from cairn.server.errors import DataError, StorageError
        from cairn.server.storage.data_folder import DATABASE, default_folder
    except ModuleNotFoundError as error:
        complain(t("cli.needs-package", package=error.name, extra="serve"), 1)

    folder = data or default_folder()
    if database is None and not (folder / DATABASE).exists():
        complain(t("cli.data.no-games", folder=folder), 1)
    try:
        games = asyncio.run(_rebuild(database or folder / DATABASE))
    except (DataError, StorageError) as error:
        complain(error, 1)
    typer.echo(t("cli.rebuild-explorer.done", n=games))


async def _rebuild(where: Path | str) -> int:
    """Rebuild the tables. Meanwhile, a data folder is locked; a shared database is not."""
    import contextlib

    from cairn.server.live.explorer import Explorer
    from cairn.server.live.server_time import ProcessClock
    from cairn.server.storage.data_folder import lock_folder
    from cairn.server.storage.engines.database import Database, folder_of
    from cairn.server.storage.games.repository import GameRepository

    folder = folder_of(where)
    with lock_folder(folder) if folder else contextlib.nullcontext():
        opened = await Database.open(where)
        try:
            return await Explorer(opened, GameRepository(opened), ProcessClock(), pause_factor=0).rebuild()
        finally:
            await opened.close()
