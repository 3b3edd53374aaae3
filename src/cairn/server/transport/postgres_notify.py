"""Notifications between processes that share a PostgreSQL database, using LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Final

import asyncpg

from cairn.server.errors import ConnectionLostError
from cairn.server.storage.engines.backend import statements
from cairn.server.storage.engines.postgres import CHANNEL, Postgres, notification

KEEPALIVE_SECONDS: Final = 10.0


class PostgresChannel:
    """Implements :class:`~cairn.server.transport.process_hub.Channel`.

    Uses a dedicated connection that listens for notifications.
    """

    def __init__(self, postgres: Postgres) -> None:
        self._postgres: Final = postgres
        self._connection: asyncpg.Connection | None = None

    async def connect(self, heard: Callable[[str], None]) -> None:
        """Connect and start listening."""
        try:
            self._connection = await asyncpg.connect(**self._postgres.connect_arguments)
            await self._connection.add_listener(CHANNEL, lambda _connection, _process, _channel, text: heard(str(text)))
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            name = self._postgres.name
            raise ConnectionLostError(f"Cannot listen for notifications from the database {name}: {error}.") from None

    async def until_lost(self) -> None:
        """Return when the connection is lost. Probes it regularly, because a dead peer sends nothing."""
        connection = self._connection
        if connection is None:
            return
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        while not connection.is_closed():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(lost.wait(), KEEPALIVE_SECONDS)
                return
            try:
                await connection.execute("SELECT 1", timeout=KEEPALIVE_SECONDS)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                return

    def disconnect(self) -> None:
        """Close the connection without waiting for the database."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def notify(self, payloads: Sequence[str]) -> None:
        """Send notifications in a separate transaction."""
        await self._postgres.write(statements(notification(payloads)))
