"""Games in a database, whichever engine is below. Appends go through one place, which commits them together."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from cairn.server import online_database, ratings_database
from cairn.server.backend import DELETED, Backend, Value, Work, database_url
from cairn.server.commits import Append, Committer
from cairn.server.events import Event, data_of, event_of
from cairn.server.models import Seat, Seats, TribeName
from cairn.server.sqlite import Sqlite
from cairn.server.storage import (
    GameQuery,
    Head,
    ListedGame,
    LogPart,
    RevisionTakenError,
    Standing,
    StoredGame,
)
from cairn.server.tables import events, games, seats, standings
from cairn.server.transport import Hub
from cairn.server.words import words_of

_TRIBES: Final = ("forest", "sea")
_STANDING: Final = [column for column in standings.c if column.name not in ("game", "deleted")]


class Database:
    """Keeps games in a database, SQLite or PostgreSQL: a :class:`~cairn.server.storage.Storage`."""

    def __init__(self, backend: Backend) -> None:
        self.backend: Final = backend
        self.commits: Final = Committer(self._commit, backend.writers)

    @classmethod
    async def open(cls, where: Path | str) -> Database:
        """The database in that file or at that address, made or brought up to date if need be.

        :class:`~cairn.server.data.DataError` says why it cannot be used; it is then as it was.
        """
        return cls(await open_backend(where))

    @property
    def shared(self) -> bool:
        """Whether other processes may write to it, too."""
        return self.backend.shared

    async def create(self, head: Head, log: Sequence[Event], standing: Standing) -> None:
        """Keep a new game."""
        rows = [{"game": head.id, "tribe": tribe, **online_database.seat_columns(head, tribe)} for tribe in _TRIBES]
        game = {
            "id": head.id,
            "created": head.created,
            "variant": head.variant,
            "start": head.start,
            "seed": head.seed,
            "words": words_of((head.seats.forest, head.seats.sea), head.variant),
            **online_database.head_columns(head),
        }

        def create(connection: sa.Connection) -> None:
            with online_database.accepting(connection, head):
                connection.execute(games.insert(), game)
                connection.execute(seats.insert(), rows)
                connection.execute(standings.insert(), {"game": head.id, "deleted": False, **_columns(standing)})
                if log:
                    connection.execute(events.insert(), _rows(head.id, 1, log, standing))

        await self.write(create)

    async def append(self, game: str, revision: int, log: Sequence[Event], standing: Standing) -> None:
        """Continue a log, if it stands right before that revision; in one transaction with others that wait."""
        await self.commits.append(Append(game, revision, log, standing))

    async def load(self, game: str) -> StoredGame | None:
        """The game with that id."""
        if "\0" in game:  # PostgreSQL is not asked for a zero character
            return None
        of_game = online_database.heads().where(games.c.id == game)
        log = sa.select(events.c.kind, events.c.data, events.c.time).where(events.c.game == game)

        def look(connection: sa.Connection) -> StoredGame | None:
            row = connection.execute(of_game).one_or_none()
            if row is None:
                return None
            at_table = {each.tribe: each for each in connection.execute(online_database.seats_of(seats.c.game == game))}
            logged = connection.execute(log.order_by(events.c.revision)).all()
            players = Seats(**{tribe: _seat(each) for tribe, each in at_table.items()})
            online = online_database.online_of(row, at_table)
            head = Head(row.id, row.created, row.variant, row.start, players, row.seed, row.owner, online)
            told = tuple(event_of(each.kind, each.data) for each in logged)
            return StoredGame(head, told, row.changed, row.deleted, tuple(each.time for each in logged))

        return await self.read(look)

    async def load_after(self, game: str, revision: int) -> LogPart:
        """What a log has after that revision."""
        after = (events.c.game == game) & (events.c.revision > revision)
        log = sa.select(events.c.kind, events.c.data, events.c.time).where(after).order_by(events.c.revision)
        rows = await self.read(lambda connection: connection.execute(log).all())
        return LogPart(tuple(event_of(row.kind, row.data) for row in rows), tuple(row.time for row in rows))

    async def revisions(self, games: Collection[str]) -> dict[str, int]:
        """The last revision of each of these games that exists and is not deleted."""
        if not games:
            return {}
        last = sa.select(standings.c.game, standings.c.revision).where(
            standings.c.game.in_(games), ~standings.c.deleted
        )
        return {row.game: row.revision for row in await self.read(lambda connection: connection.execute(last).all())}

    async def set_deleted(self, game: str, deleted: bool) -> bool:
        """Hide a game from lists, or show it again."""
        if "\0" in game:
            return False
        statement = standings.update().where(standings.c.game == game).values(deleted=deleted)

        def change(connection: sa.Connection) -> bool:
            changed = connection.execute(statement).rowcount == 1
            self.backend.announce(connection, [(game, DELETED)])
            return changed

        return await self.write(change)

    async def list_games(self, query: GameQuery) -> tuple[list[ListedGame], int]:
        """The games that match, the last changed first."""
        matching = _matching(query)
        columns = (games.c.id, games.c.created, games.c.variant, games.c.kind, games.c.rated, *_STANDING)
        page = sa.select(*columns).join_from(games, standings).where(matching)
        page = page.order_by(standings.c.changed.desc(), games.c.id).offset(query.offset).limit(query.limit)
        count = sa.select(sa.func.count()).select_from(games.join(standings)).where(matching)

        def look(connection: sa.Connection) -> tuple[list[ListedGame], int]:
            rows = connection.execute(page).all()
            taken = _seats(connection, [row.id for row in rows])
            listed = [_listed(row, taken[row.id], query.player) for row in rows]
            return listed, connection.execute(count).scalar_one()

        return await self.read(look)

    async def waiting_for_computer(self, before: datetime.datetime | None = None) -> list[str]:
        """The ids of all games in which the computer is to decide, and was already at that time."""
        waiting = sa.select(standings.c.game).where(standings.c.waits_for_computer, ~standings.c.deleted)
        if before is not None:
            waiting = waiting.where(standings.c.changed < before)
        waiting = waiting.order_by(standings.c.changed.desc())
        return await self.read(lambda connection: list(connection.execute(waiting).scalars()))

    async def write(self, work: Work[Value]) -> Value:
        """Do something in a transaction that is committed in the end, or did not happen; also for other things here."""
        return await self.backend.write(work)

    async def read(self, work: Work[Value]) -> Value:
        """Do something in a transaction that only reads."""
        return await self.backend.read(work)

    async def close(self) -> None:
        """Finish what is being stored, and close all connections."""
        await self.commits.close()
        await self.backend.close()

    async def _commit(self, batch: Sequence[Append], unsure: bool) -> list[BaseException | None]:
        """Store appends in one transaction; what became of each."""
        if not unsure and not any(append.standing.result for append in batch):
            fits = await self.backend.append(batch)
            if fits is not None:
                return [None if each else RevisionTakenError() for each in fits]

        def store(connection: sa.Connection) -> set[Append]:
            # Locked in order, so that two processes never wait for each other.
            held = sa.select(standings.c.game, standings.c.revision).order_by(standings.c.game).with_for_update()
            rows = connection.execute(held.where(standings.c.game.in_({append.game for append in batch})))
            revisions: dict[str, int] = {row.game: row.revision for row in rows}
            stored = _stored(connection, batch) if unsure else set[Append]()
            fitting: list[Append] = []
            for append in batch:
                if append not in stored and revisions.get(append.game) == append.revision - 1:
                    revisions[append.game] += len(append.log)
                    fitting.append(append)
            _insert(connection, fitting)
            self.backend.announce(connection, [(append.game, append.standing.revision) for append in fitting])
            return stored.union(fitting)

        happened = await self.write(store)
        return [None if append in happened else RevisionTakenError() for append in batch]


async def open_backend(where: Path | str) -> Backend:
    """The engine for a file or an address; :class:`~cairn.server.data.DataError` if there is none."""
    if isinstance(where, Path):
        return await Sqlite.open(where)
    url = database_url(where)
    if url.get_backend_name() == "sqlite":
        return await Sqlite.open(Path(url.database or ""))
    # Not needed by whoever plays on one machine.
    from cairn.server.postgres import Postgres

    return await Postgres.open(url)


def folder_of(where: Path | str) -> Path | None:
    """The folder of a database that is a file, which one process at a time may use."""
    if isinstance(where, Path):
        return where.parent
    url = database_url(where)
    return Path(url.database or "").parent if url.get_backend_name() == "sqlite" else None


def transport_of(database: Database) -> Hub:
    """How watchers hear of what happens in that database."""
    if not database.shared:
        return Hub()
    from cairn.server.postgres import Postgres
    from cairn.server.postgres_transport import PostgresTransport

    assert isinstance(database.backend, Postgres)  # noqa: S101  # no other one is shared
    return PostgresTransport(database.backend)


def _insert(connection: sa.Connection, batch: Sequence[Append]) -> None:
    """Add to the logs, which stand right before."""
    if not batch:
        return
    moved = standings.update().where(standings.c.game == sa.bindparam("of_game"))
    connection.execute(moved, [{"of_game": append.game, **_columns(append.standing)} for append in batch])
    if rows := [row for append in batch for row in _rows(append.game, append.revision, append.log, append.standing)]:
        connection.execute(events.insert(), rows)
    for append in batch:
        if append.standing.result:
            ratings_database.rate(connection, append.standing.result, append.standing.changed)


def _stored(connection: sa.Connection, batch: Sequence[Append]) -> set[Append]:
    """Those whose very events are in the logs already."""
    found: set[Append] = set()
    for append in batch:
        last = append.revision + len(append.log) - 1
        between = (events.c.game == append.game) & events.c.revision.between(append.revision, last)
        rows = connection.execute(sa.select(events).where(between).order_by(events.c.revision))
        wanted = _rows(append.game, append.revision, append.log, append.standing)
        if wanted and wanted == [{name: row._mapping[name] for name in wanted[0]} for row in rows]:
            found.add(append)
    return found


def _rows(game: str, revision: int, log: Sequence[Event], standing: Standing) -> list[dict[str, object]]:
    """The events as they stand in the table."""
    return [
        {"game": game, "revision": number, "kind": event.kind, "data": data_of(event), "time": standing.changed}
        for number, event in enumerate(log, start=revision)
    ]


def _seats(connection: sa.Connection, ids: Sequence[str]) -> dict[str, dict[TribeName, sa.Row[Any]]]:
    """Who plays in each of the games."""
    rows = connection.execute(online_database.seats_of(seats.c.game.in_(ids)))
    found: dict[str, dict[TribeName, sa.Row[Any]]] = {game: {} for game in ids}
    for row in rows:
        found[row.game][row.tribe] = row
    return found


def _listed(row: sa.Row[Any], taken: Mapping[TribeName, sa.Row[Any]], player: str | None) -> ListedGame:
    """A game as a list has it, for a player."""
    return ListedGame(
        row.id,
        row.created,
        row.variant,
        Seats(**{tribe: _seat(seat) for tribe, seat in taken.items()}),
        _standing(row),
        row.kind,
        row.rated,
        tuple(tribe for tribe, seat in taken.items() if seat.player and seat.player == player),
    )


def _seat(row: sa.Row[Any]) -> Seat:
    return Seat(kind=row.kind, level=row.level, name=row.name)


def _columns(standing: Standing) -> dict[str, object]:
    return {column.name: getattr(standing, column.name) for column in _STANDING}


def _standing(row: sa.Row[Any]) -> Standing:
    return Standing(**{column.name: getattr(row, column.name) for column in _STANDING})


def _matching(query: GameQuery) -> sa.ColumnElement[bool]:
    conditions: list[sa.ColumnElement[bool]] = [~standings.c.deleted, online_database.listed_for(query)]
    conditions += [sa.or_(*map(_told, either)) for either in _searched(query)]
    if query.variant:
        conditions.append(games.c.variant == query.variant)
    if query.state:
        conditions.append(standings.c.reason.is_(None) if query.state == "running" else standings.c.reason.is_not(None))
    return sa.and_(*conditions)


def _told(word: str) -> sa.ColumnElement[bool]:
    """Whether a word occurs in what a search looks at (:func:`~cairn.server.words.words_of`), or a sign in it."""
    kind, _, value = word.partition(":")
    match kind, value:
        case "level", value if value.isdecimal():
            return games.c.words.contains(f"level {value}\n", autoescape=True)
        case "unnamed", "forest":
            return games.c.words.startswith("\n")
        case "unnamed", "sea":
            return games.c.words.contains("\n\n")
        case _:
            return games.c.words.contains(word, autoescape=True)


def _searched(query: GameQuery) -> list[list[str]]:
    """The words of a search, each with those that may stand for it; no database is asked for a zero character."""
    words = query.search.replace("\0", " ").casefold().split()
    found = ([either for either in word.split("|") if either] for word in words)
    return [each for each in found if each]
