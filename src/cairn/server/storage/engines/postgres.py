"""The PostgreSQL engine, for several processes and machines.

Connections come from pools, which reconnect after an outage. A commit returns when the data is on disk. Notifications
to other processes are sent as part of the transaction.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from cairn.server.errors import (
    ConnectionLostError,
    DatabaseDamagedError,
    DataError,
    OutcomeUnknownError,
    StorageError,
    StorageFullError,
)
from cairn.server.storage import migrations
from cairn.server.storage.chain import canonical
from cairn.server.storage.engines.append import Append, append_batch
from cairn.server.storage.engines.backend import Value, Work

WRITERS: Final = 4
READERS: Final = 6
CONNECT_SECONDS: Final = 10
COMMAND_SECONDS: Final = 30
CHANNEL: Final = "cairn"
"""The channel that all processes listen on."""
_LOCK: Final = 0x63616972  # an arbitrary key
_SERVER_SETTINGS: Final = {
    "application_name": "cairn",
    "lock_timeout": "15000",
    "idle_in_transaction_session_timeout": "30000",  # a hung process must not keep locks
    "timezone": "UTC",
}
_LOST: Final = ("08", "57P")
"""Prefixes of the error codes for a lost connection or a database shutdown."""
_AGAIN: Final = ("40001", "40P01", "55P03")
"""Error codes for conflicts between transactions. Nothing was committed, and a retry may succeed."""


class Postgres:
    """Implements :class:`~cairn.server.storage.engines.backend.Backend` for a PostgreSQL database."""

    multi_process: Final = True

    def __init__(self, url: sa.URL, writers: int = WRITERS, readers: int = READERS) -> None:
        self.writers: Final = writers
        self.name: Final = name_of(url)
        self.damage: str | None = None
        self.origin: Final = secrets.token_hex(4)
        """Identifies the notifications that this process sends."""
        url = url.set(drivername="postgresql+asyncpg")
        arguments: dict[str, Any] = {
            "timeout": CONNECT_SECONDS,
            "command_timeout": COMMAND_SECONDS,
            "server_settings": _SERVER_SETTINGS,
        }
        pool: dict[str, Any] = {"max_overflow": 0, "pool_timeout": 20, "pool_recycle": 3_600}
        pool["json_serializer"] = canonical
        pool["hide_parameters"] = True  # errors must not contain parameters, which include seeds
        try:
            # One more connection than group commit uses, for all other writes.
            self._writer: Final = create_async_engine(url, pool_size=writers + 1, connect_args=arguments, **pool)
            self._readers: Final = create_async_engine(
                url, pool_size=readers, connect_args=arguments, isolation_level="REPEATABLE READ", **pool
            ).execution_options(postgresql_readonly=True)
            self._unpooled: Final = create_async_engine(
                url, poolclass=sa.NullPool, connect_args=arguments, isolation_level="AUTOCOMMIT", hide_parameters=True
            )
        except ModuleNotFoundError as error:
            raise DataError(f"PostgreSQL needs {error.name}: pip install cairn-game[serve]") from None
        for engine in (self._writer, self._readers):
            sa.event.listen(engine.sync_engine, "checkout", _require_open)
        _, connect = self._writer.dialect.create_connect_args(url)
        self.connect_arguments: Final[dict[str, Any]] = {
            **{name: value for name, value in connect.items() if not name.startswith("prepared_")},
            "timeout": CONNECT_SECONDS,
            "server_settings": _SERVER_SETTINGS,
        }
        """The arguments for connections outside the pools."""

    @classmethod
    async def open(
        cls, url: sa.URL, writers: int = WRITERS, readers: int = READERS, *, upgrade: bool = True
    ) -> Postgres:
        """Open the database, and create or migrate its tables if necessary.

        On failure, raises :class:`DataError` and leaves the database unchanged.
        """
        opened = cls(url, writers, readers)
        try:
            await opened.write(opened._migrate if upgrade else opened._require_newest)
        except StorageError as error:
            await opened.close()
            raise DataError(str(error)) from None
        except BaseException:
            await opened.close()
            raise
        return opened

    async def write(self, work: Work[Value]) -> Value:
        """Run a write transaction."""
        async with self._transaction() as connection:
            return await connection.run_sync(work)

    async def read(self, work: Work[Value]) -> Value:
        """Run a read-only transaction."""
        with self._translated_errors():
            async with self._readers.begin() as connection:
                return await connection.run_sync(work)

    async def append(self, batch: Sequence[Append], unsure: bool) -> Sequence[bool]:
        """Store a batch of appends in one transaction, with notifications to other processes."""
        async with self._transaction() as connection:
            added, stored = await connection.run_sync(append_batch, batch, unsure)
            await connection.run_sync(self.announce, [(each.game, each.stored_projection.revision) for each in added])
            return [each in stored for each in batch]

    async def check_file(self, *, thorough: bool = False) -> str | None:
        """Return the damage that transactions have found. PostgreSQL checks its own files."""
        return self.damage

    def announce(self, connection: sa.Connection, changes: Iterable[tuple[str, int]]) -> None:
        """Notify all processes when this transaction commits."""
        payloads = [f"{self.origin} {revision} {game}" for game, revision in changes]
        if payloads:
            connection.execute(notification(payloads))

    @contextlib.asynccontextmanager
    async def only_process(self, task: str) -> AsyncIterator[bool]:
        """Hold an advisory lock during the block, on a separate connection. Closing the connection releases it."""
        async with contextlib.AsyncExitStack() as stack:
            with self._translated_errors():
                connection = await stack.enter_async_context(self._unpooled.connect())
                lock = sa.func.pg_try_advisory_lock(_LOCK, sa.func.hashtext(task))
                alone = await connection.scalar(sa.select(lock))
            yield bool(alone)

    async def close(self) -> None:
        """Close all connections."""
        for engine in (self._readers, self._writer):
            with contextlib.suppress(sa.exc.DBAPIError, OSError):
                await engine.dispose()

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        """Open a write transaction that commits at the end of the block."""
        with self._translated_errors():
            async with self._writer.connect() as connection, connection.begin() as begun:
                yield connection
                # The outcome is unknown only if the connection is lost during the commit.
                try:
                    await begun.commit()
                except (sa.exc.DBAPIError, OSError) as error:
                    if not _is_lost(error):
                        raise
                    raise OutcomeUnknownError from error

    def _migrate(self, connection: sa.Connection) -> None:
        # If several processes start together, one migrates and the others wait.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        names = set(sa.inspect(connection).get_table_names())
        version = None
        if migrations.TABLE in names:
            version = migrations.version_in(connection)
        elif names:
            raise DataError(f"The database {self.name} contains tables from another program. Use an empty database.")
        migrations.require_known(version, f"The database {self.name}")
        if version != migrations.newest_version():
            migrations.upgrade(connection)

    def _require_newest(self, connection: sa.Connection) -> None:
        if migrations.TABLE not in sa.inspect(connection).get_table_names():
            raise DataError(f"The database {self.name} contains no games.")
        version = migrations.version_in(connection)
        migrations.require_known(version, f"The database {self.name}")
        if version != migrations.newest_version():
            older = f"The database {self.name} was written by an older version of Cairn"
            raise DataError(f"{older}. Start the server once to upgrade it.")

    @contextlib.contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Turn database errors into :class:`StorageError`."""
        try:
            yield
        except sa.exc.IntegrityError:
            raise
        except sa.exc.DBAPIError as error:
            problem = self._storage_error(error)
            if isinstance(problem, DatabaseDamagedError):
                self.damage = str(problem)
            raise problem from error
        except sa.exc.TimeoutError as error:
            raise StorageError("The database is too busy. Please try again.") from error
        except (OSError, TimeoutError) as error:
            raise ConnectionLostError(f"The database {self.name} is not responding: {_reason(error)}.") from error

    def _storage_error(self, error: sa.exc.DBAPIError) -> StorageError:
        code = _code(error)
        if code == "53100":
            return StorageFullError(f"The disk of the database {self.name} is full.")
        if code in _AGAIN:
            return ConnectionLostError("The database is too busy. Please try again.")
        if code in ("XX001", "XX002"):
            return DatabaseDamagedError(f"The database {self.name} is damaged: {_reason(error.orig)}.")
        if code == "25006":
            return StorageError(f"The database {self.name} is read-only.")
        if code == "53300":
            return ConnectionLostError(f"The database {self.name} does not accept any more connections.")
        if code in ("28P01", "28000", "3D000", "42501"):
            return StorageError(f"The database {self.name} cannot be used: {_reason(error.orig)}.")
        if _is_lost(error):
            return ConnectionLostError(f"The connection to the database {self.name} was lost: {_reason(error.orig)}.")
        return StorageError(f"The database {self.name} reported an error: {_reason(error.orig)}.")


def notification(texts: Sequence[str]) -> sa.Select[Any]:
    """A statement that sends these texts to all processes when the transaction commits."""
    payload = sa.func.unnest(sa.literal(list(texts), sa.ARRAY(sa.Text))).column_valued("payload")
    return sa.select(sa.func.pg_notify(CHANNEL, payload))


def name_of(url: sa.URL) -> str:
    """A database's name for messages, without the password."""
    host = url.host or url.query.get("host") or "this machine"
    return f"{url.database or url.username or ''} at {host if isinstance(host, str) else ', '.join(host)}"


def _require_open(connection: Any, record: object, proxy: object) -> None:
    """Reject a closed connection at check-out. The pool then opens a new one."""
    if connection.driver_connection.is_closed():
        raise sa.exc.DisconnectionError


def _is_lost(error: BaseException) -> bool:
    """Whether an error means that the connection was lost, so that the outcome is unknown."""
    if isinstance(error, sa.exc.DBAPIError):
        return (
            error.connection_invalidated or isinstance(error, sa.exc.InterfaceError) or _code(error).startswith(_LOST)
        )
    return isinstance(error, OSError)  # includes timeouts


def _code(error: sa.exc.DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")


def _reason(error: BaseException | None) -> str:
    """The first line of an error message, without a full stop."""
    cause = (error.__cause__ if error is not None else None) or error
    text = str(cause).strip().partition("\n")[0] or type(cause).__name__
    return text.rstrip(".")
