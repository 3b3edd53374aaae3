"""The fast path for appends to SQLite: a whole batch takes three statements on the raw connection.

With one statement per row, the writer thread would release and re-acquire the interpreter lock for each row. So the
rows are passed as JSON, and SQLite unpacks them. The stored rows are exactly those that SQLAlchemy would have stored.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import operator
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cairn.server.game.events import data_of
from cairn.server.game.log import GameProjection
from cairn.server.storage.chain import canonical, link, time_text
from cairn.server.storage.engines.append import PROJECTION_COLUMNS, Append, fitting

_PROJECTION: Final = [column.name for column in PROJECTION_COLUMNS]
_values_of: Final[Callable[[GameProjection], tuple[object, ...]]] = operator.attrgetter(*_PROJECTION)


def _insert(columns: Iterable[str], table: str) -> str:
    """An INSERT statement whose rows are passed as one JSON list of lists."""
    names = list(columns)
    values = ", ".join(f"json_extract(value, '$[{number}]')" for number in range(len(names)))
    return f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM json_each(?) WHERE true"  # noqa: S608  # names


# A single result row for all games, because sqlite3 re-acquires the interpreter lock for each row.
_LAST: Final = (
    "SELECT json_group_object(game, json_array(revision, hash)) FROM standings"
    " WHERE game IN (SELECT value FROM json_each(?))"
)
_ADD_EVENTS: Final = _insert(["game", "revision", "kind", "data", "time", "hash"], "events")
_MOVE: Final = (
    _insert(["game", "deleted", "hash", *_PROJECTION], "standings")
    + " ON CONFLICT (game) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in ("hash", *_PROJECTION))
)


def append_batch_fast(
    connection: sqlite3.Connection, batch: Sequence[Append], before_commit: Callable[[], object] = lambda: None
) -> list[bool]:
    """Store a batch in one transaction. Returns, for each append, whether it continued its log and was stored.

    On failure, nothing is stored; raises ``sqlite3.Error`` or the error from ``before_commit``.
    """
    if connection.in_transaction:  # an earlier rollback failed
        connection.execute("ROLLBACK")
    connection.execute("BEGIN IMMEDIATE")
    try:
        ((found,),) = connection.execute(_LAST, (json.dumps([append.game for append in batch]),))
        last = json.loads(found)
        added = fitting(batch, {game: revision for game, (revision, _) in last.items()})
        if added:
            hashes, new_events = {game: end for game, (_, end) in last.items()}, list[list[object]]()
            for append in added:
                values, hashes[append.game] = _event_values(append, hashes[append.game])
                new_events += values
            moved = {append.game: append for append in added}  # keeps only the last projection of each game
            moves = [_projection_values(append, hashes[game]) for game, append in moved.items()]
            connection.execute(_MOVE, (json.dumps(moves),))
            connection.execute(_ADD_EVENTS, (json.dumps(new_events),))
        before_commit()
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):  # the first error is the one that matters
                connection.execute("ROLLBACK")
        raise
    stored = set(added)
    return [append in stored for append in batch]


def _projection_values(append: Append, last_hash: str) -> list[object]:
    values = _values_of(append.stored_projection)
    return [
        append.game,
        False,
        last_hash,
        *(time_text(value) if isinstance(value, datetime.datetime) else value for value in values),
    ]


def _event_values(append: Append, before: str) -> tuple[list[list[object]], str]:
    """The values of the new events, as SQLAlchemy would write them, and the last hash after them."""
    values = list[list[object]]()
    for game, revision, log, at in append.contents:
        time = time_text(at)
        for number, event in enumerate(log, start=revision):
            data = canonical(data_of(event))
            before = link(before, game, number, event.kind, data, time)
            values.append([game, number, event.kind, data, time, before])
    return values, before
