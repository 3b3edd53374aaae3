"""Serialize transactions that count a player's rows before adding one."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from cairn.server.storage.tables import players

_LOCK: Final = sa.select(players.c.id).where(players.c.id == sa.bindparam("player")).with_for_update(key_share=True)


def lock_player(connection: sa.Connection, player: str) -> None:
    """Lock a player's row until the transaction ends. Waits for other transactions that hold the lock.

    Other transactions can still add rows that reference the player. SQLite has only one writer, so nothing waits there.
    """
    connection.execute(_LOCK, {"player": player})
