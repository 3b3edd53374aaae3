"""``cairn verify-database``."""

from __future__ import annotations

import typer

from cairn.cli.arguments import DatabaseUrl, DataFolder
from cairn.cli.screen import complain
from cairn.messages import t


def verify_database(
    data: DataFolder = None,
    database: DatabaseUrl = None,
) -> None:
    """Check that all stored games are intact. The server may be running.

    Checks the hash chain of each log, replays each game, and compares the results with the game lists and the ratings.
    Exit code: 0 if everything is intact, 1 if anything is damaged, 2 if the database cannot be read.
    """
    try:
        import asyncio

        from cairn.server.errors import DataError, StorageError
        from cairn.server.storage.backup import verifiable
        from cairn.server.storage.data_folder import DATABASE, default_folder
        from cairn.server.storage.verification import Verification
    except ModuleNotFoundError as error:
        complain(t("cli.needs-package", package=error.name, extra="serve"), 2)

    games = problems = 0

    async def verify() -> None:
        nonlocal games, problems
        async with verifiable(database or (data or default_folder()) / DATABASE) as opened:
            verification = Verification(opened)
            async for finding in verification.findings():
                problems += 1
                typer.echo(finding)
            games = verification.games

    try:
        asyncio.run(verify())
    except (DataError, StorageError) as error:
        complain(error, 1 if problems else 2)
    typer.echo(t("cli.verify-database.done", games=games, problems=problems))
    if problems:
        raise typer.Exit(1)
