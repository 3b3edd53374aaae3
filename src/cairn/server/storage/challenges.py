"""The challenge repository."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import sqlalchemy as sa

from cairn.server.errors import QuotaError, RematchOfferedError
from cairn.server.game.clocks import TimeControl, control_from_json, control_to_json
from cairn.server.game.names import TribeName, VariantName
from cairn.server.game.seats import SeatPlayer
from cairn.server.storage.engines.database import Database
from cairn.server.storage.players.locks import lock_player
from cairn.server.storage.ratings import seat_players
from cairn.server.storage.tables import challenges, games, players

_PLAIN: Final = (
    *("id", "created", "creator", "invite_hash", "seat_hash", "open", "variant", "tribe", "first"),
    *("rated", "seed", "level", "opponent", "rematch_of", "state", "game", "sealed"),
)

ChallengeState: TypeAlias = Literal["open", "accepted", "withdrawn"]

# These statements are built once, because they run for every new game.
_NEWEST: Final = sa.select(challenges).order_by(challenges.c.created.desc(), challenges.c.id)
_FIND: Final = _NEWEST.where(
    (challenges.c.id == sa.bindparam("name")) | (challenges.c.invite_hash == sa.bindparam("invited"))
).limit(1)
_OPEN: Final = (challenges.c.id == sa.bindparam("this")) & (challenges.c.state == "open")
_SET_NUMBER: Final = (
    challenges.update().where(_OPEN, challenges.c.number.is_(None)).values(number=sa.bindparam("added"))
)
_WITHDRAW: Final = challenges.update().where(_OPEN).values(state="withdrawn")
_ADD: Final = challenges.insert()
_COUNT_OPEN: Final = (
    sa.select(sa.func.count())
    .select_from(challenges)
    .where(challenges.c.creator == sa.bindparam("of_player"), challenges.c.state == "open")
)
_WHO: Final = sa.select(players.c.id, players.c.kind, players.c.owner).where(
    players.c.id.in_(sa.bindparam("of", expanding=True))
)


@dataclasses.dataclass(frozen=True, slots=True)
class Challenge:
    """An offer to play a game."""

    id: str
    """The id of the challenge, and later of its game."""
    created: datetime.datetime
    creator: str
    invite_hash: str = dataclasses.field(repr=False)
    seat_hash: str = dataclasses.field(repr=False)
    open: bool
    variant: VariantName
    tribe: TribeName | None
    first: TribeName | None
    control: TimeControl
    rated: bool
    seed: bytes = dataclasses.field(repr=False)
    commitment: bytes
    number: bytes | None = None
    """The creator's contribution to the randomness of the draws."""
    level: int | None = None
    opponent: str | None = None
    """The only player who may accept the challenge, if it is restricted to one."""
    rematch_of: str | None = None
    state: ChallengeState = "open"
    game: str | None = None
    sealed: bool = False
    """Whether the draws need a link from both players."""


class ChallengeRepository:
    """Stores challenges. Every method may raise :class:`~cairn.server.errors.StorageError`."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    async def add(self, challenge: Challenge, most_open: int | None) -> None:
        """Store a new challenge.

        Raises :class:`QuotaError` if its creator already has ``most_open`` open challenges. Raises
        :class:`RematchOfferedError` if a rematch of the same game has already been offered or accepted.
        """
        row = {name: getattr(challenge, name) for name in _PLAIN}
        row["clock"] = control_to_json(challenge.control)
        row["commitment"] = challenge.commitment.hex()
        row["number"] = None if challenge.number is None else challenge.number.hex()

        def add(connection: sa.Connection) -> None:
            lock_player(connection, challenge.creator)
            if most_open is not None and _count_open(connection, challenge.creator) >= most_open:
                raise QuotaError
            if challenge.rematch_of and challenge.opponent:
                _require_no_rematch(connection, challenge.rematch_of)
            connection.execute(_ADD, row)

        try:
            await self._database.write(add)
        except sa.exc.IntegrityError:
            # Only the index on open rematches can be violated, because all other unique values are random.
            raise RematchOfferedError from None

    async def find(self, name: str, invite_hash: str) -> Challenge | None:
        """The challenge with this id or this invitation hash."""
        which = {"name": name, "invited": invite_hash}
        row = await self._database.read(lambda connection: connection.execute(_FIND, which).first())
        return _challenge(row) if row else None

    async def set_number(self, challenge: str, number: bytes) -> bool:
        """Store the creator's number. Returns false if the challenge already has one or is no longer open."""
        return await self._change(_SET_NUMBER, {"this": challenge, "added": number.hex()})

    async def withdraw(self, challenge: str) -> bool:
        """Withdraw an open challenge. Returns false if it is no longer open."""
        return await self._change(_WITHDRAW, {"this": challenge})

    async def lobby(self, since: datetime.datetime, limit: int) -> list[Challenge]:
        """The challenges that anybody can accept, newest first."""
        listed = (challenges.c.state == "open") & challenges.c.open & (challenges.c.created > since)
        return await self._select(listed & challenges.c.number.is_not(None) & challenges.c.level.is_(None), limit)

    async def rematch_of(self, game: str) -> list[Challenge]:
        """The open rematch offers for a game."""
        return await self._select((challenges.c.rematch_of == game) & (challenges.c.state == "open"), 10)

    async def players(self, ids: set[str], at: datetime.datetime) -> dict[str, SeatPlayer]:
        """These players with their current ratings."""
        return await self._database.read(lambda connection: seat_players(connection, ids, at))

    async def accounts_behind(self, ids: set[str]) -> dict[str, str | None]:
        """The account responsible for each player: a bot's owner, ``None`` for a guest, otherwise the player itself."""
        which = {"of": list(ids)}
        rows = await self._database.read(lambda connection: connection.execute(_WHO, which).all())
        own = {row.id: row.id if row.kind in ("account", "level") else row.owner for row in rows}
        return {each: own.get(each) for each in ids}

    async def offers_to(self, player: str, limit: int) -> list[Challenge]:
        """The open challenges to this player for which the creator's number is known, newest first."""
        ready = (challenges.c.opponent == player) & (challenges.c.state == "open") & challenges.c.number.is_not(None)
        return await self._select(ready, limit)

    async def _select(self, which: sa.ColumnElement[bool], limit: int) -> list[Challenge]:
        found = _NEWEST.where(which).limit(limit)
        return await self._database.read(lambda connection: [_challenge(row) for row in connection.execute(found)])

    async def _change(self, one: sa.Update, values: Mapping[str, str]) -> bool:
        """Run a conditional update of one challenge. Returns false if its condition did not hold."""
        return await self._database.write(lambda connection: connection.execute(one, values).rowcount == 1)


def _count_open(connection: sa.Connection, creator: str) -> int:
    return int(connection.execute(_COUNT_OPEN, {"of_player": creator}).scalar_one())


def _require_no_rematch(connection: sa.Connection, game: str) -> None:
    """Raise :class:`RematchOfferedError` if a rematch has been offered or accepted."""
    connection.execute(sa.select(games.c.id).where(games.c.id == game).with_for_update(key_share=True))
    offered = (challenges.c.rematch_of == game) & (challenges.c.state != "withdrawn")
    if connection.execute(sa.select(challenges.c.id).where(offered)).first():
        raise RematchOfferedError


def _challenge(row: sa.Row[Any]) -> Challenge:
    return Challenge(
        **{name: getattr(row, name) for name in _PLAIN},
        control=control_from_json(row.clock),
        commitment=bytes.fromhex(row.commitment),
        number=None if row.number is None else bytes.fromhex(row.number),
    )
