"""Add a hash chain over each log, the epochs of SQLite's write-ahead log, and a row for write probes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

from cairn.server.storage.chain import canonical, link, start_of, time_text

revision = "0007"
down_revision = "0006"

GAMES_AT_ONCE: Final = 200
EVENTS_AT_ONCE: Final = 2_000

_GAMES: Final = sa.table(
    "games",
    *(sa.column(name) for name in ("id", "variant", "start", "kind", "commitment")),
    *(sa.column(name) for name in ("forest_number", "sea_number", "first", "proof_version")),
    sa.column("created", sa.DateTime()),
    sa.column("seed", sa.LargeBinary()),
    sa.column("clock", sa.JSON()),
    sa.column("rated", sa.Boolean()),
)
_SEATS: Final = sa.table("seats", *(sa.column(name) for name in ("game", "tribe", "kind", "level", "player")))
_EVENTS: Final = sa.table(
    "events",
    *(sa.column(name) for name in ("game", "revision", "kind", "hash")),
    sa.column("data", sa.JSON()),
    sa.column("time", sa.DateTime()),
)
_STANDINGS: Final = sa.table("standings", sa.column("game"), sa.column("hash"))


def upgrade() -> None:
    """Add the columns and the tables, and compute the chain of every existing log, in batches."""
    for table in ("events", "standings"):
        op.execute(f"ALTER TABLE {table} ADD COLUMN hash VARCHAR(64) DEFAULT '' NOT NULL")
    op.create_table(
        "wal_epochs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("epoch", sa.String(32), nullable=False),
        sa.Column("previous", sa.String(32)),
    )
    op.create_table(
        "write_probes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("writes", sa.BigInteger, nullable=False),
    )
    op.execute("INSERT INTO write_probes (id, writes) VALUES (1, 0)")
    connection = op.get_bind()
    for games in _pages(connection):
        ids = [game.id for game in games]
        at_table: dict[str, list[Any]] = {game: [] for game in ids}
        for seat in connection.execute(sa.select(_SEATS).where(_SEATS.c.game.in_(ids))):
            at_table[seat.game].append(seat._mapping)
        heads = []
        for game in games:
            head = _fill(connection, game.id, start_of(game._mapping, at_table[game.id]))
            heads.append({"of_game": game.id, "new_hash": head})
        this = _STANDINGS.update().where(_STANDINGS.c.game == sa.bindparam("of_game"))
        connection.execute(this.values(hash=sa.bindparam("new_hash")), heads)


def _pages(connection: sa.Connection) -> Iterator[Sequence[sa.Row[Any]]]:
    """All games, one page at a time."""
    last = ""
    while True:
        some = sa.select(_GAMES).where(_GAMES.c.id > last).order_by(_GAMES.c.id).limit(GAMES_AT_ONCE)
        games = connection.execute(some).all()
        if not games:
            return
        yield games
        last = games[-1].id


def _fill(connection: sa.Connection, game: str, head: str) -> str:
    """Store the hashes of a log whose chain starts with the hash ``head``. Returns the last hash."""
    change = _EVENTS.update().where(
        _EVENTS.c.game == sa.bindparam("of_game"), _EVENTS.c.revision == sa.bindparam("of_revision")
    )
    last = 0
    while True:
        after = sa.select(_EVENTS).where(_EVENTS.c.game == game, _EVENTS.c.revision > last)
        rows = connection.execute(after.order_by(_EVENTS.c.revision).limit(EVENTS_AT_ONCE)).all()
        changes = []
        for row in rows:
            head = link(head, game, row.revision, row.kind, canonical(row.data), time_text(row.time))
            changes.append({"of_game": game, "of_revision": row.revision, "new_hash": head})
            last = row.revision
        if changes:
            connection.execute(change.values(hash=sa.bindparam("new_hash")), changes)
        if len(rows) < EVENTS_AT_ONCE:
            return head
