"""Challenges in the database."""

from __future__ import annotations

import datetime
from typing import Any, Final

import sqlalchemy as sa

from cairn.server.backend import statements
from cairn.server.challenges_storage import Challenge
from cairn.server.clocks import control_from_json, control_to_json
from cairn.server.identity_database import Transactions
from cairn.server.models import SeatPlayer
from cairn.server.online_database import seat_players
from cairn.server.tables import challenges, players

_PLAIN: Final = (
    *("id", "created", "creator", "invite_hash", "seat_hash", "open", "variant", "tribe", "first"),
    *("rated", "seed", "level", "opponent", "rematch_of", "state", "game"),
)


class ChallengeDatabase:
    """Keeps challenges in a database: a :class:`~cairn.server.challenges_storage.ChallengeStorage`."""

    def __init__(self, database: Transactions) -> None:
        self._database: Final = database

    async def add(self, challenge: Challenge) -> None:
        """Keep a new one."""
        row = {name: getattr(challenge, name) for name in _PLAIN}
        row["clock"] = control_to_json(challenge.control)
        row["commitment"] = challenge.commitment.hex()
        row["number"] = None if challenge.number is None else challenge.number.hex()
        await self._database.write(statements(challenges.insert().values(**row)))

    async def find(self, name: str, invite_hash: str) -> Challenge | None:
        """The challenge with that id, or with that invitation."""
        found = await self._select((challenges.c.id == name) | (challenges.c.invite_hash == invite_hash), 1)
        return found[0] if found else None

    async def set_number(self, challenge: str, number: bytes) -> bool:
        """Keep the creator's number."""
        waiting = _open(challenge) & challenges.c.number.is_(None)
        return await self._change(challenges.update().where(waiting).values(number=number.hex()))

    async def withdraw(self, challenge: str) -> bool:
        """End an open challenge."""
        return await self._change(challenges.update().where(_open(challenge)).values(state="withdrawn"))

    async def lobby(self, since: datetime.datetime, limit: int) -> list[Challenge]:
        """The challenges that everybody can accept, the newest first."""
        shown = (challenges.c.state == "open") & challenges.c.open & (challenges.c.created > since)
        return await self._select(shown & challenges.c.number.is_not(None) & challenges.c.level.is_(None), limit)

    async def rematch_of(self, game: str) -> list[Challenge]:
        """The open challenges to play again after a game."""
        return await self._select((challenges.c.rematch_of == game) & (challenges.c.state == "open"), 10)

    async def count_open(self, creator: str) -> int:
        """How many open challenges a player has."""
        theirs = (challenges.c.creator == creator) & (challenges.c.state == "open")
        counted = sa.select(sa.func.count()).select_from(challenges).where(theirs)
        return await self._database.read(lambda connection: int(connection.execute(counted).scalar_one()))

    async def players(self, ids: set[str], at: datetime.datetime) -> dict[str, SeatPlayer]:
        """Who these players are."""
        return await self._database.read(lambda connection: seat_players(connection, ids, at))

    async def accounts_behind(self, ids: set[str]) -> dict[str, str | None]:
        """The account that answers for each player."""
        who = sa.select(players.c.id, players.c.kind, players.c.owner).where(players.c.id.in_(ids))
        rows = await self._database.read(lambda connection: connection.execute(who).all())
        own = {row.id: row.id if row.kind in ("account", "level") else row.owner for row in rows}
        return {each: own.get(each) for each in ids}

    async def _select(self, which: sa.ColumnElement[bool], limit: int) -> list[Challenge]:
        found = sa.select(challenges).where(which).order_by(challenges.c.created.desc(), challenges.c.id).limit(limit)
        return await self._database.read(lambda connection: [_challenge(row) for row in connection.execute(found)])

    async def _change(self, one: sa.Update) -> bool:
        """Change a challenge; whether it was as it had to be."""
        return await self._database.write(lambda connection: connection.execute(one).rowcount == 1)


def _open(challenge: str) -> sa.ColumnElement[bool]:
    return (challenges.c.id == challenge) & (challenges.c.state == "open")


def _challenge(row: sa.Row[Any]) -> Challenge:
    return Challenge(
        **{name: getattr(row, name) for name in _PLAIN},
        control=control_from_json(row.clock),
        commitment=bytes.fromhex(row.commitment),
        number=None if row.number is None else bytes.fromhex(row.number),
    )
