"""Repair the hash chains of stored games that a test has modified."""

from __future__ import annotations

import sqlalchemy as sa

from cairn.server.storage.games.verified import read_header
from cairn.server.storage.migrations.versions import v0007_hash_chain
from cairn.server.storage.tables import standings


def renew_chain(connection: sa.Connection, game: str) -> None:
    """Recompute the hash chain of a game after its rows have been changed."""
    header = read_header(connection, game)
    assert header is not None
    last = v0007_hash_chain._fill(connection, game, header.start.hash)
    connection.execute(standings.update().where(standings.c.game == game).values(hash=last))
