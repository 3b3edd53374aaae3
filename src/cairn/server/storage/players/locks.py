"""Serializes transactions that count a player's rows before they add one."""

from __future__ import annotations

import sqlalchemy as sa

from cairn.server.storage.tables import players


def lock_player(connection: sa.Connection, player: str) -> None:
    """Wait for other transactions that hold this lock; the transaction keeps it until it ends.

    Rows that only reference the player can still be added. SQLite has one writer, so nothing has to wait there.
    """
    connection.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update(key_share=True))
