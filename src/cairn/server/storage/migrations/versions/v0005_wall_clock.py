"""What the wall clock said at each heartbeat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column. Earlier heartbeats do not know it."""
    op.add_column("heartbeats", sa.Column("wall", sa.DateTime()))
