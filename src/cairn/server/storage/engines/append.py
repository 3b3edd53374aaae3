"""Append events to game logs: build the rows, and check that they continue the log."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

import sqlalchemy as sa

from cairn.server.game.events import Event, data_of
from cairn.server.game.log import GameProjection
from cairn.server.storage.chain import canonical, link, time_text
from cairn.server.storage.tables import events, standings

PROJECTION_COLUMNS: Final = [column for column in standings.c if column.name not in ("game", "deleted", "hash")]

# Built once, because they run for every batch. Rows are locked in a fixed order, so that two processes cannot deadlock.
_LAST: Final = (
    sa.select(standings.c.game, standings.c.revision, standings.c.hash)
    .where(standings.c.game.in_(sa.bindparam("games", expanding=True)))
    .order_by(standings.c.game)
    .with_for_update()
)
_MOVE: Final = standings.update().where(standings.c.game == sa.bindparam("of_game"))
_ADD: Final = events.insert()


@dataclasses.dataclass(eq=False, slots=True)
class Append:
    """Events to append to one log, and a future for the caller to await."""

    game: str
    revision: int
    """The revision of the first event."""
    log: Sequence[Event]
    projection: GameProjection
    along: Callable[[sa.Connection], None] | None = None
    """Additional work in the same transaction, such as updating ratings."""
    done: asyncio.Future[None] = dataclasses.field(default_factory=asyncio.Future)

    @property
    def content(self) -> tuple[str, int, Sequence[Event], datetime.datetime]:
        """The arguments of :func:`event_rows`."""
        return self.game, self.revision, self.log, self.projection.changed


def event_rows(game: str, revision: int, log: Sequence[Event], at: datetime.datetime) -> list[dict[str, object]]:
    """The rows for ``events``, without hashes."""
    return [
        {"game": game, "revision": number, "kind": event.kind, "data": data_of(event), "time": at}
        for number, event in enumerate(log, start=revision)
    ]


def chained_rows(
    game: str, revision: int, log: Sequence[Event], at: datetime.datetime, before: str
) -> tuple[list[dict[str, object]], str]:
    """The rows for ``events`` and the new last hash, given the last hash of the log before these events."""
    time, rows = time_text(at), event_rows(game, revision, log, at)
    for number, (row, event) in enumerate(zip(rows, log, strict=True), start=revision):
        row["hash"] = before = link(before, game, number, event.kind, canonical(row["data"]), time)
    return rows, before


def projection_row(projection: GameProjection) -> dict[str, object]:
    """The columns of ``standings`` that a projection fills."""
    return {column.name: getattr(projection, column.name) for column in PROJECTION_COLUMNS}


def fitting(batch: Iterable[Append], revisions: Mapping[str, int], stored: Collection[Append] = ()) -> list[Append]:
    """The appends that continue their logs, given the last revision of each game."""
    last = dict(revisions)
    found = []
    for append in batch:
        if append not in stored and last.get(append.game) == append.revision - 1:
            last[append.game] += len(append.log)
            found.append(append)
    return found


def append_batch(connection: sa.Connection, batch: Sequence[Append], unsure: bool) -> tuple[list[Append], set[Append]]:
    """Store a batch in this transaction. Returns the appends that this call stored, and all that are now stored."""
    found = connection.execute(_LAST, {"games": list({append.game for append in batch})}).all()
    revisions, hashes = {row.game: row.revision for row in found}, {row.game: row.hash for row in found}
    before = {append for append in batch if _is_stored(connection, append)} if unsure else set[Append]()
    added = fitting(batch, revisions, before)
    if added:
        new_events, moves = list[dict[str, object]](), list[dict[str, object]]()
        for each in added:
            rows, hashes[each.game] = chained_rows(*each.content, hashes[each.game])
            new_events += rows
            moves.append({"of_game": each.game, "hash": hashes[each.game], **projection_row(each.projection)})
        connection.execute(_MOVE, moves)
        if new_events:
            connection.execute(_ADD, new_events)
        for each in added:
            if each.along:
                each.along(connection)
    return added, before.union(added)


def _is_stored(connection: sa.Connection, append: Append) -> bool:
    """Whether exactly these events are already in the log."""
    last = append.revision + len(append.log) - 1
    between = (events.c.game == append.game) & events.c.revision.between(append.revision, last)
    rows = connection.execute(sa.select(events).where(between).order_by(events.c.revision))
    wanted = event_rows(*append.content)
    return bool(wanted) and wanted == [{name: row._mapping[name] for name in wanted[0]} for row in rows]
