"""How logs grow in SQLite: appends that wait together take a few statements, however many they are.

A statement for every row would pass Python's lock to and fro between two threads each time. So the rows travel as JSON,
and SQLite takes them apart itself. What it then holds is what SQLAlchemy would have written.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import json
import operator
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

from cairn.server.commits import Append
from cairn.server.events import data_of
from cairn.server.storage import Standing
from cairn.server.tables import events, standings

_STANDING: Final = [column.name for column in standings.c if column.name not in ("game", "deleted")]
_VALUES: Final = operator.attrgetter(*_STANDING)
_PLAIN: Final = (str, int, type(None))
"""What a standing holds beside times."""


def _rows_of(columns: Iterable[str], table: str) -> str:
    """Insert rows that come as a JSON list of lists."""
    names = list(columns)
    values = ", ".join(f"json_extract(value, '$[{number}]')" for number in range(len(names)))
    return f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM json_each(?) WHERE true"  # noqa: S608  # names


# One row: the module gives up the interpreter for each, and has to wait for it while others are busy.
_REVISIONS: Final = (
    "SELECT json_group_object(game, revision) FROM standings WHERE game IN (SELECT value FROM json_each(?))"
)
_ADD: Final = _rows_of([column.name for column in events.c], "events")
_MOVE: Final = (
    _rows_of(["game", "deleted", *_STANDING], "standings")
    + " ON CONFLICT (game) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _STANDING)
)


def append_together(connection: sqlite3.Connection, batch: Sequence[Append]) -> list[bool]:
    """Store appends in one transaction; whether each fitted to the end of its log.

    ``sqlite3.Error`` if nothing was stored.
    """
    if connection.in_transaction:  # an earlier one could not be rolled back
        connection.execute("ROLLBACK")
    connection.execute("BEGIN IMMEDIATE")
    try:
        ((found,),) = connection.execute(_REVISIONS, (json.dumps([append.game for append in batch]),))
        revisions: dict[str, int] = json.loads(found)
        fits = []
        moved: dict[str, Standing] = {}
        added: list[list[object]] = []
        for append in batch:
            fits.append(revisions.get(append.game) == append.revision - 1)
            if fits[-1]:
                revisions[append.game] += len(append.log)
                moved[append.game] = append.standing
                added += _events(append)
        if moved:
            connection.execute(_MOVE, (json.dumps([_standing(game, each) for game, each in moved.items()]),))
            connection.execute(_ADD, (json.dumps(added),))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):  # what went wrong first is what counts
                connection.execute("ROLLBACK")
        raise
    return fits


def _standing(game: str, standing: Standing) -> list[object]:
    """A row of ``standings``."""
    return [game, False, *(value if isinstance(value, _PLAIN) else _time(value) for value in _VALUES(standing))]


def _events(append: Append) -> list[list[object]]:
    """Rows of ``events``."""
    time = _time(append.standing.changed)
    return [
        [append.game, number, event.kind, json.dumps(data_of(event)), time]
        for number, event in enumerate(append.log, start=append.revision)
    ]


@functools.lru_cache(1_024)  # each is written down twice
def _time(at: datetime.datetime) -> str:
    return at.astimezone(datetime.UTC).replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds")
