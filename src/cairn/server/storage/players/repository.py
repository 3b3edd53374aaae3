"""The repository for players, their sessions, password resets and reports."""

from __future__ import annotations

import contextlib
import datetime
import functools
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa

from cairn.server.errors import NameTakenError, QuotaError
from cairn.server.game.seats import PlayerKind
from cairn.server.storage.engines.backend import DELETED
from cairn.server.storage.engines.database import Database
from cairn.server.storage.players import deletion
from cairn.server.storage.players.locks import lock_player
from cairn.server.storage.players.rows import SESSION_ID, Credentials, Forgotten, Player, Report, Row, Session
from cairn.server.storage.tables import (
    METADATA,
    name_shapes,
    password_resets,
    players,
    reports,
    seats,
    sessions,
    standings,
)
from cairn.server.unicode.confusables import shapes

_PLAYER: Final = ("id", "kind", "name", "created", "admin", "muted", "owner")
_SESSION: Final = ("token_hash", "player", "kind", "created", "seen", "label")
# Built once, because every process checks its sessions every few seconds.
_EXISTING: Final = sa.select(sessions.c.token_hash).where(
    sessions.c.token_hash.in_(sa.bindparam("token_hashes", expanding=True))
)


class PlayerRepository:
    """Stores players. When a method returns, its change survives a crash. When it raises an error, nothing has changed.

    ``key`` is a normalized name. No two players have the same key, and a new player cannot take a name that looks like
    an existing name. Every method may raise :class:`~cairn.server.errors.StorageError`.
    """

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    async def add(self, player: Player, key: str | None, password: str | None, session: Session | None) -> None:
        """Store a new player. Raises :class:`NameTakenError` if the name is taken or looks like another name."""

        def add(connection: sa.Connection) -> None:
            _add_player(connection, player, key, password)
            if session:
                _add_session(connection, session)

        with _translated_name_errors():
            await self._database.write(add)

    async def make_account(self, player: str, name: str, key: str, password: str, session: Session) -> bool:
        """Turn a guest into an account and replace all sessions with a new one.

        Returns false if the player is not a guest. Raises :class:`NameTakenError` if the name is taken or looks like
        another one.
        """
        guest = (players.c.id == player) & (players.c.kind == "guest")
        account = players.update().where(guest).values(kind="account", name=name, key=key, password=password)

        def convert(connection: sa.Connection) -> bool:
            if connection.execute(account).rowcount != 1:
                return False
            _add_shapes(connection, player, name)
            connection.execute(sessions.delete().where(sessions.c.player == player))
            _add_session(connection, session)
            return True

        with _translated_name_errors():
            return await self._database.write(convert)

    async def has_lookalike(self, name: str) -> bool:
        """Whether a player has this name or a name that looks like it."""
        found = sa.select(name_shapes.c.player).where(name_shapes.c.shape.in_(shapes(name))).limit(1)
        same = await self._database.read(lambda connection: connection.execute(found).first())
        return same is not None

    async def by_session(self, token_hash: str) -> tuple[Player, Session] | None:
        """The session with this token hash, and its player."""
        which = {"token_hash": token_hash}
        row = await self._database.read(lambda connection: connection.execute(_by_session(), which).one_or_none())
        return (_player(row), _session(row)) if row else None

    async def existing_sessions(self, token_hashes: Collection[str]) -> set[str]:
        """The subset of hashes whose sessions still exist."""
        which = {"token_hashes": list(token_hashes)}
        return await self._database.read(lambda connection: set(connection.execute(_EXISTING, which).scalars()))

    async def by_key(self, key: str) -> Credentials | None:
        """The player with this normalized name."""
        return await self._credentials(players.c.key == key)

    async def by_id(self, player: str) -> Credentials | None:
        """The player with this id."""
        return await self._credentials(players.c.id == player)

    async def add_session(self, session: Session) -> None:
        """Store a new session."""
        await self._database.write(lambda connection: _add_session(connection, session))

    async def touch(self, token_hash: str, seen: datetime.datetime) -> None:
        """Store the time at which a session was last used."""
        await self._execute(sessions.update().where(sessions.c.token_hash == token_hash).values(seen=seen))

    async def end_session(self, token_hash: str) -> None:
        """Delete a session."""
        await self._execute(sessions.delete().where(sessions.c.token_hash == token_hash))

    async def set_password(self, player: str, password: str, keep: str | None = None) -> None:
        """Store the hash of a new password.

        Invalidates all pending password resets and ends all browser sessions except ``keep``.
        """
        await self._database.write(lambda connection: _set_password(connection, player, password, keep))

    async def renew_hash(self, player: str, old: str, password: str) -> None:
        """Store a new hash of the same password, unless the password has changed in the meantime."""
        still = (players.c.id == player) & (players.c.password == old)
        await self._execute(players.update().where(still).values(password=password))

    async def add_reset(self, token_hash: str, player: str, expires: datetime.datetime) -> None:
        """Store a password reset. It replaces any pending reset of the same player."""
        await self._execute(
            password_resets.delete().where(password_resets.c.player == player),
            password_resets.insert().values(token_hash=token_hash, player=player, expires=expires),
        )

    async def reset_of(self, token_hash: str, now: datetime.datetime) -> Player | None:
        """The player that a password reset is for; ``None`` if there is no such reset or it has expired."""
        found = sa.select(*_columns(players, "player", _PLAYER)).join_from(
            password_resets, players, password_resets.c.player == players.c.id
        )
        found = found.where(_valid_reset(token_hash, now))
        row = await self._database.read(lambda connection: connection.execute(found).one_or_none())
        return _player(row) if row else None

    async def use_reset(self, token_hash: str, now: datetime.datetime, password: str, session: Session) -> bool:
        """Redeem a password reset: set the password as :meth:`set_password` does, and store a new session.

        Returns false if the reset has been used or has expired.
        """

        def use(connection: sa.Connection) -> bool:
            # If two requests arrive at the same time, only one deletes the row.
            used = connection.execute(password_resets.delete().where(_valid_reset(token_hash, now)))
            if used.rowcount != 1:
                return False
            _set_password(connection, session.player, password)
            _add_session(connection, session)
            return True

        return await self._database.write(use)

    async def bots_of(self, owner: str) -> list[tuple[Player, Session | None]]:
        """An account's bots with their tokens. A bot is listed once per token, or once with ``None`` if it has none."""
        both = sa.select(*_columns(players, "player", _PLAYER), *_columns(sessions, "session", _SESSION))
        both = both.outerjoin_from(players, sessions, sessions.c.player == players.c.id)
        both = both.where(players.c.owner == owner).order_by(players.c.created, sessions.c.created)
        rows = await self._database.read(lambda connection: connection.execute(both).all())
        return [(_player(row), _session(row) if row.session_token_hash else None) for row in rows]

    async def add_bot_token(self, bot: Player, key: str | None, session: Session, most: int) -> None:
        """Store a new token. If ``key`` is given, the bot is new and is stored as well.

        Raises :class:`QuotaError` if the owner would have more than ``most`` tokens or bots. Raises
        :class:`NameTakenError` if the name is taken or looks like another one.
        """
        theirs = sa.select(players.c.id).where(players.c.owner == bot.owner)
        tokens = sa.select(sa.func.count()).select_from(sessions).where(sessions.c.player.in_(theirs))
        bots = sa.select(sa.func.count()).select_from(theirs.subquery())

        def add(connection: sa.Connection) -> None:
            lock_player(connection, bot.owner or "")
            if connection.execute(tokens).scalar_one() >= most:
                raise QuotaError
            if key is not None:
                if connection.execute(bots).scalar_one() >= most:
                    raise QuotaError
                _add_player(connection, bot, key, None)
            _add_session(connection, session)

        with _translated_name_errors():
            await self._database.write(add)

    async def end_bot_session(self, owner: str, session: str) -> str | None:
        """Delete a token by its id. Returns the bot's id, or ``None`` if the account has no such token."""
        bots = sa.select(players.c.id).where(players.c.owner == owner)
        theirs = sessions.c.player.in_(bots) & (sa.func.substr(sessions.c.token_hash, 1, SESSION_ID) == session)

        def end(connection: sa.Connection) -> str | None:
            bot = connection.execute(sa.select(sessions.c.player).where(theirs)).scalar()
            connection.execute(sessions.delete().where(theirs))
            return bot

        return await self._database.write(end)

    async def set_muted(self, player: str, muted: bool) -> None:
        """Mute or unmute a player."""
        await self._set(player, muted=muted)

    async def set_admin(self, player: str, admin: bool) -> None:
        """Grant or revoke administrator rights."""
        await self._set(player, admin=admin)

    async def delete(self, player: str) -> Forgotten:
        """Delete the personal data of a player and their bots. Their games are kept."""

        def delete(connection: sa.Connection) -> Forgotten:
            gone = deletion.forget(connection, player)
            # The announcement makes other processes drop these games from memory.
            self._database.announce(connection, [(game, DELETED) for game in gone.games])
            return gone

        return await self._database.write(delete)

    async def sweep(self, before: datetime.datetime) -> int:
        """Delete unreferenced guests last seen before ``before``. Returns the number of deleted guests."""
        swept = 0
        while True:
            some = await self._database.write(lambda connection: deletion.sweep(connection, before))
            swept += some
            if some < deletion.BATCH_SIZE:
                return swept

    async def export(self, player: str) -> dict[str, list[Row]]:
        """All rows about a player and their bots, by table. Secrets are left out."""

        def export(connection: sa.Connection) -> dict[str, list[Row]]:
            found: dict[str, list[Row]] = {}
            theirs = _with_bots(connection, player)
            for table, links in tables_about_players():
                public = [column for column in table.c if not column.info.get("secret")]
                about = sa.or_(*(link.in_(theirs) for link in links))
                rows = connection.execute(sa.select(*public).where(about).order_by(*table.primary_key))
                found[table.name] = [{name: _json_value(value) for name, value in row._mapping.items()} for row in rows]
            return found

        return await self._database.read(export)

    async def add_report(
        self,
        by: str,
        about: str | None,
        game: str | None,
        text: str,
        created: datetime.datetime,
        puzzle: str | None = None,
    ) -> int:
        """Store a report. Returns its id."""
        row = {"by": by, "about": about, "game": game, "text": text, "created": created, "done": False}
        added = reports.insert().values(puzzle=puzzle, **row).returning(reports.c.id)
        return await self._database.write(lambda connection: int(connection.execute(added).scalar_one()))

    async def reports(self, done: bool | None, offset: int, limit: int) -> tuple[Sequence[Report], int]:
        """A page of reports, newest first, and the total number of reports."""
        by, about = players.alias("reporters"), players.alias("reported")
        page = sa.select(reports, *_columns(by, "by", _PLAYER), *_columns(about, "about", _PLAYER))
        page = page.join_from(reports, by, reports.c.by == by.c.id).outerjoin(about, reports.c.about == about.c.id)
        count = sa.select(sa.func.count()).select_from(reports)
        if done is not None:
            page, count = page.where(reports.c.done == done), count.where(reports.c.done == done)
        page = page.order_by(reports.c.created.desc(), reports.c.id.desc()).offset(offset).limit(limit)

        def load(connection: sa.Connection) -> tuple[list[Report], int]:
            return [_report(row) for row in connection.execute(page)], connection.execute(count).scalar_one()

        return await self._database.read(load)

    async def set_report_done(self, report: int) -> bool:
        """Mark a report as done. Returns false if there is no such report."""
        done = reports.update().where(reports.c.id == report).values(done=True)
        return await self._database.write(lambda connection: connection.execute(done).rowcount == 1)

    async def running_games(self, player: str) -> tuple[PlayerKind, int]:
        """A player's kind, and the number of running online games in which they have a seat."""
        which = {"player": player}
        kind, count = await self._database.read(lambda connection: connection.execute(_running_games(), which).one())
        return kind, count

    async def _credentials(self, which: sa.ColumnElement[bool]) -> Credentials | None:
        found = sa.select(*_columns(players, "player", _PLAYER), players.c.password).where(which)
        row = await self._database.read(lambda connection: connection.execute(found).one_or_none())
        return Credentials(_player(row), row.password) if row else None

    async def _set(self, player: str, **values: bool) -> None:
        await self._execute(players.update().where(players.c.id == player).values(**values))

    async def _execute(self, *statements: sa.Executable) -> None:
        await self._database.execute(*statements)


def tables_about_players() -> Iterator[tuple[sa.Table, list[sa.Column[Any]]]]:
    """The tables whose rows belong to players, each with the columns that reference those players."""
    for table in METADATA.sorted_tables:
        links = [
            column
            for column in table.c
            if not column.info.get("other_player") and any(key.column is players.c.id for key in column.foreign_keys)
        ]
        if table is players:
            links.append(players.c.id)
        if links:
            yield table, links


@contextlib.contextmanager
def _translated_name_errors() -> Iterator[None]:
    """Translate a uniqueness error. Only names and their shapes can collide; all other unique values are random."""
    try:
        yield
    except sa.exc.IntegrityError:
        raise NameTakenError from None


def _set_password(connection: sa.Connection, player: str, password: str, keep: str | None = None) -> None:
    others = (sessions.c.player == player) & (sessions.c.kind == "browser")
    if keep:
        others &= sessions.c.token_hash != keep
    connection.execute(players.update().where(players.c.id == player).values(password=password))
    connection.execute(password_resets.delete().where(password_resets.c.player == player))
    connection.execute(sessions.delete().where(others))


def _with_bots(connection: sa.Connection, player: str) -> list[str]:
    bots = connection.execute(sa.select(players.c.id).where(players.c.owner == player))
    return [player, *bots.scalars()]


def _valid_reset(token_hash: str, now: datetime.datetime) -> sa.ColumnElement[bool]:
    return (password_resets.c.token_hash == token_hash) & (password_resets.c.expires > now)


@functools.cache
def _by_session() -> sa.Select[Any]:
    """The query for a session and its player. Built once, because every request and every socket uses it."""
    both = sa.select(*_columns(players, "player", _PLAYER), *_columns(sessions, "session", _SESSION))
    both = both.join_from(sessions, players, sessions.c.player == players.c.id)
    return both.where(sessions.c.token_hash == sa.bindparam("token_hash"))


@functools.cache
def _running_games() -> sa.Select[Any]:
    this: sa.BindParameter[str] = sa.bindparam("player")
    running = sa.select(sa.func.count()).select_from(seats.join(standings, seats.c.game == standings.c.game))
    running = running.where(seats.c.player == this, standings.c.reason.is_(None))
    return sa.select(players.c.kind, running.scalar_subquery()).where(players.c.id == this)


def _columns(table: sa.FromClause, prefix: str, names: Iterable[str]) -> list[sa.Label[Any]]:
    return [table.c[name].label(f"{prefix}_{name}") for name in names]


def _player(row: Any, prefix: str = "player") -> Player:
    return Player(**{name: getattr(row, f"{prefix}_{name}") for name in _PLAYER})


def _session(row: Any) -> Session:
    return Session(**{name: getattr(row, f"session_{name}") for name in _SESSION})


def _add_session(connection: sa.Connection, session: Session) -> None:
    connection.execute(sessions.insert(), {name: getattr(session, name) for name in _SESSION})


def _add_player(connection: sa.Connection, player: Player, key: str | None, password: str | None) -> None:
    row = {name: getattr(player, name) for name in _PLAYER} | {"key": key, "password": password}
    connection.execute(players.insert(), row)
    if player.name:
        _add_shapes(connection, player.id, player.name)


def _add_shapes(connection: sa.Connection, player: str, name: str) -> None:
    # The shapes are sorted, so that two transactions cannot deadlock.
    connection.execute(name_shapes.insert(), [{"shape": shape, "player": player} for shape in shapes(name)])


def _report(row: Any) -> Report:
    about = _player(row, "about") if row.about else None
    return Report(row.id, row.game, _player(row, "by"), about, row.text, row.created, row.done, row.puzzle)


def _json_value(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime.datetime) else value
