"""What was said at tables, in the database."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from cairn.server.account_models import PlayerView
from cairn.server.identity_database import Transactions
from cairn.server.models import TribeName
from cairn.server.online_models import ChatLine, PhraseName
from cairn.server.tables import games, messages, players


@dataclasses.dataclass(frozen=True, slots=True)
class Said:
    """A line that is to be kept."""

    game: str
    player: str
    tribe: TribeName
    text: str | None
    phrase: PhraseName | None
    created: datetime.datetime
    command: str | None
    """The key of the command; one that is kept already is not kept again."""


class ChatDatabase:
    """Keeps what was said."""

    def __init__(self, database: Transactions) -> None:
        self._database: Final = database

    async def add(self, said: Said) -> ChatLine | None:
        """Keep a line, under the next number of its game; ``None`` if it was kept before."""
        this = messages.c.game == said.game

        def add(connection: sa.Connection) -> ChatLine | None:
            # Who talks in the same game waits here, so that every line gets a number of its own.
            connection.execute(sa.select(games.c.id).where(games.c.id == said.game).with_for_update(key_share=True))
            if said.command:
                known = sa.select(messages.c.number).where(this, messages.c.command == said.command)
                if connection.execute(known).first():
                    return None
            last = connection.execute(sa.select(sa.func.max(messages.c.number)).where(this)).scalar()
            number = (last or 0) + 1
            connection.execute(messages.insert().values(number=number, **dataclasses.asdict(said)))
            return _line(connection.execute(_lines(this & (messages.c.number == number))).one())

        return await self._database.write(add)

    async def lines(self, game: str) -> list[ChatLine]:
        """Everything that was said in a game."""
        rows = await self._database.read(lambda connection: connection.execute(_lines(messages.c.game == game)).all())
        return [_line(row) for row in rows]

    async def count(self, game: str) -> int:
        """How many lines a game has."""
        counted = sa.select(sa.func.count()).select_from(messages).where(messages.c.game == game)
        return await self._database.read(lambda connection: int(connection.execute(counted).scalar_one()))

    async def is_muted(self, any_of: Collection[str]) -> bool:
        """Whether one of these players may not talk."""
        muted = sa.select(players.c.id).where(players.c.id.in_(any_of), players.c.muted)
        return await self._database.read(lambda connection: connection.execute(muted).first() is not None)


def _lines(which: sa.ColumnElement[bool]) -> sa.Select[tuple[object, ...]]:
    named = (players.c.id, players.c.kind, players.c.name)
    columns = (messages.c.number, messages.c.tribe, messages.c.text, messages.c.phrase, messages.c.created)
    joined = sa.select(*columns, *named).join_from(messages, players, messages.c.player == players.c.id)
    return joined.where(which).order_by(messages.c.number)


def _line(row: sa.Row[tuple[object, ...]]) -> ChatLine:
    values = row._mapping
    return ChatLine(
        number=values["number"],
        by=PlayerView(id=values["id"], kind=values["kind"], name=values["name"]),
        tribe=values["tribe"],
        text=values["text"],
        phrase=values["phrase"],
        created=values["created"],
    )
