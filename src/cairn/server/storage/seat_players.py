"""Players as the table shows them."""

from __future__ import annotations

import datetime
from collections.abc import Collection

import sqlalchemy as sa

from cairn.server.game.seats import SeatPlayer
from cairn.server.storage.ratings import PROVISIONAL, ratings_of
from cairn.server.storage.tables import players


def seat_players(connection: sa.Connection, ids: Collection[str], at: datetime.datetime) -> dict[str, SeatPlayer]:
    """These players with their current ratings. Presence is not known here, so ``online`` is false."""
    rows = connection.execute(sa.select(players).where(players.c.id.in_(ids))).all()
    rated = ratings_of(connection, ids)
    found = {}
    for row in rows:
        known = rated[row.id].now(at) if row.id in rated else None
        found[row.id] = SeatPlayer(
            id=row.id,
            kind=row.kind,
            name=row.name,
            rating=round(known.rating) if known else None,
            provisional=known is None or known.deviation > PROVISIONAL,
            online=False,
        )
    return found
