"""Add numbers to rows that may not exist yet."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite


def add_counts(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert these rows. If a row with the same primary key exists, add the other columns to it instead."""
    if rows:
        connection.execute(_statement(table, connection.dialect.name), list(rows))


@functools.cache  # the number of tables is small
def _statement(table: sa.Table, dialect: str) -> sa.Insert:
    adding: sqlite.Insert | postgresql.Insert
    adding = postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
    keys = [column.name for column in table.primary_key]
    sums = {column.name: column + adding.excluded[column.name] for column in table.columns if column.name not in keys}
    return adding.on_conflict_do_update(index_elements=keys, set_=sums)
