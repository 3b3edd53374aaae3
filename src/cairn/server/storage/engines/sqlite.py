"""The SQLite engine, for one process.

Only one connection writes, because some widely used versions of SQLite can corrupt the write-ahead log if there are
several writers. Four other connections only read. A commit returns when the data is on disk. Each transaction runs as
one call on a thread, so an open transaction never has to wait for the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVarTuple

import sqlalchemy as sa

from cairn.messages import t
from cairn.server.errors import (
    DatabaseDamagedError,
    DatabaseLockedError,
    DataError,
    StorageError,
    StorageFullError,
)
from cairn.server.meter import measured
from cairn.server.storage import migrations
from cairn.server.storage.chain import canonical
from cairn.server.storage.engines import sqlite_wal
from cairn.server.storage.engines.append import Append, append_batch
from cairn.server.storage.engines.backend import Value, Work
from cairn.server.storage.engines.sqlite_append import append_batch_fast
from cairn.server.storage.engines.sqlite_files import OpenFiles, make_private, refuse_hard_links

READERS: Final = 4
BUSY_MILLISECONDS: Final = 5_000
WAIT_SECONDS: Final = 60
"""How long a transaction waits for its turn."""
_MAGIC: Final = b"SQLite format 3\0"
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNDECODABLE: Final = "Could not decode to UTF-8"
"""The beginning of the message with which Python's sqlite3 module reports damaged text."""

Arguments = TypeVarTuple("Arguments")
_log: Final = logging.getLogger("cairn.server")


class Sqlite:
    """Implements :class:`~cairn.server.storage.engines.backend.Backend` for one SQLite file."""

    multi_process: Final = False
    writers: Final = 1

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self.damage: str | None = None
        self._files: Final = OpenFiles(path)
        writes = ["journal_mode = WAL", "synchronous = FULL", *sqlite_wal.PRAGMAS]
        self._writer: Final = _engine(self._connect_writer, path, 1, writes, "BEGIN IMMEDIATE")
        self._readers: Final = _engine(self._connect, path, READERS, ["query_only = ON"], "BEGIN")
        self._writing: Final = asyncio.Lock()
        self._closed = False
        self._connection: sqlite3.Connection | None = None
        """The writing connection."""
        self._checking: sqlite3.Connection | None = None
        """The connection used by the running file check, if any."""
        self._writes: Final = ThreadPoolExecutor(1, thread_name_prefix="cairn-writer")
        self._reads: Final = ThreadPoolExecutor(READERS, thread_name_prefix="cairn-reader")

    @classmethod
    async def open(cls, path: Path) -> Sqlite:
        """Open the file, and create or migrate its tables if necessary.

        On failure, raises :class:`DataError` and leaves the file unchanged.
        """
        refuse_hard_links(path)
        sqlite_wal.refuse_foreign_log(path)
        version = version_of(path)
        make_private(path)
        opened = cls(path)

        def prepare() -> None:
            copied = opened._copy_log()  # after a crash, there may be a log

            def migrate(connection: sa.Connection) -> None:
                if version != migrations.newest_version():
                    migrations.upgrade(connection)
                if copied:
                    sqlite_wal.begin_epoch(connection)

            opened._write(migrate)

        try:
            async with opened._exclusive_writer():
                await opened._on_writer(prepare)
        except StorageError as error:
            await opened.close()
            raise DataError(str(error)) from None
        except BaseException:
            await opened.close()
            raise
        return opened

    async def write(self, work: Work[Value]) -> Value:
        """Run a write transaction. A cancelled caller still waits for the commit or rollback."""
        async with self._exclusive_writer():
            return await self._on_writer(measured(self._write), work)

    async def append(self, batch: Sequence[Append], unsure: bool) -> Sequence[bool]:
        """Store a batch of appends: on the raw connection if there is no additional work, otherwise with SQLAlchemy."""
        async with self._exclusive_writer():
            raw = self._connection
            if raw and _is_open(raw) and not unsure and not any(each.along for each in batch):
                return await self._on_writer(append_batch_fast, raw, batch, self._files.check)
            _, stored = await self._on_writer(self._write, lambda connection: append_batch(connection, batch, unsure))
            return [each in stored for each in batch]

    async def read(self, work: Work[Value]) -> Value:
        """Run a read-only transaction."""
        return await self._on_reader(work, WAIT_SECONDS)

    async def check_file(self, *, thorough: bool = False) -> str | None:
        """Check the whole file for damage and return the first problem found. Does not block other transactions."""

        def check(connection: sa.Connection) -> str:
            self._checking = connection.connection.driver_connection
            try:
                kind = "integrity_check" if thorough else "quick_check"
                return str(connection.exec_driver_sql(f"PRAGMA {kind}(1)").scalar_one())
            finally:
                self._checking = None

        result = await self._on_reader(check, None)
        if result != "ok":
            self.damage = f"{self.path} is damaged: {result}."
        return self.damage

    def announce(self, connection: sa.Connection, changes: Iterable[tuple[str, int]]) -> None:
        """Do nothing, because no other process uses the file."""

    @contextlib.asynccontextmanager
    async def only_process(self, task: str) -> AsyncIterator[bool]:
        """Yield ``True``, because no other process uses the file."""
        yield True

    async def close(self) -> None:
        """Finish running transactions, then close all connections. Later calls fail."""
        self._closed = True
        if self._checking:
            self._checking.interrupt()  # checking a large file takes minutes
        async with self._writing:
            await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        """Close the readers, then the writer. The last connection to close checkpoints the write-ahead log."""
        for threads, engine in ((self._reads, self._readers), (self._writes, self._writer)):
            threads.shutdown()
            engine.dispose()

    async def _on_reader(self, work: Work[Value], seconds: float | None) -> Value:
        """Run a read-only transaction on a reader thread."""
        if self._closed:
            raise _closed()
        reading = asyncio.get_running_loop().run_in_executor(self._reads, measured(self._read), work)
        try:
            with self._translated_errors():
                async with asyncio.timeout(seconds):
                    return await reading
        except TimeoutError as error:
            raise _too_busy() from error

    @contextlib.asynccontextmanager
    async def _exclusive_writer(self) -> AsyncIterator[None]:
        """Get exclusive use of the writer thread, in order of arrival. Ends with a checkpoint if one is due."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._writing.acquire()
        except TimeoutError as error:
            raise _too_busy() from error
        try:
            if self._closed:
                raise _closed()
            with self._translated_errors():
                yield
                if self._files.log_bytes > sqlite_wal.CHECKPOINT_BYTES:
                    await self._on_writer(self._checkpoint)
        finally:
            self._writing.release()

    async def _on_writer(self, work: Callable[[*Arguments], Value], *arguments: *Arguments) -> Value:
        """Call a function on the writer thread. A cancelled caller still waits, because the connection is in use."""
        working = asyncio.get_running_loop().run_in_executor(self._writes, work, *arguments)
        cancelled: asyncio.CancelledError | None = None
        while not working.done():
            try:
                await asyncio.wait([working])
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled:
            working.exception()  # mark the error as retrieved
            raise cancelled
        return working.result()

    def _checkpoint(self) -> None:
        """Copy the write-ahead log into the file and begin a new epoch. Failures are only logged."""
        self._files.log_bytes = 0
        try:
            if self._copy_log():
                self._write(sqlite_wal.begin_epoch)
        except (sa.exc.DBAPIError, sqlite3.Error, StorageError) as error:  # the work itself has been committed
            _log.warning("cannot copy the write-ahead log into %s: %s", self.path, error)

    def _write(self, work: Work[Value]) -> Value:
        """Run a transaction. SQLite runs in this process, so a failed commit has stored nothing."""
        with self._writer.begin() as connection:
            done = work(connection)
            self._files.check()
            return done

    def _read(self, work: Work[Value]) -> Value:
        self._files.check()
        with self._readers.begin() as connection:
            return work(connection)

    def _copy_log(self) -> bool:
        """Copy the write-ahead log into the file. If this returns true, the caller must begin a new epoch."""
        with self._writer.connect():  # opens the connection if necessary
            raw = self._connection
        return raw is not None and not raw.in_transaction and sqlite_wal.checkpoint(raw)

    def _connect_writer(self) -> sqlite3.Connection:
        self._connection = self._connect()
        self._files.forget_log()
        return self._connection

    def _connect(self) -> sqlite3.Connection:
        """Open the existing file. If it has been moved, SQLite must not create a new one."""
        address = f"{self.path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        try:
            self._files.check(now=True)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextlib.contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Turn database errors into :class:`StorageError`."""
        try:
            yield
        except (sa.exc.IntegrityError, sqlite3.IntegrityError):
            raise
        except (sa.exc.DBAPIError, sqlite3.Error) as error:
            cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
            problem = _storage_error(self.path, cause)
            if getattr(cause, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
                self.damage = str(problem)
            raise problem from error


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        return connection.total_changes >= 0
    except sqlite3.ProgrammingError:
        return False


def _engine(
    connect: Callable[[], sqlite3.Connection], path: Path, connections: int, pragmas: Sequence[str], begin: str
) -> sa.Engine:
    """An engine with an explicit BEGIN. It controls where transactions start, and lets them include schema changes."""
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        creator=connect,
        pool_size=connections,
        max_overflow=0,
        json_serializer=canonical,
        hide_parameters=True,  # errors must not contain parameters, which include seeds
    )

    def connected(connection: Any, _: object) -> None:
        try:
            connection.isolation_level = None
            with contextlib.closing(connection.cursor()) as cursor:
                for pragma in (f"busy_timeout = {BUSY_MILLISECONDS}", "foreign_keys = ON", *pragmas):
                    cursor.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()  # the pool does not own it yet
            raise

    def begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    sa.event.listen(engine, "connect", connected)
    sa.event.listen(engine, "begin", begun)
    return engine


def version_of(path: Path) -> str | None:
    """The schema version of the file, or ``None`` if it is empty or missing. Changes nothing.

    Raises :class:`DataError` if the file is not a Cairn database.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            return None
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise DataError(t("cli.data.not-a-database", file=path))
        # Without a write-ahead log, the file is complete, and ``immutable`` avoids creating files next to it.
        way = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True)) as connection:
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not names:
                return None
            if migrations.TABLE not in names:
                raise DataError(t("cli.data.other-database", file=path))
            (version,) = connection.execute(migrations.VERSION).fetchone() or (None,)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None
    except sqlite3.Error as error:
        raise DataError(f"{path} cannot be read as a database: {error}.") from None
    migrations.require_known(version, str(path))
    return None if version is None else str(version)


def _too_busy() -> StorageError:
    return StorageError("The database is too busy. Please try again.")


def _closed() -> StorageError:
    return StorageError("The server is being shut down. Please try again in a moment.")


def _storage_error(path: Path, error: BaseException | None) -> StorageError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_FULL:
            return StorageFullError(f"The disk is full. Nothing more can be stored in {path.parent}.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StorageError(f"Games cannot be stored in {path.parent}: the folder or the file is read-only.")
        case sqlite3.SQLITE_IOERR:
            return StorageError(f"Nothing can be stored in {path.parent}: the disk may be full or damaged.")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DatabaseLockedError(f"Another program is using {path}. Please try again.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return DatabaseDamagedError(f"{path} is damaged: {error}.")
    if str(error).startswith(_UNDECODABLE):
        return DatabaseDamagedError(f"{path} is damaged: it contains text that is not valid UTF-8.")
    return StorageError(f"The database {path} reported an error: {error}.")
