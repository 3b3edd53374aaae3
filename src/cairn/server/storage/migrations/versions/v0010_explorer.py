"""Add the tables of the explorer: what was played at each moment, and how the megaliths performed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add empty tables. A running server fills them from the finished games in the background."""
    op.create_table(
        "explored_moves",
        sa.Column("look", sa.Text(), nullable=False),
        sa.Column("token", sa.String(20), nullable=False),
        sa.Column("variant", sa.String(20), nullable=False),
        sa.Column("rating_from", sa.Integer(), nullable=False),
        *_results(),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("rating_sum", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("look", "token", "variant", "rating_from"),
    )
    op.create_table(
        "explored_megaliths",
        sa.Column("megalith", sa.String(2), nullable=False),
        sa.Column("variant", sa.String(20), nullable=False),
        sa.Column("rating_from", sa.Integer(), nullable=False),
        sa.Column("offered", sa.Integer(), nullable=False),
        *_results(),
        sa.PrimaryKeyConstraint("megalith", "variant", "rating_from"),
    )
    op.create_table(
        "explored_games",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("variant", sa.String(20), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.PrimaryKeyConstraint("game"),
    )


def _results() -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer(), nullable=False) for name in ("won", "drawn", "lost")]
