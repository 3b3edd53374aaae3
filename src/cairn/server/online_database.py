"""The online part of games in the database."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import sqlalchemy as sa

from cairn.server import ratings_database
from cairn.server.clocks import control_from_json, control_to_json
from cairn.server.identity_database import Transactions
from cairn.server.models import Seat, SeatPlayer, TribeName
from cairn.server.online_storage import SHORTEST_DOWNTIME, ChallengeGoneError, Online, OnlineSeat
from cairn.server.storage import GameQuery, Head
from cairn.server.tables import challenges, downtimes, games, heartbeats, players, presences, seats, standings
from cairn.vocabulary import Tribe

FRESH: Final = datetime.timedelta(seconds=5)
"""A process whose last heartbeat is older may be no more."""


def head_columns(head: Head) -> dict[str, object]:
    """What is stored of a head in ``games``, beside what every game has."""
    online = head.online
    if online is None:
        return {"kind": "local", "owner": head.owner}
    return {
        "kind": "online",
        "owner": head.owner,
        "clock": control_to_json(online.control),
        "rated": online.rated,
        "commitment": online.commitment.hex(),
        "forest_number": online.forest_number.hex(),
        "sea_number": online.sea_number.hex(),
        "first": online.first,
    }


def seat_columns(head: Head, tribe: TribeName) -> dict[str, object]:
    """What is stored of a seat. The name of a player who has one is kept with the player alone."""
    seat: Seat = getattr(head.seats, tribe)
    if head.online is None:
        return seat.model_dump()
    held = head.online.seats[tribe]
    return {"kind": seat.kind, "level": seat.level, "name": None, "player": held.player, "token_hash": held.token_hash}


@contextlib.contextmanager
def accepting(connection: sa.Connection, head: Head) -> Iterator[None]:
    """Accept the challenge that a game comes from, in the transaction that creates the game.

    First of all, so that of many who accept at the same time the others hear that it is gone.
    """
    if head.online is None or head.online.challenge is None:
        yield
        return
    this = challenges.c.id == head.online.challenge
    accepted = challenges.update().where(this, challenges.c.state == "open").values(state="accepted")
    if connection.execute(accepted).rowcount != 1:
        raise ChallengeGoneError
    yield
    connection.execute(challenges.update().where(this).values(game=head.id))


def heads() -> sa.Select[Any]:
    """Heads, with what only the challenge knows that a game comes from: who made it, and which tribe they chose."""
    columns = (standings.c.changed, standings.c.deleted, challenges.c.creator, challenges.c.tribe.label("chosen"))
    joined = games.join(standings).outerjoin(challenges, challenges.c.id == games.c.id)
    return sa.select(games, *columns).select_from(joined)


def seats_of(game: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The seats of games, with the names that their players have now."""
    named = sa.func.coalesce(players.c.name, seats.c.name).label("name")
    columns = [column for column in seats.c if column.name != "name"]
    return sa.select(*columns, named).outerjoin_from(seats, players, seats.c.player == players.c.id).where(game)


def online_of(row: sa.Row[Any], of_seats: Mapping[str, sa.Row[Any]]) -> Online | None:
    """The online part of a head, from its row and those of its seats."""
    if row.kind != "online":
        return None
    tribes: tuple[TribeName, TribeName] = ("forest", "sea")
    made = next((tribe for tribe in tribes if of_seats[tribe].player == row.creator), None)
    return Online(
        control=control_from_json(row.clock),
        rated=row.rated,
        commitment=bytes.fromhex(row.commitment),
        forest_number=bytes.fromhex(row.forest_number),
        sea_number=bytes.fromhex(row.sea_number),
        first=row.first,
        seats={tribe: OnlineSeat(of_seats[tribe].player, of_seats[tribe].token_hash) for tribe in tribes},
        tossed=None if row.chosen else made,
    )


def listed_for(query: GameQuery) -> sa.ColumnElement[bool]:
    """Whose games are listed: of online games only those that one sits in."""
    sits = sa.select(seats.c.game).where(seats.c.player == query.player) if query.player else None
    theirs = games.c.id.in_(sits) if sits is not None else sa.false()
    local = games.c.kind == "local"
    if query.own:
        local &= games.c.owner == query.player if query.player else sa.false()
    return local | theirs


class OnlineDatabase:
    """Keeps what online games need beside their logs: an :class:`~cairn.server.online_storage.OnlineStorage`."""

    def __init__(self, database: Transactions, *, several: bool = False) -> None:
        self._database: Final = database
        self._several: Final = several
        """Whether other processes use it, too."""

    async def people(self, online: Online, at: datetime.datetime) -> dict[TribeName, SeatPlayer]:
        """The players of a game, with the ratings that they have now."""
        ids = [seat.player for seat in online.seats.values()]
        found = await self._database.read(lambda connection: seat_players(connection, ids, at))
        return {tribe: found[seat.player] for tribe, seat in online.seats.items()}

    async def deadlines(self, before: int | None = None) -> list[tuple[str, int]]:
        """The running games in which somebody's time runs, and when it is up."""
        running = sa.select(standings.c.game, standings.c.deadline).where(
            standings.c.deadline.is_not(None), ~standings.c.deleted
        )
        if before is not None:
            running = running.where(standings.c.deadline < before)
        rows = await self._database.read(lambda connection: connection.execute(running).all())
        return [(row.game, row.deadline) for row in rows]

    async def begin(self, process: str, at: datetime.datetime) -> list[tuple[datetime.datetime, datetime.datetime]]:
        """A process of the server begins. All times in which none was alive, this one's beginning included."""
        old = at - datetime.timedelta(days=1)

        def begin(connection: sa.Connection) -> list[tuple[datetime.datetime, datetime.datetime]]:
            # Where only one process can be, this one begins after the other's end, however short the time between.
            _note_downtime(connection, at, SHORTEST_DOWNTIME if self._several else datetime.timedelta(0))
            connection.execute(heartbeats.delete().where(heartbeats.c.time < old))
            alive = sa.select(heartbeats.c.process)
            connection.execute(presences.delete().where(presences.c.process.not_in(alive)))
            connection.execute(heartbeats.insert().values(process=process, time=at))
            return _downtimes(connection)

        return await self._database.write(begin)

    async def beat(
        self,
        process: str,
        at: datetime.datetime,
        noted: Mapping[tuple[str, Tribe], datetime.datetime | None] = MappingProxyType({}),
    ) -> list[tuple[datetime.datetime, datetime.datetime]]:
        """A process is alive. In it players came to tables, or left them at those times.

        If its last beat is long ago, and other processes may have been away, too: all times in which none was alive.
        """
        this = heartbeats.c.process == process
        places = [
            {"game": game, "tribe": tribe.value, "process": process, "left": left}
            for (game, tribe), left in noted.items()
        ]

        def beat(connection: sa.Connection) -> list[tuple[datetime.datetime, datetime.datetime]]:
            last = connection.execute(sa.select(heartbeats.c.time).where(this)).scalar()
            late = self._several and last is not None and at - last >= SHORTEST_DOWNTIME
            if late:
                _note_downtime(connection, at, SHORTEST_DOWNTIME)
            changed = connection.execute(heartbeats.update().where(this).values(time=at))
            if changed.rowcount != 1:
                connection.execute(heartbeats.insert().values(process=process, time=at))
            if places:
                _note_places(connection, places)
            return _downtimes(connection) if late else []

        return await self._database.write(beat)

    async def present(self, game: str, besides: str, at: datetime.datetime) -> list[Tribe]:
        """The tribes whose players are at a table by sockets of other processes that live."""
        if not self._several:
            return []
        there = sa.select(presences.c.tribe).join_from(
            presences, heartbeats, presences.c.process == heartbeats.c.process
        )
        there = there.where(presences.c.game == game, presences.c.left.is_(None), presences.c.process != besides)
        there = there.where(heartbeats.c.time > at - FRESH).distinct()
        tribes = await self._database.read(lambda connection: connection.execute(there).scalars().all())
        return [Tribe(tribe) for tribe in tribes]

    async def last_seen(self, game: str, tribe: Tribe) -> datetime.datetime | None:
        """When a player was last at the table; who did not leave was there as long as the process lived."""
        there = sa.select(presences.c.left, heartbeats.c.time).outerjoin_from(
            presences, heartbeats, presences.c.process == heartbeats.c.process
        )
        there = there.where(presences.c.game == game, presences.c.tribe == tribe.value)
        rows = await self._database.read(lambda connection: connection.execute(there).all())
        return max((time for row in rows if (time := row.left or row.time)), default=None)


def _note_downtime(connection: sa.Connection, at: datetime.datetime, shortest: datetime.timedelta) -> None:
    """If no process was heard of for so long: none was alive until now."""
    last = connection.execute(sa.select(sa.func.max(heartbeats.c.time))).scalar()
    if last is not None and at - last >= shortest:
        # Another process may note it in the same moment.
        with contextlib.suppress(sa.exc.IntegrityError), connection.begin_nested():
            connection.execute(downtimes.insert().values(began=last, ended=at))


def _note_places(connection: sa.Connection, places: Sequence[Mapping[str, object]]) -> None:
    """Keep who came to which table, or left it and when, in place of what was known."""
    key = [column.name for column in presences.primary_key]
    this = [presences.c[name] == sa.bindparam(f"this_{name}") for name in key]
    connection.execute(
        presences.delete().where(*this), [{f"this_{name}": each[name] for name in key} for each in places]
    )
    connection.execute(presences.insert(), places)


def _downtimes(connection: sa.Connection) -> list[tuple[datetime.datetime, datetime.datetime]]:
    rows = connection.execute(sa.select(downtimes).order_by(downtimes.c.began))
    return [(row.began, row.ended) for row in rows]


def seat_players(connection: sa.Connection, ids: Collection[str], at: datetime.datetime) -> dict[str, SeatPlayer]:
    """Players as those at a table see them; nobody of them is there yet."""
    rows = connection.execute(sa.select(players).where(players.c.id.in_(ids))).all()
    rated = ratings_database.ratings_of(connection, ids)
    found = {}
    for row in rows:
        known = rated[row.id].now(at) if row.id in rated else None
        found[row.id] = SeatPlayer(
            id=row.id,
            kind=row.kind,
            name=row.name,
            rating=round(known.rating) if known else None,
            provisional=known is None or known.deviation > ratings_database.PROVISIONAL,
            online=False,
        )
    return found
