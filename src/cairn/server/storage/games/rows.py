"""Translation between games and the rows of ``games``, ``seats`` and ``standings``."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

from cairn.server.game.clocks import control_from_json, control_to_json
from cairn.server.game.header import GameHeader, OnlineTerms, SeatHolder
from cairn.server.game.log import GameProjection
from cairn.server.game.names import TRIBE_NAMES, TribeName
from cairn.server.game.seats import Seat, Seats
from cairn.server.storage.engines.append import PROJECTION_COLUMNS
from cairn.server.storage.search_text import search_text
from cairn.server.storage.tables import challenges, games, players, seats, standings
from cairn.vocabulary import Tribe

UNREADABLE: Final = (ValueError, TypeError, LookupError, AttributeError)
"""The errors that the functions below raise for damaged rows."""


def header_row(header: GameHeader) -> dict[str, object]:
    """The row for ``games``."""
    row: dict[str, object] = {
        "id": header.id,
        "created": header.created,
        "variant": header.variant,
        "start": header.start,
        "seed": header.seed,
        "words": search_text((header.seats.forest, header.seats.sea), header.variant),
        "kind": "online" if header.online else "local",
        "owner": header.owner,
    }
    if online := header.online:
        row |= {
            "clock": control_to_json(online.control),
            "rated": online.rated,
            "commitment": online.commitment.hex(),
            "forest_number": online.forest_number.hex(),
            "sea_number": online.sea_number.hex(),
            "first": online.first,
            "proof_version": online.proof_version,
        }
    return row


def seat_rows(header: GameHeader) -> list[dict[str, object]]:
    """The rows for ``seats``. In an online game, names are stored only in ``players``."""
    return [{"game": header.id, "tribe": tribe, **_seat_columns(header, tribe)} for tribe in TRIBE_NAMES]


def _seat_columns(header: GameHeader, tribe: TribeName) -> dict[str, object]:
    seat = header.seats.of(Tribe(tribe))
    if header.online is None:
        return dataclasses.asdict(seat)
    holder = header.online.seats[tribe]
    return {
        "kind": seat.kind,
        "level": seat.level,
        "name": None,
        "player": holder.player,
        "token_hash": holder.token_hash,
    }


def select_headers() -> sa.Select[Any]:
    """Select rows for :func:`header_of`, with the creator of the challenge and the tribe that the creator chose."""
    columns = (standings.c.changed, standings.c.deleted, challenges.c.creator, challenges.c.tribe.label("chosen"))
    joined = games.join(standings).outerjoin(challenges, challenges.c.id == games.c.id)
    return sa.select(games, *columns).select_from(joined)


def select_seats(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Select rows for :func:`seats_of`, with the current names of the players."""
    named = sa.func.coalesce(players.c.name, seats.c.name).label("name")
    columns = [column for column in seats.c if column.name != "name"]
    return sa.select(*columns, named).outerjoin_from(seats, players, seats.c.player == players.c.id).where(which)


def header_of(row: sa.Row[Any], of_seats: Mapping[TribeName, sa.Row[Any]]) -> GameHeader:
    """Build a header from a row of :func:`select_headers` and the rows of its seats."""
    return GameHeader(
        id=row.id,
        created=row.created,
        variant=row.variant,
        start=row.start,
        seats=seats_of(of_seats),
        seed=row.seed,
        owner=row.owner,
        online=_terms_of(row, of_seats) if row.kind == "online" else None,
    )


def seats_of(rows: Mapping[TribeName, sa.Row[Any]]) -> Seats:
    """Build the seats from rows of :func:`select_seats`."""
    return Seats(**{tribe: Seat(kind=row.kind, level=row.level, name=row.name) for tribe, row in rows.items()})


def projection_of(row: sa.Row[Any]) -> GameProjection:
    """Build the projection from a row of ``standings``."""
    return GameProjection(**{column.name: row._mapping[column.name] for column in PROJECTION_COLUMNS})


def _terms_of(row: sa.Row[Any], of_seats: Mapping[TribeName, sa.Row[Any]]) -> OnlineTerms:
    creators = next((tribe for tribe in TRIBE_NAMES if of_seats[tribe].player == row.creator), None)
    return OnlineTerms(
        control=control_from_json(row.clock),
        rated=row.rated,
        commitment=bytes.fromhex(row.commitment),
        forest_number=bytes.fromhex(row.forest_number),
        sea_number=bytes.fromhex(row.sea_number),
        first=row.first,
        seats={tribe: SeatHolder(of_seats[tribe].player, of_seats[tribe].token_hash) for tribe in TRIBE_NAMES},
        tossed=None if row.chosen else creators,
        proof_version=row.proof_version or 1,
    )
