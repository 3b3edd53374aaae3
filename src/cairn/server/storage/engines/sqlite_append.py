"""The fast path for appends to SQLite: a whole batch takes three statements on the raw connection.

With one statement per row, the writer thread would release and re-acquire the interpreter lock for each row. So the
rows are passed as JSON, and SQLite unpacks them. The result is exactly what SQLAlchemy would have stored.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

from cairn.server.storage.engines.append import PROJECTION_COLUMNS, Append, event_rows, fitting, projection_row
from cairn.server.storage.tables import events

_PROJECTION: Final = [column.name for column in PROJECTION_COLUMNS]


def _insert(columns: Iterable[str], table: str) -> str:
    """An INSERT of rows that are passed as one JSON list of lists."""
    names = list(columns)
    values = ", ".join(f"json_extract(value, '$[{number}]')" for number in range(len(names)))
    return f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM json_each(?) WHERE true"  # noqa: S608  # names


# One result row, not one per game: sqlite3 re-acquires the interpreter lock for each row.
_REVISIONS: Final = (
    "SELECT json_group_object(game, revision) FROM standings WHERE game IN (SELECT value FROM json_each(?))"
)
_ADD_EVENTS: Final = _insert([column.name for column in events.c], "events")
_MOVE: Final = (
    _insert(["game", "deleted", *_PROJECTION], "standings")
    + " ON CONFLICT (game) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _PROJECTION)
)


def append_batch(connection: sqlite3.Connection, batch: Sequence[Append]) -> list[bool]:
    """Store a batch in one transaction. Returns for each append whether it continued its log.

    Raises ``sqlite3.Error`` if that fails; nothing is stored then.
    """
    if connection.in_transaction:  # an earlier rollback failed
        connection.execute("ROLLBACK")
    connection.execute("BEGIN IMMEDIATE")
    try:
        ((found,),) = connection.execute(_REVISIONS, (json.dumps([append.game for append in batch]),))
        added = fitting(batch, json.loads(found))
        if added:
            moved = {append.game: append for append in added}  # only the last projection of each game counts
            connection.execute(_MOVE, (json.dumps([_projection_values(append) for append in moved.values()]),))
            connection.execute(_ADD_EVENTS, (json.dumps([row for append in added for row in _event_values(append)]),))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):  # the first error is the one that matters
                connection.execute("ROLLBACK")
        raise
    stored = set(added)
    return [append in stored for append in batch]


def _projection_values(append: Append) -> list[object]:
    return [append.game, False, *map(_plain, projection_row(append.projection).values())]


def _event_values(append: Append) -> list[list[object]]:
    return [[_plain(value) for value in row.values()] for row in event_rows(append)]


def _plain(value: object) -> object:
    """A value as SQLAlchemy would write it."""
    if isinstance(value, datetime.datetime):
        return _time(value)
    return json.dumps(value) if isinstance(value, dict) else value


@functools.lru_cache(1_024)  # each time is written at least twice
def _time(at: datetime.datetime) -> str:
    return at.astimezone(datetime.UTC).replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds")
