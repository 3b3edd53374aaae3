"""Add the wall-clock time of each heartbeat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column. It is empty for earlier heartbeats."""
    op.add_column("heartbeats", sa.Column("wall", sa.DateTime()))
