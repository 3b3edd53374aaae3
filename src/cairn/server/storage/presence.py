"""Process heartbeats, downtimes, and who is at which table in which process."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import sqlalchemy as sa

from cairn.server.game.header import OnlineTerms
from cairn.server.game.names import TribeName
from cairn.server.game.seats import SeatPlayer
from cairn.server.storage.engines.database import Database
from cairn.server.storage.ratings import seat_players
from cairn.server.storage.tables import downtimes, heartbeats, presences, standings
from cairn.vocabulary import Tribe

FRESH: Final = datetime.timedelta(seconds=5)
"""A process counts as dead if its last heartbeat is older than this."""
SHORTEST_DOWNTIME: Final = datetime.timedelta(seconds=1)
"""A gap between heartbeats counts as a downtime if it is at least this long. Normal gaps are up to half a second."""
FORGET_AFTER: Final = datetime.timedelta(days=7)
"""How long to keep the time at which a player left."""
FORGET_PROCESS_AFTER: Final = datetime.timedelta(days=1)

# These statements are built once, because every process stores up to four heartbeats a second.
_THIS: Final = heartbeats.c.process == sa.bindparam("this")
_LAST_BEAT: Final = sa.select(heartbeats.c.time).where(_THIS)
_BEAT: Final = heartbeats.update().where(_THIS).values(time=sa.bindparam("at"), wall=sa.bindparam("wall"))
_ADD_BEAT: Final = heartbeats.insert()
_LAST_OF_ALL: Final = sa.select(sa.func.max(heartbeats.c.time))
_PLACE_KEY: Final = [column.name for column in presences.primary_key]
_CLEAR_PLACE: Final = presences.delete().where(
    *[presences.c[name] == sa.bindparam(f"this_{name}") for name in _PLACE_KEY]
)
_ADD_PLACE: Final = presences.insert()
# Built once, because it runs whenever a socket is opened or closed.
_PRESENT: Final = (
    sa.select(presences.c.tribe)
    .join_from(presences, heartbeats, presences.c.process == heartbeats.c.process)
    .where(presences.c.game == sa.bindparam("game"), presences.c.left.is_(None))
    .where(presences.c.process != sa.bindparam("besides"), heartbeats.c.time > sa.bindparam("since"))
    .distinct()
)
_LAST_SEEN: Final = (
    sa.select(presences.c.left, heartbeats.c.time)
    .outerjoin_from(presences, heartbeats, presences.c.process == heartbeats.c.process)
    .where(presences.c.game == sa.bindparam("game"), presences.c.tribe == sa.bindparam("tribe"))
)


class Downtime(NamedTuple):
    """A period in which no process was alive, so no clock ran."""

    began: datetime.datetime
    ended: datetime.datetime


class Beat(NamedTuple):
    """A heartbeat."""

    time: datetime.datetime
    """The server's time, which never goes backwards."""
    wall: datetime.datetime | None
    """The wall-clock time; ``None`` if an older version stored the heartbeat."""


class PresenceRepository:
    """Stores live processes and present players. Every method may raise :class:`~cairn.server.errors.StorageError`."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    async def seat_players(self, online: OnlineTerms, at: datetime.datetime) -> dict[TribeName, SeatPlayer]:
        """The players of a game, with their current ratings."""
        ids = [seat.player for seat in online.seats.values()]
        found = await self._database.read(lambda connection: seat_players(connection, ids, at))
        return {tribe: found[seat.player] for tribe, seat in online.seats.items()}

    async def last_heartbeat(self) -> Beat | None:
        """The last heartbeat of any process."""
        last = sa.select(heartbeats.c.time, heartbeats.c.wall).order_by(heartbeats.c.time.desc()).limit(1)
        row = await self._database.read(lambda connection: connection.execute(last).first())
        return Beat(row.time, row.wall) if row else None

    async def begin(self, process: str, at: datetime.datetime, wall: datetime.datetime | None = None) -> list[Downtime]:
        """Register a process that is starting. Returns all downtimes, including one that has just ended."""

        def begin(connection: sa.Connection) -> list[Downtime]:
            # On SQLite, no other process can be alive, so even a short gap is a downtime.
            _note_downtime(connection, at, SHORTEST_DOWNTIME if self._database.multi_process else datetime.timedelta(0))
            _sweep(connection, at)
            connection.execute(_ADD_BEAT, {"process": process, "time": at, "wall": wall})
            return _downtimes(connection)

        return await self._database.write(begin)

    async def beat(
        self,
        process: str,
        at: datetime.datetime,
        noted: Mapping[tuple[str, Tribe], datetime.datetime | None] = MappingProxyType({}),
        wall: datetime.datetime | None = None,
    ) -> list[Downtime]:
        """Store the heartbeat of a process, and the players who have arrived at or left its tables.

        ``noted`` contains the time of each departure, and ``None`` for an arrival. Returns all downtimes if this
        heartbeat ends one, otherwise an empty list.
        """
        places = [
            {"game": game, "tribe": tribe.value, "process": process, "left": left}
            for (game, tribe), left in noted.items()
        ]

        def beat(connection: sa.Connection) -> list[Downtime]:
            last = connection.execute(_LAST_BEAT, {"this": process}).scalar()
            late = self._database.multi_process and last is not None and at - last >= SHORTEST_DOWNTIME
            if late:
                _note_downtime(connection, at, SHORTEST_DOWNTIME)
            changed = connection.execute(_BEAT, {"this": process, "at": at, "wall": wall})
            if changed.rowcount != 1:
                connection.execute(_ADD_BEAT, {"process": process, "time": at, "wall": wall})
            if places:
                _note_places(connection, places)
            return _downtimes(connection) if late else []

        return await self._database.write(beat)

    async def sweep(self, at: datetime.datetime) -> None:
        """Delete rows that are no longer needed: dead processes, presence in finished games, and old departures."""
        await self._database.write(lambda connection: _sweep(connection, at))

    async def present(self, game: str, besides: str, at: datetime.datetime) -> list[Tribe]:
        """The tribes whose players are connected to the game through live processes other than ``besides``."""
        if not self._database.multi_process:
            return []
        which = {"game": game, "besides": besides, "since": at - FRESH}
        tribes = await self._database.read(lambda connection: connection.execute(_PRESENT, which).scalars().all())
        return [Tribe(tribe) for tribe in tribes]

    async def last_seen(self, game: str, tribe: Tribe) -> datetime.datetime | None:
        """When a player was last at the table in any process; ``None`` if unknown.

        A player who has not left counts as present until the last heartbeat of their process.
        """
        which = {"game": game, "tribe": tribe.value}
        rows = await self._database.read(lambda connection: connection.execute(_LAST_SEEN, which).all())
        return max((time for row in rows if (time := row.left or row.time)), default=None)


def _note_downtime(connection: sa.Connection, at: datetime.datetime, shortest: datetime.timedelta) -> None:
    """Store a downtime if no process has stored a heartbeat for at least ``shortest``."""
    last = connection.execute(_LAST_OF_ALL).scalar()
    if last is not None and at - last >= shortest:
        # Another process may be storing the same downtime at the same time.
        with contextlib.suppress(sa.exc.IntegrityError), connection.begin_nested():
            connection.execute(downtimes.insert().values(began=last, ended=at))


def _note_places(connection: sa.Connection, places: Sequence[Mapping[str, object]]) -> None:
    """Replace the stored presence at these places."""
    connection.execute(_CLEAR_PLACE, [{f"this_{name}": each[name] for name in _PLACE_KEY} for each in places])
    connection.execute(_ADD_PLACE, places)


def _downtimes(connection: sa.Connection) -> list[Downtime]:
    rows = connection.execute(sa.select(downtimes).order_by(downtimes.c.began))
    return [Downtime(row.began, row.ended) for row in rows]


def _sweep(connection: sa.Connection, at: datetime.datetime) -> None:
    connection.execute(heartbeats.delete().where(heartbeats.c.time < at - FORGET_PROCESS_AFTER))
    alive = sa.select(heartbeats.c.process)
    over = sa.select(standings.c.game).where(standings.c.reason.is_not(None))
    stale = presences.c.process.not_in(alive) | (presences.c.left < at - FORGET_AFTER) | presences.c.game.in_(over)
    connection.execute(presences.delete().where(stale))
