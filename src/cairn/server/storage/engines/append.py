"""Append events to game logs: build the rows, and check that they continue the log.

A decision may have to wait before it can be stored: for a connection, for a lock, or for the database to come back.
Nobody can see it during that time, so no clock may run. The pause for that time is stored in the same transaction as
the decision. Therefore no process ever sees the decision without the pause, even if the process that stored both is
killed.
"""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import sqlalchemy as sa

from cairn.server.game.clocks import milliseconds
from cairn.server.game.events import ClockPaused, Event, data_of, event_of
from cairn.server.game.log import GameProjection
from cairn.server.storage.chain import canonical, link, time_text
from cairn.server.storage.tables import events, standings

SLOW_COMMIT: Final = 1.0
"""No clock runs during a commit that takes at least this many seconds. Shorter delays are normal on a busy machine."""
PROJECTION_COLUMNS: Final = [column for column in standings.c if column.name not in ("game", "deleted", "hash")]

# These statements are built once, because they run for every batch. Rows are locked in a fixed order, so that two
# processes cannot deadlock.
_LAST: Final = (
    sa.select(standings.c.game, standings.c.revision, standings.c.hash)
    .where(standings.c.game.in_(sa.bindparam("games", expanding=True)))
    .order_by(standings.c.game)
    .with_for_update()
)
_MOVE: Final = standings.update().where(standings.c.game == sa.bindparam("of_game"))
_ADD: Final = events.insert()


class LatePause(NamedTuple):
    """A pause that is stored together with events that had to wait."""

    event: ClockPaused
    projection: GameProjection
    """The projection after the pause."""


@dataclasses.dataclass(eq=False, slots=True)
class Append:
    """Events to append to one log, and a future for the caller to await."""

    game: str
    revision: int
    """The revision of the first event."""
    log: Sequence[Event]
    projection: GameProjection
    """The projection after these events."""
    along: Callable[[sa.Connection], None] | None = None
    """Additional work in the same transaction, such as updating ratings."""
    clock: Callable[[], float] | None = None
    """Measures the wait in seconds; may be called on another thread. Without it, the wait is not given back."""
    began: float = 0.0
    """The time on that clock when the decision was made."""
    late: LatePause | None = None
    """The pause that follows the events, if they had to wait. The transaction sets it."""
    done: asyncio.Future[None] = dataclasses.field(default_factory=asyncio.Future)

    @property
    def content(self) -> tuple[str, int, Sequence[Event], datetime.datetime]:
        """The arguments of :func:`event_rows`, without the pause."""
        return self.game, self.revision, self.log, self.projection.changed

    @property
    def contents(self) -> list[tuple[str, int, Sequence[Event], datetime.datetime]]:
        """The arguments of :func:`event_rows`: for the events, and for the pause if there is one."""
        if self.late is None:
            return [self.content]
        after = self.late.projection
        return [self.content, (self.game, after.revision, [self.late.event], after.changed)]

    @property
    def stored_projection(self) -> GameProjection:
        """The projection after the events and the pause."""
        return self.late.projection if self.late else self.projection

    @property
    def waited(self) -> float:
        """How long the events have waited so far, in seconds; 0 if no player's clock is running."""
        return self.clock() - self.began if self.clock and self.projection.deadline is not None else 0.0

    def pause(self, seconds: float) -> None:
        """Give back the time that the events have waited."""
        decided = self.projection.changed
        now = decided + datetime.timedelta(seconds=seconds)
        self.add_pause(ClockPaused(milliseconds(now) - milliseconds(decided)), now)

    def add_pause(self, event: ClockPaused, at: datetime.datetime) -> None:
        """Add a pause after the events."""
        before, deadline = self.projection, self.projection.deadline
        if deadline is not None:
            deadline = max(deadline + event.milliseconds, milliseconds(at))
        after = dataclasses.replace(before, revision=before.revision + 1, changed=at, deadline=deadline)
        self.late = LatePause(event, after)


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
    """The values for the columns of ``standings`` that come from a projection."""
    return {column.name: getattr(projection, column.name) for column in PROJECTION_COLUMNS}


def fitting(batch: Iterable[Append], revisions: Mapping[str, int], stored: Collection[Append] = ()) -> list[Append]:
    """The appends that continue their logs, given each game's last revision. Those that had to wait get a pause."""
    last = dict(revisions)
    found = []
    for append in batch:
        if append not in stored and last.get(append.game) == append.revision - 1:
            append.late = None  # an earlier attempt may have set it and then failed
            if (waited := append.waited) >= SLOW_COMMIT:
                append.pause(waited)
            last[append.game] += len(append.log) + (append.late is not None)
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
            for content in each.contents:
                rows, hashes[each.game] = chained_rows(*content, hashes[each.game])
                new_events += rows
            moves.append({"of_game": each.game, "hash": hashes[each.game], **projection_row(each.stored_projection)})
        connection.execute(_MOVE, moves)
        if new_events:
            connection.execute(_ADD, new_events)
        for each in added:
            if each.along:
                each.along(connection)
    return added, before.union(added)


def _is_stored(connection: sa.Connection, append: Append) -> bool:
    """Whether exactly these events are already in the log. If so, set ``late`` to the pause that follows them."""
    after = append.revision + len(append.log)
    between = (events.c.game == append.game) & events.c.revision.between(append.revision, after)
    rows = connection.execute(sa.select(events).where(between).order_by(events.c.revision)).all()
    wanted = event_rows(*append.content)
    found = [{name: row._mapping[name] for name in wanted[0]} for row in rows[: len(wanted)]] if wanted else []
    if not wanted or wanted != found:
        return False
    append.late = None
    for row in rows[len(wanted) :]:
        event = event_of(row.kind, row.data)
        if isinstance(event, ClockPaused):
            append.add_pause(event, row.time)
    return True
