"""The interface of a database engine, implemented for SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol, TypeAlias, TypeVar

import sqlalchemy as sa

from cairn.server.storage.engines.append import Append

DELETED: Final = -1
"""Announced as the revision of a game that was deleted or restored."""

Value = TypeVar("Value")
Work: TypeAlias = Callable[[sa.Connection], Value]
"""The body of a transaction. It may run on another thread, so it must use nothing but its connection. It must return
plain values, because the connection goes back to the pool afterwards."""


class Backend(Protocol):
    """An open database with an up-to-date schema."""

    @property
    def multi_process(self) -> bool:
        """Whether other processes may also write to the database."""

    @property
    def writers(self) -> int:
        """How many write transactions the engine can run at the same time."""

    @property
    def damage(self) -> str | None:
        """Damage to the database as a whole, found by a transaction or a check; ``None`` if none was found."""

    async def check_file(self, *, thorough: bool = False) -> str | None:
        """Check the database for damage, if it is a file. Returns ``damage``.

        With ``thorough``, indexes are also compared with their tables, which takes longer.
        """

    async def write(self, work: Work[Value]) -> Value:
        """Run a write transaction. It commits as a whole or not at all, even if the caller is cancelled.

        Raises :class:`~cairn.server.errors.OutcomeUnknownError` if the connection was lost during the commit. After any
        other :class:`~cairn.server.errors.StorageError`, nothing has been committed.
        """

    async def read(self, work: Work[Value]) -> Value:
        """Run a read-only transaction on one snapshot."""

    async def append(self, batch: Sequence[Append], unsure: bool) -> Sequence[bool]:
        """Store a batch of appends in one transaction. Returns, for each append, whether it is now stored.

        An append that does not continue its log is not stored. ``unsure`` means that some appends may already be
        stored; they are not stored twice.
        """

    def announce(self, connection: sa.Connection, changes: Iterable[tuple[str, int]]) -> None:
        """Notify other processes of these games' new revisions when this transaction commits."""

    def only_process(self, task: str) -> AbstractAsyncContextManager[bool]:
        """Keep other processes from doing a task during the block. Yields ``False`` if one is already doing it.

        If the connection is lost during the block, another process may start the task.
        """

    async def close(self) -> None:
        """Close all connections."""


def statements(*each: sa.Executable) -> Work[None]:
    """A transaction that runs these statements in order."""

    def run(connection: sa.Connection) -> None:
        for statement in each:
            connection.execute(statement)

    return run
