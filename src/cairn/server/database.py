"""Games in a database: SQLite in one file.

One connection writes, because several writers can damage the log of SQLite versions that are in wide use; others only
read. A commit returns when the disk has it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from cairn.server import migrations, online_database, ratings_database
from cairn.server.data import DataError
from cairn.server.events import Event, data_of, event_of
from cairn.server.models import Seat, Seats
from cairn.server.storage import (
    GameQuery,
    Head,
    ListedGame,
    RevisionTakenError,
    Standing,
    StorageError,
    StorageFullError,
    StoredGame,
)
from cairn.server.tables import events, games, seats, standings

READERS: Final = 4
BUSY_MILLISECONDS: Final = 5_000
_MAGIC: Final = b"SQLite format 3\0"
_TRIBES: Final = ("forest", "sea")
_STANDING: Final = [column for column in standings.c if column.name not in ("game", "deleted")]


class Database:
    """Keeps games in one SQLite file: a :class:`~cairn.server.storage.Storage`."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._writer: Final = _engine(path, 1, ["journal_mode = WAL", "synchronous = FULL"], "BEGIN IMMEDIATE")
        self._readers: Final = _engine(path, READERS, ["query_only = ON"], "BEGIN")

    @classmethod
    async def open(cls, path: Path) -> Database:
        """The database in that file, made or brought up to date if need be.

        :class:`DataError` says why it cannot be used; the file is then as it was.
        """
        version = _version(path)
        database = cls(path)
        try:
            async with database.writing() as connection:
                if version != migrations.newest_version():
                    await connection.run_sync(migrations.upgrade)
        except StorageError as error:
            await database.close()
            raise DataError(str(error)) from None
        except BaseException:
            await database.close()
            raise
        return database

    async def create(self, head: Head, log: Sequence[Event], standing: Standing) -> None:
        """Keep a new game."""
        rows = [{"game": head.id, "tribe": tribe, **online_database.seat_columns(head, tribe)} for tribe in _TRIBES]
        async with self.writing() as connection:
            await connection.execute(
                games.insert().values(
                    id=head.id,
                    created=head.created,
                    variant=head.variant,
                    start=head.start,
                    seed=head.seed,
                    words=_words(head),
                    **online_database.head_columns(head),
                )
            )
            await connection.execute(seats.insert(), rows)
            await connection.execute(standings.insert().values(game=head.id, deleted=False, **_columns(standing)))
            await _insert_events(connection, head.id, 1, log, standing)
            await online_database.accept_challenge(connection, head)

    async def append(self, game: str, revision: int, log: Sequence[Event], standing: Standing) -> None:
        """Continue a log, if it stands right before that revision."""
        continued = (standings.c.game == game) & (standings.c.revision == revision - 1)
        async with self.writing() as connection:
            changed = await connection.execute(standings.update().where(continued).values(**_columns(standing)))
            if changed.rowcount != 1:
                raise RevisionTakenError
            try:
                await _insert_events(connection, game, revision, log, standing)
            except sa.exc.IntegrityError:
                raise RevisionTakenError from None
            if standing.result:
                await ratings_database.rate(connection, standing.result, standing.changed)

    async def load(self, game: str) -> StoredGame | None:
        """The game with that id."""
        of_game = sa.select(games, standings.c.changed, standings.c.deleted).join(standings).where(games.c.id == game)
        of_this = seats.c.game == game
        log = sa.select(events.c.kind, events.c.data, events.c.time).where(events.c.game == game)
        async with self.reading() as connection:
            row = (await connection.execute(of_game)).one_or_none()
            if row is None:
                return None
            of_seats = {each.tribe: each for each in await connection.execute(online_database.seats_of(of_this))}
            logged = (await connection.execute(log.order_by(events.c.revision))).all()
        players = Seats(**{tribe: _seat(each) for tribe, each in of_seats.items()})
        online = online_database.online_of(row, of_seats)
        head = Head(row.id, row.created, row.variant, row.start, players, row.seed, row.owner, online)
        told, times = tuple(event_of(each.kind, each.data) for each in logged), tuple(each.time for each in logged)
        return StoredGame(head, told, row.changed, row.deleted, times)

    async def set_deleted(self, game: str, deleted: bool) -> bool:
        """Hide a game from lists, or show it again."""
        async with self.writing() as connection:
            statement = standings.update().where(standings.c.game == game).values(deleted=deleted)
            return (await connection.execute(statement)).rowcount == 1

    async def list_games(self, query: GameQuery) -> tuple[list[ListedGame], int]:
        """The games that match, the last changed first."""
        matching = _matching(query)
        columns = (games.c.id, games.c.created, games.c.variant, games.c.kind, games.c.rated, *_STANDING)
        page = sa.select(*columns).join_from(games, standings).where(matching)
        page = page.order_by(standings.c.changed.desc(), games.c.id).offset(query.offset).limit(query.limit)
        count = sa.select(sa.func.count()).select_from(games.join(standings)).where(matching)
        async with self.reading() as connection:
            total = (await connection.execute(count)).scalar_one()
            rows = (await connection.execute(page)).all()
            players = await _seats(connection, [row.id for row in rows])
        listed = [
            ListedGame(row.id, row.created, row.variant, players[row.id], _standing(row), row.kind, row.rated)
            for row in rows
        ]
        return listed, total

    async def waiting_for_computer(self) -> list[str]:
        """The ids of all games in which the computer is to decide."""
        waiting = sa.select(standings.c.game).where(standings.c.waits_for_computer, ~standings.c.deleted)
        async with self.reading() as connection:
            return list((await connection.execute(waiting.order_by(standings.c.changed.desc()))).scalars())

    async def close(self) -> None:
        """Close all connections; the readers' first, so that the last one tidies up."""
        await self._readers.dispose()
        await self._writer.dispose()

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that is committed in the end, or did not happen; also for whoever keeps other things here."""
        with _told(self.path):
            async with self._writer.begin() as connection:
                yield connection

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that only reads."""
        with _told(self.path):
            async with self._readers.begin() as connection:
                yield connection


def _engine(path: Path, connections: int, pragmas: Sequence[str], begin: str) -> AsyncEngine:
    """So many connections at most. Transactions begin where we say, and hold changes of tables too."""
    address = sa.URL.create("sqlite+aiosqlite", database=str(path))
    engine = create_async_engine(address, pool_size=connections, max_overflow=0, pool_timeout=60)

    def connected(connection: Any, _: object) -> None:
        try:
            connection.isolation_level = None
            with contextlib.closing(connection.cursor()) as cursor:
                for pragma in (f"busy_timeout = {BUSY_MILLISECONDS}", "foreign_keys = ON", *pragmas):
                    cursor.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()  # the pool does not know it yet
            raise

    def begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    sa.event.listen(engine.sync_engine, "connect", connected)
    sa.event.listen(engine.sync_engine, "begin", begun)
    return engine


def _version(path: Path) -> str | None:
    """The version of the database, or ``None`` if there is none yet; nothing is changed.

    :class:`DataError` if the file is not a database that we know.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            return None
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise DataError(f"{path} is not a database.")
        # Without a write-ahead log beside it the file is all there is; looking so leaves nothing beside it either.
        way = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True)) as connection:
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not names:
                return None
            if "alembic_version" not in names:
                raise DataError(f"{path} is a database, but not one of Cairn.")
            (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or (None,)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None
    except sqlite3.Error as error:
        raise DataError(f"{path} cannot be read as a database: {error}.") from None
    if version is not None and version not in migrations.known_versions():
        raise DataError(
            f"{path} was written by a newer version of Cairn: its version is {version}, and this program knows up to "
            f"{migrations.newest_version()}. Please update Cairn; the games were left as they are."
        )
    return None if version is None else str(version)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Errors of the database as sentences."""
    try:
        yield
    except sa.exc.IntegrityError:
        raise
    except sa.exc.DBAPIError as error:
        raise _storage_error(path, error.orig) from error
    except sa.exc.TimeoutError as error:
        raise StorageError("The database is too busy. Please try again.") from error


def _storage_error(path: Path, error: BaseException | None) -> StorageError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_FULL:
            return StorageFullError(f"The disk is full: nothing more can be stored in {path.parent}.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StorageError(f"The games in {path.parent} cannot be written: the folder or the file is read-only.")
        case sqlite3.SQLITE_IOERR:
            return StorageError(f"The disk does not store anything in {path.parent}; it may be full or damaged.")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StorageError(f"Another program uses {path}. Please try again.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return StorageError(f"{path} is damaged.")
    return StorageError(f"The database {path} does not work: {error}.")


async def _insert_events(
    connection: AsyncConnection, game: str, revision: int, log: Sequence[Event], standing: Standing
) -> None:
    if log:
        rows = [
            {"game": game, "revision": number, "kind": event.kind, "data": data_of(event), "time": standing.changed}
            for number, event in enumerate(log, start=revision)
        ]
        await connection.execute(events.insert(), rows)


async def _seats(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, Seats]:
    """Who plays in each of the games."""
    rows = await connection.execute(online_database.seats_of(seats.c.game.in_(ids)))
    found: dict[str, dict[str, Seat]] = {game: {} for game in ids}
    for row in rows:
        found[row.game][row.tribe] = _seat(row)
    return {game: Seats(**pair) for game, pair in found.items()}


def _seat(row: sa.Row[Any]) -> Seat:
    return Seat(kind=row.kind, level=row.level, name=row.name)


def _columns(standing: Standing) -> dict[str, object]:
    return {column.name: getattr(standing, column.name) for column in _STANDING}


def _standing(row: sa.Row[Any]) -> Standing:
    return Standing(**{column.name: getattr(row, column.name) for column in _STANDING})


def _words(head: Head) -> str:
    """What a search for games looks at, in small letters: names, levels, the variant."""
    players = [
        (seat.name or "") if seat.kind == "person" else f"computer level {seat.level}"
        for seat in (head.seats.forest, head.seats.sea)
    ]
    return "\n".join([*players, head.variant or "position"]).casefold()


def _matching(query: GameQuery) -> sa.ColumnElement[bool]:
    conditions: list[sa.ColumnElement[bool]] = [~standings.c.deleted, online_database.listed_for(query)]
    conditions += [games.c.words.contains(word, autoescape=True) for word in _searched(query)]
    if query.variant:
        conditions.append(games.c.variant == query.variant)
    if query.state:
        conditions.append(standings.c.reason.is_(None) if query.state == "running" else standings.c.reason.is_not(None))
    return sa.and_(*conditions)


def _searched(query: GameQuery) -> list[str]:
    """The words of a search; no database is asked for a zero character."""
    return query.search.replace("\0", " ").casefold().split()
