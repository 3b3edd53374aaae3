"""The engine below the games: transactions, and how other processes hear of them. The interface, and what is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, TypeAlias, TypeVar

import sqlalchemy as sa

from cairn.server.commits import Append
from cairn.server.data import DataError

DELETED: Final = -1
"""Announced as the revision of a game that was deleted or restored."""

Value = TypeVar("Value")
Work: TypeAlias = Callable[[sa.Connection], Value]
"""What is done in a transaction. It waits for nothing but the database, since others wait for it; it may run in another
thread, so it changes nothing of the server; and it returns values, for its connection is somebody else's then."""


def statements(*each: sa.Executable) -> Work[None]:
    """Some statements, one after the other."""

    def do(connection: sa.Connection) -> None:
        for statement in each:
            connection.execute(statement)

    return do


class Backend(Protocol):
    """An open database of the newest version."""

    @property
    def shared(self) -> bool:
        """Whether other processes may write to it, too."""

    @property
    def writers(self) -> int:
        """How many transactions that write are useful at the same time."""

    async def write(self, work: Work[Value]) -> Value:
        """Do something in a transaction that is committed in the end, or did not happen; for the cancelled, either.

        :class:`~cairn.server.storage.OutcomeUnknownError` if the database did not say which; any other
        :class:`~cairn.server.storage.StorageError` if it did not happen.
        """

    async def read(self, work: Work[Value]) -> Value:
        """Do something in a transaction that only reads, and sees one state of the database."""

    async def append(self, batch: Sequence[Append]) -> list[bool] | None:
        """Store appends that need nothing beside, in one transaction; whether each fitted to the end of its log.

        ``None`` if there is no shorter way now than :meth:`write`.
        """

    def announce(self, connection: sa.Connection, changes: Iterable[tuple[str, int]]) -> None:
        """Let other processes hear of games and their revisions, once this transaction is committed."""

    async def close(self) -> None:
        """Give back all connections."""


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
