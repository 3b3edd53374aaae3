"""The game repository. A game has a header, which never changes, and a log of events, which only grows."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Collection, Sequence
from typing import Final

import sqlalchemy as sa

from cairn.server.errors import ChallengeGoneError
from cairn.server.game.events import BOARD_KINDS, Event, event_of
from cairn.server.game.header import GameHeader
from cairn.server.game.log import GameProjection, LogPart, StoredGame
from cairn.server.storage import ratings
from cairn.server.storage.engines.append import Append, event_rows, projection_row
from cairn.server.storage.engines.backend import DELETED
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.listing import GameQuery, ListedGame, count_games, list_games, matches
from cairn.server.storage.games.rows import header_of, header_row, seat_rows, select_headers, select_seats
from cairn.server.storage.tables import challenges, events, games, seats, standings


class GameRepository:
    """Stores games. When a method returns, its change survives a crash; when it raises, nothing has changed.

    Every method may raise :class:`~cairn.server.errors.StorageError`.
    """

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    @property
    def multi_process(self) -> bool:
        """Whether other processes may continue games too."""
        return self._database.multi_process

    async def create(self, header: GameHeader, log: Sequence[Event], projection: GameProjection) -> None:
        """Store a new game; :class:`ChallengeGoneError` if its challenge is no longer open."""
        first = Append(header.id, 1, log, projection)

        def create(connection: sa.Connection) -> None:
            challenge = header.online.challenge if header.online else None
            if challenge:
                _accept(connection, challenge)
            connection.execute(games.insert(), header_row(header))
            connection.execute(seats.insert(), seat_rows(header))
            connection.execute(standings.insert(), {"game": header.id, "deleted": False, **projection_row(projection)})
            if log:
                connection.execute(events.insert(), event_rows(first))
            if challenge:
                connection.execute(challenges.update().where(challenges.c.id == challenge).values(game=header.id))

        await self._database.write(create)

    async def append(self, game: str, revision: int, log: Sequence[Event], projection: GameProjection) -> None:
        """Append events to a log, the first with that ``revision``, and rate the result of a rated game.

        Raises :class:`~cairn.server.errors.RevisionTakenError` if the log does not end just before it.
        """
        along = None
        if result := projection.result:
            along = functools.partial(ratings.rate, result=result, at=projection.changed)
        await self._database.commits.append(Append(game, revision, log, projection, along))

    async def load(self, game: str) -> StoredGame | None:
        """The game with that id, even if it is deleted."""
        of_game = select_headers().where(games.c.id == game)

        def load(connection: sa.Connection) -> StoredGame | None:
            row = connection.execute(of_game).one_or_none()
            if row is None:
                return None
            at_table = {seat.tribe: seat for seat in connection.execute(select_seats(seats.c.game == game))}
            return StoredGame(header_of(row, at_table), _log_after(connection, game, 0), row.changed, row.deleted)

        return await self._database.read(load)

    async def load_after(self, game: str, revision: int) -> LogPart:
        """The events after that revision."""
        return await self._database.read(lambda connection: _log_after(connection, game, revision))

    async def revisions(self, of_games: Collection[str]) -> dict[str, int]:
        """The last revision of each of these games; deleted and unknown games are missing."""
        if not of_games:
            return {}
        last = sa.select(standings.c.game, standings.c.revision)
        last = last.where(standings.c.game.in_(of_games), ~standings.c.deleted)
        rows = await self._database.read(lambda connection: connection.execute(last).all())
        return {row.game: row.revision for row in rows}

    async def set_deleted(self, game: str, deleted: bool) -> bool:
        """Hide a game from lists, or show it again; its log stays. False if there is no such game."""
        statement = standings.update().where(standings.c.game == game).values(deleted=deleted)

        def change(connection: sa.Connection) -> bool:
            changed = connection.execute(statement).rowcount == 1
            self._database.announce(connection, [(game, DELETED)])
            return changed

        return await self._database.write(change)

    async def find(self, query: GameQuery) -> tuple[list[ListedGame], int]:
        """A page of the matching games, most recently changed first, and their total number."""
        which = matches(query)

        def load(connection: sa.Connection) -> tuple[list[ListedGame], int]:
            page = list_games(connection, which, query.limit, query.offset, query.player)
            return page, count_games(connection, which)

        return await self._database.read(load)

    async def count_owned(self, player: str) -> int:
        """How many local games a player has begun, including deleted ones."""
        owned = sa.select(sa.func.count()).select_from(games).where(games.c.owner == player)
        return await self._database.read(lambda connection: int(connection.execute(owned).scalar_one()))

    async def waiting_for_computer(self, before: datetime.datetime | None = None) -> list[str]:
        """The games in which the computer has to decide, and has had to since before that time."""
        waiting = sa.select(standings.c.game).where(standings.c.waits_for_computer, ~standings.c.deleted)
        if before is not None:
            waiting = waiting.where(standings.c.changed < before)
        waiting = waiting.order_by(standings.c.changed.desc())
        return await self._database.read(lambda connection: [*connection.execute(waiting).scalars()])

    async def rated_without_decision(self, since: datetime.datetime) -> list[str]:
        """The running rated games without a clock in which no person has decided since that time."""
        decided = (events.c.game == games.c.id) & events.c.kind.in_(BOARD_KINDS) & (events.c.time > since)
        overdue = (
            sa.select(games.c.id)
            .join_from(games, standings)
            .where(games.c.rated, games.c.clock.is_(None), games.c.created <= since, ~sa.exists().where(decided))
        )
        running = standings.c.reason.is_(None) & ~standings.c.waits_for_computer & ~standings.c.deleted
        return await self._database.read(lambda connection: [*connection.execute(overdue.where(running)).scalars()])

    async def deadlines(self, before: int | None = None) -> list[tuple[str, int]]:
        """The games with a running clock, and when it reaches zero, in milliseconds."""
        running = sa.select(standings.c.game, standings.c.deadline)
        running = running.where(standings.c.deadline.is_not(None), ~standings.c.deleted)
        if before is not None:
            running = running.where(standings.c.deadline < before)
        rows = await self._database.read(lambda connection: connection.execute(running).all())
        return [(row.game, row.deadline) for row in rows]


def _accept(connection: sa.Connection, challenge: str) -> None:
    """Accept the challenge first: if several players accept at the same time, exactly one succeeds."""
    still_open = (challenges.c.id == challenge) & (challenges.c.state == "open")
    if connection.execute(challenges.update().where(still_open).values(state="accepted")).rowcount != 1:
        raise ChallengeGoneError


def _log_after(connection: sa.Connection, game: str, revision: int) -> LogPart:
    after = (events.c.game == game) & (events.c.revision > revision)
    log = sa.select(events.c.kind, events.c.data, events.c.time).where(after).order_by(events.c.revision)
    rows = connection.execute(log).all()
    return LogPart(tuple(event_of(row.kind, row.data) for row in rows), tuple(row.time for row in rows))
