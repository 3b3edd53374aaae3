"""Add players, sessions, password resets and reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add tables. Existing data does not change."""
    op.create_table(
        "players",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("name", sa.String(40)),
        sa.Column("key", sa.String(80)),
        sa.Column("password", sa.String(200)),
        sa.Column("owner", sa.String(40), sa.ForeignKey("players.id")),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("admin", sa.Boolean, nullable=False),
        sa.Column("muted", sa.Boolean, nullable=False),
    )
    op.create_index("players_by_key", "players", ["key"], unique=True)
    op.create_index("players_by_owner", "players", ["owner"])
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("label", sa.String(60)),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("seen", sa.DateTime, nullable=False),
    )
    op.create_index("sessions_by_player", "sessions", ["player"])
    op.create_table(
        "password_resets",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("expires", sa.DateTime, nullable=False),
    )
    op.create_index("password_resets_by_player", "password_resets", ["player"])
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id")),
        sa.Column("by", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("about", sa.String(40), sa.ForeignKey("players.id")),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
    )
    op.create_index("reports_by_time", "reports", ["created"])
    op.create_index("reports_by_reporter", "reports", ["by"])
