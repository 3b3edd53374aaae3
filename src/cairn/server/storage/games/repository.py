"""The game repository. A game has a header, which never changes, and a log of events, which only grows."""

from __future__ import annotations

import contextlib
import datetime
import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

import sqlalchemy as sa

from cairn.server.errors import ChallengeGoneError, DamagedGameError, GameExistsError
from cairn.server.game.creation import Beginning
from cairn.server.game.events import BOARD_KINDS, Event
from cairn.server.game.header import GameHeader
from cairn.server.game.log import GameProjection, LogPart, StoredGame
from cairn.server.storage import ratings
from cairn.server.storage.chain import start_of
from cairn.server.storage.engines.append import Append, LatePause, chained_rows, projection_row
from cairn.server.storage.engines.backend import DELETED
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.listing import GameQuery, ListedGame, count_games, list_games, matches
from cairn.server.storage.games.rows import header_of, header_row, seat_rows
from cairn.server.storage.games.verified import End, end_of, read_header, read_part, reading
from cairn.server.storage.tables import challenges, events, games, seats, standings

# Built once, because it runs whenever a socket is opened.
_REVISIONS: Final = sa.select(standings.c.game, standings.c.revision).where(
    standings.c.game.in_(sa.bindparam("games", expanding=True)), ~standings.c.deleted
)
# These statements are built once, because they run for every new game.
_ADD_GAME, _ADD_SEATS, _ADD_STANDING, _ADD_EVENTS = (each.insert() for each in (games, seats, standings, events))
_THIS: Final = challenges.c.id == sa.bindparam("this")
_ACCEPT: Final = challenges.update().where(_THIS, challenges.c.state == "open").values(state="accepted")
_SET_GAME: Final = challenges.update().where(_THIS).values(game=sa.bindparam("begun"))
# These statements are built once, because every process runs them every few seconds.
_WAITING: Final = (
    sa.select(standings.c.game)
    .where(standings.c.waits_for_computer, ~standings.c.deleted)
    .order_by(standings.c.changed.desc())
)
_WAITING_SINCE: Final = _WAITING.where(standings.c.changed < sa.bindparam("before"))
_DEADLINES: Final = sa.select(standings.c.game, standings.c.deadline).where(
    standings.c.deadline.is_not(None), ~standings.c.deleted
)
_DEADLINES_BEFORE: Final = _DEADLINES.where(standings.c.deadline < sa.bindparam("before"))


class GameRepository:
    """Stores games. When a method returns, its change survives a crash. When it raises an error, nothing has changed.

    Every method may raise :class:`~cairn.server.errors.StorageError`. Methods that read a log also verify it. If the
    log is damaged, they call ``report`` with a :class:`DamagedGameError` and raise it.
    """

    def __init__(self, database: Database, report: Callable[[DamagedGameError], object] = lambda _: None) -> None:
        self._database: Final = database
        self._report: Final = report

    @property
    def multi_process(self) -> bool:
        """Whether other processes may also continue these games."""
        return self._database.multi_process

    async def create(self, header: GameHeader, log: Sequence[Event], projection: GameProjection) -> None:
        """Store a new game.

        Raises :class:`ChallengeGoneError` if its challenge is no longer open, and :class:`GameExistsError` if its id is
        taken.
        """
        await self._database.write(functools.partial(_create, header=header, log=log, projection=projection))

    async def create_now(self, begin: Callable[[], Beginning]) -> Beginning:
        """Store a new game. Calls ``begin`` only inside the transaction, which may have to wait before it starts.

        Raises the same errors as :meth:`create`.
        """

        def create(connection: sa.Connection) -> Beginning:
            begun = begin()
            _create(connection, *begun.stored)
            return begun

        return await self._database.write(create)

    async def append(
        self,
        game: str,
        revision: int,
        log: Sequence[Event],
        projection: GameProjection,
        clock: Callable[[], float] | None = None,
    ) -> LatePause | None:
        """Append events to a log, starting at ``revision``. If they end a rated game, update the ratings.

        If a ``clock`` that counts seconds is given, and the events have to wait while a player's time is running, a
        pause is stored with them and returned. Raises :class:`~cairn.server.errors.RevisionTakenError` if the log does
        not end at ``revision - 1``.
        """
        along = None
        if result := projection.result:
            along = functools.partial(ratings.rate, result=result, at=projection.changed)
        append = Append(game, revision, log, projection, along, clock, clock() if clock else 0.0)
        await self._database.commits.append(append)
        return append.late

    async def load(self, game: str) -> StoredGame | None:
        """The game with this id, even if it has been deleted."""

        def load(connection: sa.Connection) -> StoredGame | None:
            found = read_header(connection, game)
            if found is None:
                return None
            log, _ = read_part(connection, game, found.start)
            return StoredGame(header_of(found.game, found.seats), log, found.game.changed, found.game.deleted)

        with self.reporting_damage(), reading(game):
            return await self._database.read(load)

    async def load_after(self, game: str, revision: int) -> LogPart:
        """The events after a revision."""

        def load(connection: sa.Connection) -> LogPart:
            log, _ = read_part(connection, game, end_of(connection, game, revision))
            return log

        with self.reporting_damage(), reading(game):
            return await self._database.read(load)

    async def verify_part(self, game: str, after: End | None, limit: int) -> End | None:
        """Verify up to ``limit`` events of a log. Returns where to continue, or ``None`` at the end of the log."""

        def verify(connection: sa.Connection) -> End | None:
            found = read_header(connection, game) if after is None else None
            start = found.start if found else after
            if start is None:
                return None
            log, end = read_part(connection, game, start, limit)
            return end if len(log.events) == limit else None

        with self.reporting_damage(), reading(game):
            return await self._database.read(verify)

    async def ids(self, after: str, limit: int) -> list[str]:
        """The next ``limit`` game ids after ``after``, in order."""
        some = sa.select(games.c.id).where(games.c.id > after).order_by(games.c.id).limit(limit)
        return await self._database.read(lambda connection: [*connection.execute(some).scalars()])

    async def revisions(self, of_games: Collection[str]) -> dict[str, int]:
        """The last revision of each of these games. Deleted and unknown games are left out."""
        if not of_games:
            return {}
        which = {"games": list(of_games)}
        rows = await self._database.read(lambda connection: connection.execute(_REVISIONS, which).all())
        return {row.game: row.revision for row in rows}

    async def set_deleted(self, game: str, deleted: bool) -> bool:
        """Hide a game from lists, or show it again. Its log is kept. Returns false if there is no such game."""
        statement = standings.update().where(standings.c.game == game).values(deleted=deleted)

        def change(connection: sa.Connection) -> bool:
            changed = connection.execute(statement).rowcount == 1
            self._database.announce(connection, [(game, DELETED)])
            return changed

        return await self._database.write(change)

    async def find(self, query: GameQuery) -> tuple[list[ListedGame], int]:
        """A page of the matching games, most recently changed first, and the total number of matches."""
        which = matches(query)

        def load(connection: sa.Connection) -> tuple[list[ListedGame], int]:
            page = list_games(connection, which, query.limit, query.offset, query.player)
            return page, count_games(connection, which)

        return await self._database.read(load)

    async def count_owned(self, player: str) -> int:
        """How many local games a player has created, including deleted ones."""
        owned = sa.select(sa.func.count()).select_from(games).where(games.c.owner == player)
        return await self._database.read(lambda connection: int(connection.execute(owned).scalar_one()))

    async def waiting_for_computer(self, before: datetime.datetime | None = None) -> list[str]:
        """The games that are waiting for the computer. With ``before``, only games that have not changed since then."""
        waiting, which = (_WAITING, {}) if before is None else (_WAITING_SINCE, {"before": before})
        return await self._database.read(lambda connection: [*connection.execute(waiting, which).scalars()])

    async def running_positions(self, player: str) -> set[str]:
        """The current positions of the running online games in which a player has a seat."""
        found = sa.select(standings.c.position).join_from(seats, standings, seats.c.game == standings.c.game)
        found = found.where(seats.c.player == player, standings.c.reason.is_(None))
        return await self._database.read(lambda connection: {*connection.execute(found).scalars()})

    async def rated_without_decision(self, since: datetime.datetime) -> list[str]:
        """The running rated games without a clock in which no person has made a decision since ``since``."""
        decided = (events.c.game == games.c.id) & events.c.kind.in_(BOARD_KINDS) & (events.c.time > since)
        overdue = (
            sa.select(games.c.id)
            .join_from(games, standings)
            .where(games.c.rated, games.c.clock.is_(None), games.c.created <= since, ~sa.exists().where(decided))
        )
        running = standings.c.reason.is_(None) & ~standings.c.waits_for_computer & ~standings.c.deleted
        return await self._database.read(lambda connection: [*connection.execute(overdue.where(running)).scalars()])

    async def deadlines(self, before: int | None = None) -> list[tuple[str, int]]:
        """The games with a running clock, and the times at which the clocks reach zero, in milliseconds."""
        running, which = (_DEADLINES, {}) if before is None else (_DEADLINES_BEFORE, {"before": before})
        rows = await self._database.read(lambda connection: connection.execute(running, which).all())
        return [(row.game, row.deadline) for row in rows]

    @contextlib.contextmanager
    def reporting_damage(self) -> Iterator[None]:
        """Report a damaged game that is found in the block."""
        try:
            yield
        except DamagedGameError as error:
            self._report(error)
            raise


def _create(connection: sa.Connection, header: GameHeader, log: Sequence[Event], projection: GameProjection) -> None:
    game, at_table = header_row(header), seat_rows(header)
    first, last_hash = chained_rows(header.id, 1, log, projection.changed, start_of(game, at_table))
    standing = {"game": header.id, "deleted": False, "hash": last_hash, **projection_row(projection)}
    challenge = header.online.challenge if header.online else None
    if challenge:
        _accept(connection, challenge)
    _add_game(connection, game)
    connection.execute(_ADD_SEATS, at_table)
    connection.execute(_ADD_STANDING, standing)
    if first:
        connection.execute(_ADD_EVENTS, first)
    if challenge:
        connection.execute(_SET_GAME, {"this": challenge, "begun": header.id})


def _add_game(connection: sa.Connection, game: Mapping[str, object]) -> None:
    try:
        connection.execute(_ADD_GAME, game)
    except sa.exc.IntegrityError as error:
        # The only other constraint that can fail is the reference to the owner, who may just have been deleted.
        if "foreign key" in str(error.orig).lower():
            raise
        raise GameExistsError from None


def _accept(connection: sa.Connection, challenge: str) -> None:
    """Mark the challenge as accepted. If several players accept at the same time, exactly one succeeds."""
    if connection.execute(_ACCEPT, {"this": challenge}).rowcount != 1:
        raise ChallengeGoneError
