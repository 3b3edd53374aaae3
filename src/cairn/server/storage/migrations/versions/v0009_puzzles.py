"""Add attempts at puzzles, the ratings that follow from them, and reports about puzzles."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the tables. Existing reports are not about puzzles."""
    op.add_column("reports", sa.Column("puzzle", sa.String(8)))
    op.create_table("puzzle_ratings", sa.Column("puzzle", sa.String(8), primary_key=True), *_rated())
    player = sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True)
    op.create_table("solver_ratings", player, *_rated())
    op.create_table(
        "puzzle_attempts",
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("puzzle", sa.String(8), primary_key=True),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("time", sa.DateTime, nullable=False),
    )


def _rated() -> list[sa.Column[Any]]:
    return [
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("changed", sa.DateTime, nullable=False),
    ]
