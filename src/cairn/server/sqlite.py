"""SQLite in one file, for one process.

One connection writes, because several writers can damage the log of SQLite versions that are in wide use; others only
read. A commit returns when the disk has it. A transaction is one errand to a thread: whoever waits for the writer waits
for the database alone, and not for whatever else the server does between two statements.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from cairn.server import migrations
from cairn.server.backend import Value, Work
from cairn.server.commits import Append
from cairn.server.data import DataError
from cairn.server.sqlite_log import append_together
from cairn.server.storage import StorageError, StorageFullError

READERS: Final = 4
BUSY_MILLISECONDS: Final = 5_000
WAIT_SECONDS: Final = 60
"""So long one waits until others have written."""
_MAGIC: Final = b"SQLite format 3\0"


class Sqlite:
    """One SQLite file: a :class:`~cairn.server.backend.Backend`."""

    shared: Final = False
    writers: Final = 1

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._writer: Final = _engine(
            path, 1, ["journal_mode = WAL", "synchronous = FULL"], "BEGIN IMMEDIATE", made=self._made
        )
        self._readers: Final = _engine(path, READERS, ["query_only = ON"], "BEGIN")
        self._writing: Final = asyncio.Lock()
        self._closed = False
        self._connection: sqlite3.Connection | None = None
        """The one that writes."""
        self._writes: Final = ThreadPoolExecutor(1, thread_name_prefix="cairn-writer")
        self._reads: Final = ThreadPoolExecutor(READERS, thread_name_prefix="cairn-reader")

    @classmethod
    async def open(cls, path: Path) -> Sqlite:
        """The database in that file, made or brought up to date if need be.

        :class:`DataError` says why it cannot be used; the file is then as it was.
        """
        version = version_of(path)

        def bring_up_to_date(connection: sa.Connection) -> None:
            if version != migrations.newest_version():
                migrations.upgrade(connection)

        opened = cls(path)
        try:
            await opened.write(bring_up_to_date)
        except StorageError as error:
            await opened.close()
            raise DataError(str(error)) from None
        except BaseException:
            await opened.close()
            raise
        return opened

    async def write(self, work: Work[Value]) -> Value:
        """Do something in a transaction that is committed in the end, or did not happen.

        Whoever is cancelled meanwhile leaves when it is one or the other.
        """
        return await self._written(lambda: _within(self._writer, work))

    async def append(self, batch: Sequence[Append]) -> list[bool] | None:
        """Store appends in one transaction; whether each fitted. ``None`` if it has to be done by :meth:`write`."""

        def append() -> list[bool] | None:
            connection = self._connection
            return append_together(connection, batch) if connection and _is_open(connection) else None

        return await self._written(append)

    async def read(self, work: Work[Value]) -> Value:
        """Do something in a transaction that only reads."""
        if self._closed:
            raise _closed()
        reading = asyncio.get_running_loop().run_in_executor(self._reads, _within, self._readers, work)
        try:
            with _told(self.path):
                async with asyncio.timeout(WAIT_SECONDS):
                    return await reading
        except TimeoutError as error:
            raise _too_busy() from error

    def announce(self, connection: sa.Connection, changes: Iterable[tuple[str, int]]) -> None:
        """Nobody else is there."""

    async def close(self) -> None:
        """Finish what is being done; then close all connections. Who comes later hears that it is closed."""
        self._closed = True
        async with self._writing:
            await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        """The readers first: the last connection tidies up."""
        for threads, engine in ((self._reads, self._readers), (self._writes, self._writer)):
            threads.shutdown()
            engine.dispose()

    async def _written(self, store: Callable[[], Value]) -> Value:
        """What the thread that writes answers, once all who came before have written."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._writing.acquire()
        except TimeoutError as error:
            raise _too_busy() from error
        try:
            if self._closed:
                raise _closed()
            with _told(self.path):
                return await _to_its_end(asyncio.get_running_loop().run_in_executor(self._writes, store))
        finally:
            self._writing.release()

    def _made(self, *arguments: Any, **options: Any) -> sqlite3.Connection:
        self._connection = sqlite3.Connection(*arguments, **options)
        return self._connection


async def _to_its_end(storing: asyncio.Future[Value]) -> Value:
    """What a thread answers. Whoever is cancelled stays until it has, however often: the connection is its own."""
    cancelled: asyncio.CancelledError | None = None
    while not storing.done():
        try:
            await asyncio.wait([storing])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled:
        storing.exception()  # nobody else is to hear of it
        raise cancelled
    return storing.result()


def _within(engine: sa.Engine, work: Work[Value]) -> Value:
    """Do something in a transaction. The file is not at the other end of a line: a commit that fails did not happen."""
    with engine.begin() as connection:
        return work(connection)


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        return connection.total_changes >= 0
    except sqlite3.ProgrammingError:
        return False


def _engine(
    path: Path,
    connections: int,
    pragmas: Sequence[str],
    begin: str,
    made: Callable[..., sqlite3.Connection] = sqlite3.Connection,
) -> sa.Engine:
    """So many connections at most, ``made`` so. Transactions begin where we say, and hold changes of tables too."""
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        connect_args={"factory": made},
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,  # an error must not tell what was to be stored: seeds are among it
    )

    def connected(connection: Any, _: object) -> None:
        try:
            connection.isolation_level = None
            with contextlib.closing(connection.cursor()) as cursor:
                for pragma in (f"busy_timeout = {BUSY_MILLISECONDS}", "foreign_keys = ON", *pragmas):
                    cursor.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()  # the pool does not know it yet
            raise

    def begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    sa.event.listen(engine, "connect", connected)
    sa.event.listen(engine, "begin", begun)
    return engine


def version_of(path: Path) -> str | None:
    """The version of the database, or ``None`` if there is none yet; nothing is changed.

    :class:`DataError` if the file is not a database that we know.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            return None
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise DataError(f"{path} is not a database.")
        # Without a write-ahead log beside it the file is all there is; looking so leaves nothing beside it either.
        way = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True)) as connection:
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not names:
                return None
            if migrations.TABLE not in names:
                raise DataError(f"{path} is a database, but not one of Cairn.")
            (version,) = connection.execute(migrations.VERSION).fetchone() or (None,)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None
    except sqlite3.Error as error:
        raise DataError(f"{path} cannot be read as a database: {error}.") from None
    migrations.require_known(version, str(path))
    return None if version is None else str(version)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Errors of the database as sentences."""
    try:
        yield
    except (sa.exc.IntegrityError, sqlite3.IntegrityError):
        raise
    except sa.exc.DBAPIError as error:
        raise _storage_error(path, error.orig) from error
    except sqlite3.Error as error:
        raise _storage_error(path, error) from error


def _too_busy() -> StorageError:
    return StorageError("The database is too busy. Please try again.")


def _closed() -> StorageError:
    return StorageError("The server is being shut down. Please try again in a moment.")


def _storage_error(path: Path, error: BaseException | None) -> StorageError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_FULL:
            return StorageFullError(f"The disk is full: nothing more can be stored in {path.parent}.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StorageError(f"The games in {path.parent} cannot be written: the folder or the file is read-only.")
        case sqlite3.SQLITE_IOERR:
            return StorageError(f"The disk does not store anything in {path.parent}; it may be full or damaged.")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StorageError(f"Another program uses {path}. Please try again.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return StorageError(f"{path} is damaged.")
    return StorageError(f"The database {path} does not work: {error}.")
