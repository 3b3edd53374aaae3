"""The engine below the games: transactions, and how other processes hear of them. The interface, and what is shared."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Final, Protocol

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from cairn.server.commits import Append
from cairn.server.data import DataError
from cairn.server.storage import OutcomeUnknownError

DELETED: Final = -1
"""Announced as the revision of a game that was deleted or restored."""


class Backend(Protocol):
    """An open database of the newest version."""

    @property
    def shared(self) -> bool:
        """Whether other processes may write to it, too."""

    @property
    def writers(self) -> int:
        """How many transactions that write are useful at the same time."""

    def writing(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that is committed in the end, or did not happen.

        :class:`~cairn.server.storage.OutcomeUnknownError` if the database did not say which; any other
        :class:`~cairn.server.storage.StorageError` if it did not happen.
        """

    def reading(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that only reads, and sees one state of the database."""

    async def append(self, batch: Sequence[Append]) -> list[bool] | None:
        """Store appends that need nothing beside, in one transaction; whether each fitted to the end of its log.

        ``None`` if there is no shorter way now than :meth:`writing`.
        """

    async def announce(self, connection: AsyncConnection, changes: Iterable[tuple[str, int]]) -> None:
        """Let other processes hear of games and their revisions, once this transaction is committed."""

    async def close(self) -> None:
        """Give back all connections."""


@contextlib.asynccontextmanager
async def transaction(engine: AsyncEngine, is_lost: Callable[[BaseException], bool]) -> AsyncIterator[AsyncConnection]:
    """A transaction, in which the end of the commit is told apart from everything before it."""
    async with engine.connect() as connection, connection.begin() as begun:
        yield connection
        try:
            await begun.commit()
        except (sa.exc.DBAPIError, OSError) as error:
            if not is_lost(error):
                raise
            raise OutcomeUnknownError from error


def database_url(text: str) -> sa.URL:
    """The address of a database, as people write it; :class:`~cairn.server.data.DataError` says what is wrong."""
    try:
        url = sa.make_url(text)
        kind = url.get_backend_name()
    except (sa.exc.ArgumentError, ValueError):
        raise DataError(
            "This is no address of a database. It looks like postgresql://name:password@host/database "
            "or sqlite:////folder/file.db."
        ) from None
    if kind == "sqlite" and url.database:
        return url
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql")
    raise DataError(f"Games can be kept in SQLite or PostgreSQL, not in {kind}.")
