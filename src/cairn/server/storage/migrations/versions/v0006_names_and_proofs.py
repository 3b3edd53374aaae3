"""Add the shapes of player names, so that nobody can register a look-alike, and the versions of proofs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from cairn.server.unicode.confusables import shapes

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add a table and a column. The column stays empty for existing games, whose proofs have version 1."""
    op.add_column("games", sa.Column("proof_version", sa.Integer))
    _add_name_shapes()


def _add_name_shapes() -> None:
    """Add the shapes of all names. A shape shared by several players belongs to the oldest one. No names change."""
    table = op.create_table(
        "name_shapes",
        sa.Column("shape", sa.String(200), primary_key=True),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
    )
    op.create_index("name_shapes_by_player", "name_shapes", ["player"])
    players = sa.table("players", *(sa.column(name) for name in ("id", "name", "created")))
    named = sa.select(players.c.id, players.c.name).where(players.c.name.is_not(None))
    owners: dict[str, str] = {}
    for row in op.get_bind().execute(named.order_by(players.c.created, players.c.id)):
        for shape in shapes(row.name):
            owners.setdefault(shape, row.id)
    op.bulk_insert(table, [{"shape": shape, "player": player} for shape, player in owners.items()])
