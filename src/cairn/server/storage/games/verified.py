"""Read logs and verify their hash chains."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from cairn.server.errors import DamagedGameError, DatabaseDamagedError
from cairn.server.game.events import event_of
from cairn.server.game.log import LogPart
from cairn.server.game.names import TribeName
from cairn.server.storage.chain import canonical, link, start_of, time_text
from cairn.server.storage.games.rows import UNREADABLE, select_headers, select_seats
from cairn.server.storage.tables import events, games, seats, standings

_AS_STORED: Final = sa.select(
    events.c.revision, events.c.kind, sa.type_coerce(events.c.data, sa.Text).label("data"), events.c.time, events.c.hash
)
"""Select events with their data as the driver returns it: as text, or decoded."""
# These statements are built once, because every process reads each token that another process stores.
_THIS: Final = events.c.game == sa.bindparam("game")
_AFTER: Final = _AS_STORED.where(_THIS, events.c.revision > sa.bindparam("after")).order_by(events.c.revision)
_HASH: Final = sa.select(events.c.hash).where(_THIS, events.c.revision == sa.bindparam("revision"))
_HEADER: Final = select_headers().where(games.c.id == sa.bindparam("game"))
_SEATS: Final = select_seats(seats.c.game == sa.bindparam("game"))
_LAST: Final = sa.select(standings.c.revision, standings.c.hash).where(standings.c.game == sa.bindparam("game"))


class End(NamedTuple):
    """The end of a log, or of a part of it."""

    revision: int
    hash: str


class HeaderRows(NamedTuple):
    """The rows of a header."""

    game: sa.Row[Any]
    seats: Mapping[TribeName, sa.Row[Any]]

    @property
    def start(self) -> End:
        """The start of the log: no events yet, only the hash of the header."""
        return End(0, start_of(self.game._mapping, [seat._mapping for seat in self.seats.values()]))


@contextmanager
def reading(game: str) -> Iterator[None]:
    """Turn errors in the block into a :class:`DamagedGameError` for the game being read."""
    try:
        yield
    except (*UNREADABLE, DatabaseDamagedError) as error:
        raise DamagedGameError(game, f"it cannot be read: {error}") from error


def read_header(connection: sa.Connection, game: str) -> HeaderRows | None:
    """The header of a game; ``None`` if there is no such game."""
    row = connection.execute(_HEADER, {"game": game}).one_or_none()
    if row is None:
        return None
    return HeaderRows(row, {seat.tribe: seat for seat in connection.execute(_SEATS, {"game": game})})


def read_part(connection: sa.Connection, game: str, after: End, limit: int | None = None) -> tuple[LogPart, End]:
    """The verified events after a point in a log, and where they end. Raises :class:`DamagedGameError` on damage.

    If the events reach the end of the log, that end is also compared with the revision and hash in ``standings``.
    """
    statement = _AFTER if limit is None else _AFTER.limit(limit)
    rows = connection.execute(statement, {"game": game, "after": after.revision}).all()
    data, end = _verify(game, rows, after)
    if limit is None or len(rows) < limit:
        _compare(game, end, End(*connection.execute(_LAST, {"game": game}).one()))
    log = tuple(event_of(row.kind, each) for row, each in zip(rows, data, strict=True))
    return LogPart(log, tuple(row.time for row in rows)), end


def end_of(connection: sa.Connection, game: str, revision: int) -> End:
    """The stored hash at a revision of the log, unverified."""
    if revision:
        found = connection.execute(_HASH, {"game": game, "revision": revision}).scalar_one_or_none()
    else:
        header = read_header(connection, game)
        found = header.start.hash if header else None
    if found is None:
        raise DamagedGameError(game, f"revision {revision} is missing")
    return End(revision, found)


def _verify(game: str, rows: Sequence[Any], end: End) -> tuple[list[Any], End]:
    """Verify the hash chain of these events. Returns their data and the end of the chain."""
    (revision, before), found = end, []
    for row in rows:
        revision += 1
        if row.revision != revision:
            raise DamagedGameError(game, f"revision {revision} is missing")
        data = json.loads(row.data) if isinstance(row.data, str) else row.data
        if not _matches(game, row, before, data):
            what = "revision 1, or the header," if revision == 1 else f"revision {revision}"
            raise DamagedGameError(game, f"{what} does not match its hash")
        before = row.hash
        found.append(data)
    return found, End(revision, before)


def _matches(game: str, row: Any, before: str, data: Any) -> bool:
    """Whether the hash of an event is correct, given the previous hash."""
    time = time_text(row.time)
    # Text is already canonical, unless a version of Cairn without hash chains wrote it.
    if isinstance(row.data, str) and row.hash == link(before, game, row.revision, row.kind, row.data, time):
        return True
    return bool(row.hash == link(before, game, row.revision, row.kind, canonical(data), time))


def _compare(game: str, end: End, stored: End) -> None:
    if stored.revision != end.revision:
        raise DamagedGameError(game, f"the log has {end.revision} events, but {stored.revision} were stored")
    if stored.hash != end.hash:
        what = "the header or the last hash" if end.revision == 0 else "the last hash"
        raise DamagedGameError(game, f"{what} does not match the log")
