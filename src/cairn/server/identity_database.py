"""Players in the database, beside the games."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, Protocol

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from cairn.server import identity_deletion
from cairn.server.backend import DELETED, Backend
from cairn.server.identity_storage import (
    SESSION_ID,
    Credentials,
    Forgotten,
    NameTakenError,
    Player,
    Report,
    Row,
    Session,
)
from cairn.server.tables import METADATA, password_resets, players, reports, sessions

_PLAYER: Final = ("id", "kind", "name", "created", "admin", "muted", "owner")
_SESSION: Final = ("token_hash", "player", "kind", "created", "seen", "label")


class Transactions(Protocol):
    """A database: what is done in one transaction is done as a whole, or not at all."""

    def writing(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        """A transaction."""

    def reading(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that only reads."""

    @property
    def backend(self) -> Backend:
        """The engine below."""


class PlayerDatabase:
    """Keeps players in a database: a :class:`~cairn.server.identity_storage.PlayerStorage`."""

    def __init__(self, database: Transactions) -> None:
        self._database: Final = database

    async def add(self, player: Player, key: str | None, password: str | None, session: Session | None) -> None:
        """Keep a new player."""
        row = {name: getattr(player, name) for name in _PLAYER}
        with _names():
            async with self._database.writing() as connection:
                await connection.execute(players.insert().values(**row, key=key, password=password))
                if session:
                    await connection.execute(sessions.insert().values(**_session_row(session)))

    async def make_account(self, player: str, name: str, key: str, password: str, session: Session) -> bool:
        """Turn a guest into an account."""
        guest = (players.c.id == player) & (players.c.kind == "guest")
        account = players.update().where(guest).values(kind="account", name=name, key=key, password=password)
        with _names():
            async with self._database.writing() as connection:
                if (await connection.execute(account)).rowcount != 1:
                    return False
                await connection.execute(sessions.delete().where(sessions.c.player == player))
                await connection.execute(sessions.insert().values(**_session_row(session)))
        return True

    async def by_session(self, token_hash: str) -> tuple[Player, Session] | None:
        """Whose session it is."""
        both = sa.select(*_columns(players, "player", _PLAYER), *_columns(sessions, "session", _SESSION))
        both = both.join_from(sessions, players, sessions.c.player == players.c.id)
        async with self._database.reading() as connection:
            row = (await connection.execute(both.where(sessions.c.token_hash == token_hash))).one_or_none()
        return (_player(row), _session(row)) if row else None

    async def living(self, sessions_of: Collection[str]) -> set[str]:
        """Those of these hashes whose sessions have not ended."""
        async with self._database.reading() as connection:
            found = await connection.execute(
                sa.select(sessions.c.token_hash).where(sessions.c.token_hash.in_(sessions_of))
            )
            return set(found.scalars())

    async def by_key(self, key: str) -> Credentials | None:
        """The player with that name."""
        return await self._credentials(players.c.key == key)

    async def by_id(self, player: str) -> Credentials | None:
        """The player with that id."""
        return await self._credentials(players.c.id == player)

    async def add_session(self, session: Session) -> None:
        """Keep a new session."""
        async with self._database.writing() as connection:
            await connection.execute(sessions.insert().values(**_session_row(session)))

    async def touch(self, token_hash: str, seen: datetime.datetime) -> None:
        """A session was used."""
        async with self._database.writing() as connection:
            await connection.execute(sessions.update().where(sessions.c.token_hash == token_hash).values(seen=seen))

    async def end_session(self, token_hash: str) -> None:
        """Forget a session."""
        async with self._database.writing() as connection:
            await connection.execute(sessions.delete().where(sessions.c.token_hash == token_hash))

    async def set_password(self, player: str, password: str, keep: str | None = None) -> None:
        """Keep another hash."""
        async with self._database.writing() as connection:
            await _set_password(connection, player, password, keep)

    async def renew_hash(self, player: str, old: str, password: str) -> None:
        """Keep another hash of the same password."""
        still = (players.c.id == player) & (players.c.password == old)
        async with self._database.writing() as connection:
            await connection.execute(players.update().where(still).values(password=password))

    async def add_reset(self, token_hash: str, player: str, expires: datetime.datetime) -> None:
        """Keep a link for a new password, instead of any other for that player."""
        async with self._database.writing() as connection:
            await connection.execute(password_resets.delete().where(password_resets.c.player == player))
            row = {"token_hash": token_hash, "player": player, "expires": expires}
            await connection.execute(password_resets.insert().values(**row))

    async def reset_of(self, token_hash: str, now: datetime.datetime) -> Player | None:
        """Whose link it is, if it has not expired."""
        found = sa.select(*_columns(players, "player", _PLAYER)).join_from(
            password_resets, players, password_resets.c.player == players.c.id
        )
        async with self._database.reading() as connection:
            row = (await connection.execute(found.where(_good_reset(token_hash, now)))).one_or_none()
        return _player(row) if row else None

    async def use_reset(self, token_hash: str, now: datetime.datetime, password: str, session: Session) -> bool:
        """Use a link, which then ends."""
        async with self._database.writing() as connection:
            # Whoever deletes it uses it: of two at the same time, one.
            used = await connection.execute(password_resets.delete().where(_good_reset(token_hash, now)))
            if used.rowcount != 1:
                return False
            await _set_password(connection, session.player, password)
            await connection.execute(sessions.insert().values(**_session_row(session)))
        return True

    async def bots_of(self, owner: str) -> list[tuple[Player, Session | None]]:
        """The bots of an account, once for each of their tokens, or once without."""
        both = sa.select(*_columns(players, "player", _PLAYER), *_columns(sessions, "session", _SESSION))
        both = both.outerjoin_from(players, sessions, sessions.c.player == players.c.id)
        both = both.where(players.c.owner == owner).order_by(players.c.created, sessions.c.created)
        async with self._database.reading() as connection:
            rows = (await connection.execute(both)).all()
        return [(_player(row), _session(row) if row.session_token_hash else None) for row in rows]

    async def end_bot_session(self, owner: str, session: str) -> str | None:
        """Forget the token of a bot, by its id; whose it was."""
        bots = sa.select(players.c.id).where(players.c.owner == owner)
        theirs = sessions.c.player.in_(bots) & (sa.func.substr(sessions.c.token_hash, 1, SESSION_ID) == session)
        async with self._database.writing() as connection:
            bot = (await connection.execute(sa.select(sessions.c.player).where(theirs))).scalar()
            await connection.execute(sessions.delete().where(theirs))
        return bot

    async def set_muted(self, player: str, muted: bool) -> None:
        """Whether a player may not talk."""
        await self._set(player, muted=muted)

    async def set_admin(self, player: str, admin: bool) -> None:
        """Whether a player is an administrator."""
        await self._set(player, admin=admin)

    async def delete(self, player: str) -> Forgotten:
        """Forget a player and their bots; what they played stays."""
        async with self._database.writing() as connection:
            gone = await identity_deletion.forget(connection, player)
            # Other processes forget what they have in memory of these games.
            await self._database.backend.announce(connection, [(game, DELETED) for game in gone.games])
        return gone

    async def sweep(self, before: datetime.datetime) -> int:
        """Forget guests who did nothing that is kept."""
        swept = 0
        while True:
            async with self._database.writing() as connection:
                some = await identity_deletion.sweep(connection, before)
            swept += some
            if some < identity_deletion.TOGETHER:
                return swept

    async def export(self, player: str) -> dict[str, list[Row]]:
        """Every row about a player, by table, without secrets.

        Whatever table comes to name players is in it, too: see ``SECRET`` and ``NOT_THEIRS`` of the tables.
        """
        found: dict[str, list[Row]] = {}
        async with self._database.reading() as connection:
            theirs = await _with_bots(connection, player)
            for table, links in tables_about_players():
                shown = [column for column in table.c if not column.info.get("secret")]
                about = sa.or_(*(link.in_(theirs) for link in links))
                rows = await connection.execute(sa.select(*shown).where(about).order_by(*table.primary_key))
                found[table.name] = [{name: _plain(value) for name, value in row._mapping.items()} for row in rows]
        return found

    async def add_report(
        self, by: str, about: str | None, game: str | None, text: str, created: datetime.datetime
    ) -> int:
        """Keep a report; its id."""
        row = {"by": by, "about": about, "game": game, "text": text, "created": created, "done": False}
        async with self._database.writing() as connection:
            added = await connection.execute(reports.insert().values(**row).returning(reports.c.id))
            return int(added.scalar_one())

    async def reports(self, done: bool | None, offset: int, limit: int) -> tuple[Sequence[Report], int]:
        """Reports, the newest first, and how many there are on all pages."""
        by, about = players.alias("reporters"), players.alias("reported")
        page = sa.select(reports, *_columns(by, "by", _PLAYER), *_columns(about, "about", _PLAYER))
        page = page.join_from(reports, by, reports.c.by == by.c.id).outerjoin(about, reports.c.about == about.c.id)
        count = sa.select(sa.func.count()).select_from(reports)
        if done is not None:
            page, count = page.where(reports.c.done == done), count.where(reports.c.done == done)
        page = page.order_by(reports.c.created.desc(), reports.c.id.desc()).offset(offset).limit(limit)
        async with self._database.reading() as connection:
            total = (await connection.execute(count)).scalar_one()
            rows = (await connection.execute(page)).all()
        return [_report(row) for row in rows], total

    async def set_report_done(self, report: int) -> bool:
        """Nothing is left to do about it."""
        async with self._database.writing() as connection:
            changed = await connection.execute(reports.update().where(reports.c.id == report).values(done=True))
            return changed.rowcount == 1

    async def _credentials(self, which: sa.ColumnElement[bool]) -> Credentials | None:
        found = sa.select(*_columns(players, "player", _PLAYER), players.c.password).where(which)
        async with self._database.reading() as connection:
            row = (await connection.execute(found)).one_or_none()
        return Credentials(_player(row), row.password) if row else None

    async def _set(self, player: str, **values: bool) -> None:
        async with self._database.writing() as connection:
            await connection.execute(players.update().where(players.c.id == player).values(**values))


def tables_about_players() -> Iterator[tuple[sa.Table, list[sa.Column[Any]]]]:
    """The tables whose rows are about players, each with the columns that say about whom."""
    for table in METADATA.sorted_tables:
        links = [
            column
            for column in table.c
            if not column.info.get("not_theirs") and any(key.column is players.c.id for key in column.foreign_keys)
        ]
        if table is players:
            links.append(players.c.id)
        if links:
            yield table, links


@contextlib.contextmanager
def _names() -> Iterator[None]:
    """The one thing that can be taken already is a name: everything else that is unique is random."""
    try:
        yield
    except sa.exc.IntegrityError:
        raise NameTakenError from None


async def _set_password(connection: AsyncConnection, player: str, password: str, keep: str | None = None) -> None:
    others = (sessions.c.player == player) & (sessions.c.kind == "browser")
    if keep:
        others &= sessions.c.token_hash != keep
    await connection.execute(players.update().where(players.c.id == player).values(password=password))
    await connection.execute(password_resets.delete().where(password_resets.c.player == player))
    await connection.execute(sessions.delete().where(others))


async def _with_bots(connection: AsyncConnection, player: str) -> list[str]:
    bots = await connection.execute(sa.select(players.c.id).where(players.c.owner == player))
    return [player, *bots.scalars()]


def _good_reset(token_hash: str, now: datetime.datetime) -> sa.ColumnElement[bool]:
    return (password_resets.c.token_hash == token_hash) & (password_resets.c.expires > now)


def _columns(table: sa.FromClause, prefix: str, names: Iterable[str]) -> list[sa.Label[Any]]:
    return [table.c[name].label(f"{prefix}_{name}") for name in names]


def _player(row: Any, prefix: str = "player") -> Player:
    return Player(**{name: getattr(row, f"{prefix}_{name}") for name in _PLAYER})


def _session(row: Any) -> Session:
    return Session(**{name: getattr(row, f"session_{name}") for name in _SESSION})


def _session_row(session: Session) -> dict[str, object]:
    return {name: getattr(session, name) for name in _SESSION}


def _report(row: Any) -> Report:
    about = _player(row, "about") if row.about else None
    return Report(row.id, row.game, _player(row, "by"), about, row.text, row.created, row.done)


def _plain(value: object) -> object:
    """A value as JSON has it."""
    return value.isoformat() if isinstance(value, datetime.datetime) else value
