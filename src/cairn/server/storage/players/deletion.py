"""Delete players at their request, and guests who have never done anything.

Games are kept, because they also belong to the opponent. The player's row is kept too, without personal data.
"""

from __future__ import annotations

import datetime
from typing import Any, Final

import sqlalchemy as sa

from cairn.server.game.names import VariantName
from cairn.server.game.seats import Seat
from cairn.server.storage.players.rows import Forgotten
from cairn.server.storage.search_text import search_text
from cairn.server.storage.tables import (
    METADATA,
    challenges,
    games,
    messages,
    name_shapes,
    password_resets,
    players,
    puzzle_attempts,
    seats,
    sessions,
    solver_ratings,
)

BATCH_SIZE: Final = 500
"""How many guests to delete per transaction."""
DELETED_WITH_PLAYER: Final = (sessions, puzzle_attempts, solver_ratings)
"""Tables whose rows are deleted together with their player."""


def forget(connection: sa.Connection, player: str) -> Forgotten:
    """Delete the personal data of a player and their bots: names (even in local games), sessions, and chat."""
    bots = connection.execute(sa.select(players.c.id).where(players.c.owner == player))
    gone = [player, *bots.scalars()]
    anonymous = {"kind": "deleted", "name": None, "key": None, "password": None, "admin": False, "owner": None}
    for statement in (
        *(table.delete().where(table.c.player.in_(gone)) for table in DELETED_WITH_PLAYER),
        password_resets.delete().where(password_resets.c.player.in_(gone)),
        messages.delete().where(messages.c.player.in_(gone)),
        challenges.delete().where(
            challenges.c.creator.in_(gone) | challenges.c.opponent.in_(gone), challenges.c.state != "accepted"
        ),
        seats.update().where(seats.c.player.in_(gone)).values(token_hash=None),
        players.update().where(players.c.id.in_(gone)).values(**anonymous),
        name_shapes.delete().where(name_shapes.c.player.in_(gone)),
    ):
        connection.execute(statement)
    local = sa.select(games.c.id).where(games.c.owner.in_(gone), games.c.kind == "local")
    connection.execute(seats.update().where(seats.c.game.in_(local)).values(name=None))
    sat = sa.select(seats.c.game).where(seats.c.player.in_(gone))
    return Forgotten(gone, _update_search_text(connection, games.c.id.in_(local) | games.c.id.in_(sat)))


def _update_search_text(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[str]:
    """Rebuild the search text of these games. Returns their ids."""
    named = sa.func.coalesce(players.c.name, seats.c.name).label("name")
    joined = games.join(seats, seats.c.game == games.c.id).outerjoin(players, seats.c.player == players.c.id)
    found = sa.select(games.c.id, games.c.variant, seats.c.kind, seats.c.level, named).select_from(joined).where(which)
    at_table: dict[str, list[Seat]] = {}
    variants: dict[str, VariantName | None] = {}
    for row in connection.execute(found.order_by(games.c.id, seats.c.tribe)):
        at_table.setdefault(row.id, []).append(Seat(kind=row.kind, level=row.level, name=row.name))
        variants[row.id] = row.variant
    rows = [{"of_game": game, "new": search_text(pair, variants[game])} for game, pair in at_table.items()]
    if rows:
        this = games.update().where(games.c.id == sa.bindparam("of_game"))
        connection.execute(this.values(words=sa.bindparam("new")), rows)
    return list(at_table)


def sweep(connection: sa.Connection, before: datetime.datetime) -> int:
    """Delete a batch of unreferenced guests last seen before ``before``. Returns the number of deleted guests.

    Skips guests whose rows are locked by another transaction. The second query excludes guests who became active
    between the first query and the lock.
    """
    idle = players.c.kind == "guest"
    idle &= players.c.created < before
    idle &= ~sa.exists().where(sessions.c.player == players.c.id, sessions.c.seen >= before)
    for link in _links():
        idle &= ~sa.exists().where(link == players.c.id)
    some = sa.select(players.c.id).where(idle).limit(BATCH_SIZE).with_for_update(of=players, skip_locked=True)
    locked = list(connection.execute(some).scalars())
    still = sa.select(players.c.id).where(idle, players.c.id.in_(locked))
    found = list(connection.execute(still).scalars()) if locked else []
    if found:
        for table in DELETED_WITH_PLAYER:
            connection.execute(table.delete().where(table.c.player.in_(found)))
        connection.execute(players.delete().where(players.c.id.in_(found)))
    return len(found)


def _links() -> list[sa.ColumnElement[Any]]:
    """All columns that reference a player, except those in tables whose rows are deleted with the player."""
    found: list[sa.ColumnElement[Any]] = []
    for table in METADATA.sorted_tables:
        named = table.alias() if table is players else table  # bots reference their owners
        if table not in DELETED_WITH_PLAYER:
            found += [
                named.c[column.name]
                for column in table.c
                if any(key.column is players.c.id for key in column.foreign_keys)
            ]
    return found
