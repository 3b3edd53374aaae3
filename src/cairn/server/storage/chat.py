"""The chat repository."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from cairn.server.errors import QuotaError
from cairn.server.game.names import TribeName
from cairn.server.storage.engines.database import Database
from cairn.server.storage.players.rows import PublicPlayer
from cairn.server.storage.tables import games, messages, players


@dataclasses.dataclass(frozen=True, slots=True)
class NewChatEntry:
    """A chat message to store."""

    game: str
    player: str
    tribe: TribeName
    text: str | None
    phrase: str | None
    created: datetime.datetime
    command: str | None
    """The idempotency key of the command."""


@dataclasses.dataclass(frozen=True, slots=True)
class ChatEntry:
    """A stored chat message."""

    number: int
    by: PublicPlayer
    tribe: TribeName | None
    text: str | None
    phrase: str | None
    created: datetime.datetime


class ChatRepository:
    """Stores chat messages."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    async def add(self, entry: NewChatEntry, most: int | None) -> ChatEntry | None:
        """Store a message under the next number of its game. Returns ``None`` if its command has already been stored.

        Raises :class:`QuotaError` if the game already has ``most`` messages.
        """
        this = messages.c.game == entry.game

        def add(connection: sa.Connection) -> ChatEntry | None:
            # Lock the game, so that every message gets its own number.
            connection.execute(sa.select(games.c.id).where(games.c.id == entry.game).with_for_update(key_share=True))
            if entry.command:
                known = sa.select(messages.c.number).where(this, messages.c.command == entry.command)
                if connection.execute(known).first():
                    return None
            stored = sa.select(sa.func.count(), sa.func.max(messages.c.number)).where(this)
            count, last = connection.execute(stored).one()
            if most is not None and count >= most:
                raise QuotaError
            number = (last or 0) + 1
            connection.execute(messages.insert().values(number=number, **dataclasses.asdict(entry)))
            return _line(connection.execute(_lines(this & (messages.c.number == number))).one())

        return await self._database.write(add)

    async def lines(self, game: str) -> list[ChatEntry]:
        """All messages in a game."""
        rows = await self._database.read(lambda connection: connection.execute(_lines(messages.c.game == game)).all())
        return [_line(row) for row in rows]

    async def is_muted(self, any_of: Collection[str]) -> bool:
        """Whether one of these players is muted."""
        muted = sa.select(players.c.id).where(players.c.id.in_(any_of), players.c.muted)
        return await self._database.read(lambda connection: connection.execute(muted).first() is not None)


def _lines(which: sa.ColumnElement[bool]) -> sa.Select[tuple[object, ...]]:
    named = (players.c.id, players.c.kind, players.c.name)
    columns = (messages.c.number, messages.c.tribe, messages.c.text, messages.c.phrase, messages.c.created)
    joined = sa.select(*columns, *named).join_from(messages, players, messages.c.player == players.c.id)
    return joined.where(which).order_by(messages.c.number)


def _line(row: sa.Row[tuple[object, ...]]) -> ChatEntry:
    values = row._mapping
    return ChatEntry(
        number=values["number"],
        by=PublicPlayer(id=values["id"], kind=values["kind"], name=values["name"]),
        tribe=values["tribe"],
        text=values["text"],
        phrase=values["phrase"],
        created=values["created"],
    )
