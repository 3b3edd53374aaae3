"""The database that repositories use: an engine, with group commit for the logs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from cairn.server.errors import DatabaseDamagedError, DataError
from cairn.server.storage.engines.backend import Backend, Value, Work, statements
from cairn.server.storage.engines.group_commit import GroupCommit
from cairn.server.storage.engines.sqlite import Sqlite
from cairn.server.storage.engines.sqlite_files import real_path
from cairn.server.storage.tables import write_probes


class Database:
    """An open database."""

    def __init__(self, backend: Backend) -> None:
        self.backend: Final = backend
        self.commits: Final = GroupCommit(backend)
        """The only way to append to logs."""

    @classmethod
    async def open(cls, where: Path | str, *, upgrade: bool = True) -> Database:
        """Open the database at a path or address, and create or migrate its tables if necessary.

        On failure, raises :class:`DataError` and leaves the database unchanged. Without ``upgrade``, it also fails if
        the tables on a database server would have to be migrated.
        """
        return cls(await _open_backend(where, upgrade))

    @property
    def multi_process(self) -> bool:
        """Whether other processes may also write to the database."""
        return self.backend.multi_process

    async def write(self, work: Work[Value]) -> Value:
        """Run a write transaction; see :meth:`Backend.write`."""
        return await self.backend.write(work)

    async def read(self, work: Work[Value]) -> Value:
        """Run a read-only transaction."""
        return await self.backend.read(work)

    async def execute(self, *each: sa.Executable) -> None:
        """Run some statements in one transaction."""
        await self.backend.write(statements(*each))

    async def prove_writable(self) -> None:
        """Write a row. Raises :class:`~cairn.server.errors.StorageError` if that fails."""
        # The value must change, because SQLite does not write unchanged rows.
        await self.execute(write_probes.update().values(writes=write_probes.c.writes + 1))
        if self.backend.damage:
            raise DatabaseDamagedError(self.backend.damage)

    def announce(self, connection: sa.Connection, changes: Iterable[tuple[str, int]]) -> None:
        """Notify other processes when this transaction commits."""
        self.backend.announce(connection, changes)

    async def close(self) -> None:
        """Finish pending appends, then close all connections."""
        await self.commits.close()
        await self.backend.close()


async def _open_backend(where: Path | str, upgrade: bool) -> Backend:
    file = file_of(where)
    if file:
        return await Sqlite.open(file)
    # Imported late, because asyncpg is not needed for SQLite.
    from cairn.server.storage.engines.postgres import Postgres

    return await Postgres.open(database_url(str(where)), upgrade=upgrade)


def file_of(where: Path | str) -> Path | None:
    """The database file, with a symbolic link resolved; ``None`` for a database server."""
    if isinstance(where, Path):
        return real_path(where)
    url = database_url(where)
    return real_path(Path(url.database or "")) if url.get_backend_name() == "sqlite" else None


def folder_of(where: Path | str) -> Path | None:
    """The folder of a database file; ``None`` for a database server."""
    file = file_of(where)
    return file.parent if file else None


def database_url(text: str) -> sa.URL:
    """Parse a database address. Raises :class:`DataError` if it is not valid."""
    try:
        url = sa.make_url(text)
        kind = url.get_backend_name()
    except (sa.exc.ArgumentError, ValueError):
        raise DataError(
            "Not a valid database address. Expected postgresql://name:password@host/database "
            "or sqlite:////folder/file.db."
        ) from None
    if kind == "sqlite" and url.database:
        return url
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql")
    raise DataError(f"Cairn stores games in SQLite or PostgreSQL, not in {kind}.")
