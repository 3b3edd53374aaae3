"""``cairn admin``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cairn.cli.arguments import DatabaseUrl, DataFolder
from cairn.cli.screen import complain
from cairn.messages import has, t

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cairn.server.players.identity import Identity


def admin(
    name: Annotated[str, typer.Argument(metavar="NAME", help="cli.admin.name", show_default=False)],
    reset: Annotated[bool, typer.Option("--reset", help="cli.admin.reset")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="cli.admin.revoke")] = False,
    data: DataFolder = None,
    database: DatabaseUrl = None,
    address: Annotated[str, typer.Option(metavar="URL", help="cli.admin.address")] = "http://127.0.0.1:8765/",
) -> None:
    """Make an account an administrator, or reset a password.

    With PostgreSQL, the server may be running. With a data folder, stop the server first.
    """
    if reset and revoke:
        complain(t("cli.not-both", one="--reset", other="--revoke"), 2)
    try:
        import asyncio

        from cairn.server.errors import DataError, Refusal, StorageError
        from cairn.server.storage.data_folder import DATABASE, default_folder
    except ModuleNotFoundError as error:
        complain(t("cli.needs-package", package=error.name, extra="serve"), 1)

    folder = data or default_folder()
    if database is None and not (folder / DATABASE).exists():
        complain(t("cli.admin.no-games", folder=folder), 1)

    async def change(identity: Identity) -> str:
        if reset:
            made = await identity.issue_reset(name, "the command line")
            link = f"{address.rstrip('/')}/reset#{made.token}"
            return t("cli.admin.link", name=made.player.name, link=link)
        player = await identity.make_admin(name, not revoke, "the command line")
        return t("cli.admin.done", name=player.name, revoked="yes" if revoke else "no")

    try:
        typer.echo(asyncio.run(_with_identity(database or folder / DATABASE, change)))
    except Refusal as error:
        key = f"cli.refused.{error.kind}"
        complain(t(key) if has(key) else error, 1)
    except (DataError, StorageError) as error:
        complain(error, 1)


async def _with_identity(where: Path | str, change: Callable[[Identity], Awaitable[str]]) -> str:
    """Run ``change`` and return its message. Meanwhile, a data folder is locked; a shared database is not."""
    import contextlib

    from cairn.server.players.identity import Identity
    from cairn.server.players.limits import NO_LIMITS, Limiter
    from cairn.server.players.passwords import Passwords
    from cairn.server.storage.data_folder import lock_folder
    from cairn.server.storage.engines.database import Database, folder_of
    from cairn.server.storage.players.repository import PlayerRepository

    folder = folder_of(where)
    with lock_folder(folder) if folder else contextlib.nullcontext():
        opened = await Database.open(where)
        try:
            return await change(Identity(PlayerRepository(opened), Passwords(), Limiter(NO_LIMITS)))
        finally:
            await opened.close()
