"""Allow at most one open rematch offer per game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Withdraw all but the first open offer for each game, then forbid more than one."""
    table = sa.table("challenges", *(sa.column(name) for name in ("id", "rematch_of", "state", "created")))
    earlier = table.alias("earlier")
    is_open = (table.c.state == "open") & table.c.rematch_of.is_not(None)
    before = (earlier.c.created < table.c.created) | (
        (earlier.c.created == table.c.created) & (earlier.c.id < table.c.id)
    )
    same = (earlier.c.rematch_of == table.c.rematch_of) & (earlier.c.state == "open") & before
    extra = sa.select(table.c.id).where(is_open, sa.exists().where(same))
    found = [row.id for row in op.get_bind().execute(extra)]
    op.execute(table.update().where(table.c.id.in_(found)).values(state="withdrawn"))
    condition = sa.text("state = 'open' AND rematch_of IS NOT NULL")
    op.create_index(
        "challenges_open_rematch",
        "challenges",
        ["rematch_of"],
        unique=True,
        sqlite_where=condition,
        postgresql_where=condition,
    )
