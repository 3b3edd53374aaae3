"""Add games with their seats, logs and current states."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("variant", sa.String(20)),
        sa.Column("start", sa.String(300), nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("tribe", sa.String(10), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("level", sa.Integer),
        sa.Column("name", sa.String(60)),
    )
    op.create_table(
        "events",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("revision", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("time", sa.DateTime, nullable=False),
    )
    op.create_table(
        "standings",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("changed", sa.DateTime, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("position", sa.String(300), nullable=False),
        sa.Column("decider", sa.String(10)),
        sa.Column("winner", sa.String(10)),
        sa.Column("reason", sa.String(20)),
        sa.Column("waits_for_computer", sa.Boolean, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
    )
    op.create_index("standings_by_change", "standings", ["deleted", "changed"])
