"""``cairn export``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cairn.cli.arguments import DatabaseUrl, DataFolder
from cairn.cli.screen import choice, complain
from cairn.messages import t

if TYPE_CHECKING:
    from cairn.data.export import Writer


def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="cli.export.folder", show_default=False)],
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="cli.export.files", show_default=False)
    ] = None,
    wanted: Annotated[str, typer.Option("--format", metavar="parquet|cairn|both", help="cli.export.format")] = "both",
    names: Annotated[bool, typer.Option("--names", help="cli.export.names")] = False,
    data: DataFolder = None,
    database: DatabaseUrl = None,
) -> None:
    """Export finished games as open data: Parquet tables and game records.

    Exit code: 0 if all games were exported, 1 if damaged games were left out or nothing could be written, 2 if an
    argument is wrong or a package is missing.
    """
    from cairn.data.export import Format, writing
    from cairn.data.sources import ExportError, games_in

    kind = choice(Format, wanted, "--format")
    damaged = 0
    try:
        with writing(folder, kind, names=names) as writer:
            if files:
                for each in games_in(files, names=names):
                    writer.add(each)
            else:
                damaged = _export_database(writer, data, database, names)
    except ExportError as error:
        complain(error, 1)
    except ModuleNotFoundError as error:
        extra = "data" if (error.name or "").startswith("pyarrow") else "serve"
        complain(t("cli.needs-package", package=error.name, extra=extra), 2)
    typer.echo(t("cli.export.done", folder=folder, n=writer.games))
    if damaged:
        raise typer.Exit(1)


def _export_database(writer: Writer, data: Path | None, database: str | None, names: bool) -> int:
    """Write the games of a server, and return how many were left out because they are damaged."""
    import asyncio

    from cairn.data.database import finished_games
    from cairn.server.errors import DamagedGameError, DataError, StorageError
    from cairn.server.storage.data_folder import DATABASE, default_folder

    damaged = 0

    def report(error: DamagedGameError) -> None:
        nonlocal damaged
        damaged += 1
        typer.echo(t("cli.export.damaged", what=f"game {error.game}: {error.damage}"), err=True)

    async def write() -> None:
        async for each in finished_games(database or (data or default_folder()) / DATABASE, report, names=names):
            writer.add(each)

    try:
        asyncio.run(write())
    except (DataError, StorageError) as error:
        complain(error, 1)
    return damaged
