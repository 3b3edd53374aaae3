"""The tables of the database. Migrations make them; these definitions are for queries."""

from __future__ import annotations

import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Dialect


class UtcTime(sa.TypeDecorator[datetime.datetime]):
    """A time with its zone in Python, and without one, as UTC, in the database."""

    impl = sa.DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime.datetime | None, dialect: Dialect) -> datetime.datetime | None:
        """From Python to the database."""
        return value.astimezone(datetime.UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: datetime.datetime | None, dialect: Dialect) -> datetime.datetime | None:
        """From the database to Python."""
        return value.replace(tzinfo=datetime.UTC) if value else None


METADATA: Final = sa.MetaData()

games: Final = sa.Table(
    "games",
    METADATA,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("created", UtcTime, nullable=False),
    sa.Column("variant", sa.String(20)),
    sa.Column("start", sa.String(300), nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
)
"""Heads. ``words`` is what a search looks at."""

seats: Final = sa.Table(
    "seats",
    METADATA,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("tribe", sa.String(10), primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("level", sa.Integer),
    sa.Column("name", sa.String(60)),
)

events: Final = sa.Table(
    "events",
    METADATA,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("time", UtcTime, nullable=False),
)
"""The logs: rows are added and never changed."""

standings: Final = sa.Table(
    "standings",
    METADATA,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("changed", UtcTime, nullable=False),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("position", sa.String(300), nullable=False),
    sa.Column("decider", sa.String(10)),
    sa.Column("winner", sa.String(10)),
    sa.Column("reason", sa.String(20)),
    sa.Column("waits_for_computer", sa.Boolean, nullable=False),
    sa.Column("deleted", sa.Boolean, nullable=False, default=False),
    sa.Index("standings_by_change", "deleted", "changed"),
)
"""Where each log leads, and whether its game is shown in lists."""
