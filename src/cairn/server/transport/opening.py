"""Open the hub that matches a database."""

from __future__ import annotations

from cairn.server.storage.engines.database import Database
from cairn.server.transport.hub import Hub
from cairn.server.transport.process_hub import ProcessHub


def open_hub(database: Database) -> Hub:
    """A hub for this process only or, if other processes may use the database, a hub that also reaches them."""
    if not database.multi_process:
        return Hub()
    # Imported late, because asyncpg is not needed for SQLite.
    from cairn.server.storage.engines.postgres import Postgres
    from cairn.server.transport.postgres_notify import PostgresChannel

    if not isinstance(database.backend, Postgres):
        raise TypeError(f"no multi-process hub for {type(database.backend).__name__}")
    return ProcessHub(PostgresChannel(database.backend), database.backend.origin)
