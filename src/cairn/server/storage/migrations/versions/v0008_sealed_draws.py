"""Add challenges that ask for sealed draws."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add a column. The draws of existing challenges are not sealed."""
    op.add_column("challenges", sa.Column("sealed", sa.Boolean, nullable=False, server_default=sa.false()))
