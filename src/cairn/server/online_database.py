"""The online part of games in the database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from cairn.server.clocks import control_from_json, control_to_json
from cairn.server.models import Seat, TribeName
from cairn.server.online_storage import ChallengeGoneError, Online, OnlineSeat
from cairn.server.storage import GameQuery, Head
from cairn.server.tables import challenges, games, players, seats


def head_columns(head: Head) -> dict[str, object]:
    """What is stored of a head in ``games``, beside what every game has."""
    online = head.online
    if online is None:
        return {"kind": "local", "owner": head.owner}
    return {
        "kind": "online",
        "owner": head.owner,
        "clock": control_to_json(online.control),
        "rated": online.rated,
        "commitment": online.commitment.hex(),
        "forest_number": online.forest_number.hex(),
        "sea_number": online.sea_number.hex(),
        "first": online.first,
    }


def seat_columns(head: Head, tribe: TribeName) -> dict[str, object]:
    """What is stored of a seat. The name of a player who has one is kept with the player alone."""
    seat: Seat = getattr(head.seats, tribe)
    if head.online is None:
        return seat.model_dump()
    held = head.online.seats[tribe]
    return {"kind": seat.kind, "level": seat.level, "name": None, "player": held.player, "token_hash": held.token_hash}


async def accept_challenge(connection: AsyncConnection, head: Head) -> None:
    """Accept the challenge that a game comes from, in the transaction that creates the game."""
    if head.online and head.online.challenge:
        still_open = (challenges.c.id == head.online.challenge) & (challenges.c.state == "open")
        accepted = challenges.update().where(still_open).values(state="accepted", game=head.id)
        if (await connection.execute(accepted)).rowcount != 1:
            raise ChallengeGoneError


def seats_of(game: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The seats of games, with the names that their players have now."""
    named = sa.func.coalesce(players.c.name, seats.c.name).label("name")
    columns = [column for column in seats.c if column.name != "name"]
    return sa.select(*columns, named).outerjoin_from(seats, players, seats.c.player == players.c.id).where(game)


def online_of(row: sa.Row[Any], of_seats: Mapping[str, sa.Row[Any]]) -> Online | None:
    """The online part of a head, from its row and those of its seats."""
    if row.kind != "online":
        return None
    tribes: tuple[TribeName, TribeName] = ("forest", "sea")
    return Online(
        control=control_from_json(row.clock),
        rated=row.rated,
        commitment=bytes.fromhex(row.commitment),
        forest_number=bytes.fromhex(row.forest_number),
        sea_number=bytes.fromhex(row.sea_number),
        first=row.first,
        seats={tribe: OnlineSeat(of_seats[tribe].player, of_seats[tribe].token_hash) for tribe in tribes},
    )


def listed_for(query: GameQuery) -> sa.ColumnElement[bool]:
    """Whose games are listed: of online games only those that one sits in."""
    sits = sa.select(seats.c.game).where(seats.c.player == query.player) if query.player else None
    theirs = games.c.id.in_(sits) if sits is not None else sa.false()
    local = games.c.kind == "local"
    if query.own:
        local &= games.c.owner == query.player if query.player else sa.false()
    return local | theirs
