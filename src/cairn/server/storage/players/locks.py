"""Serialize transactions that count a player's rows before adding one."""

from __future__ import annotations

import sqlalchemy as sa

from cairn.server.storage.tables import players


def lock_player(connection: sa.Connection, player: str) -> None:
    """Lock a player's row until the transaction ends. Waits for other transactions that hold the lock.

    Other transactions can still add rows that reference the player. On SQLite, which has one writer, nothing waits.
    """
    connection.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update(key_share=True))
