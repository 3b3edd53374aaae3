"""Queries for lists of games."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import sqlalchemy as sa

from cairn.server.game.clocks import TimeControl, control_from_json
from cairn.server.game.log import GameProjection
from cairn.server.game.names import GameKind, TribeName, VariantName
from cairn.server.game.seats import Seats
from cairn.server.storage.engines.append import PROJECTION_COLUMNS
from cairn.server.storage.games.rows import UNREADABLE, projection_of, seats_of, select_seats
from cairn.server.storage.search_text import matches_search
from cairn.server.storage.tables import games, seats, standings


@dataclasses.dataclass(frozen=True, slots=True)
class GameQuery:
    """Which games to list."""

    search: str = ""
    """Search words, all of which must match a name, a level or the variant. ``a|b`` matches either word, ``level:3``
    matches exactly that level, and ``unnamed:sea`` matches a person without a name who plays Sea."""
    variant: VariantName | None = None
    state: Literal["running", "finished"] | None = None
    offset: int = 0
    limit: int = 50
    player: str | None = None
    """The requesting player. Online games are listed only for their players."""
    own: bool = False
    """Whether to list only the player's own local games."""
    begun: bool = False
    """Whether to leave out local games in which nothing has been played, except the newest game and games from a custom
    position."""


@dataclasses.dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list: everything but its log and its seed."""

    id: str
    created: datetime.datetime
    variant: VariantName | None
    seats: Seats
    projection: GameProjection
    kind: GameKind = "local"
    rated: bool = False
    control: TimeControl = None
    you: tuple[TribeName, ...] = ()
    """In an online game, the tribes of the requesting player."""


def count_games(connection: sa.Connection, which: sa.ColumnElement[bool]) -> int:
    """The number of matching games."""
    count = sa.select(sa.func.count()).select_from(games.join(standings)).where(which)
    return int(connection.execute(count).scalar_one())


def list_games(
    connection: sa.Connection, which: sa.ColumnElement[bool], limit: int, offset: int = 0, player: str | None = None
) -> list[ListedGame]:
    """The matching games, most recently changed first, as seen by ``player``.

    Games with unreadable rows are skipped, so one damaged game does not break the list.
    """
    columns = (games.c.id, games.c.created, games.c.variant, games.c.kind, games.c.rated, games.c.clock)
    page = sa.select(*columns, *PROJECTION_COLUMNS).join_from(games, standings).where(which)
    page = page.order_by(standings.c.changed.desc(), games.c.id).offset(offset).limit(limit)
    rows = _readable(connection, page)
    taken: dict[str, dict[TribeName, sa.Row[Any]]] = {row.id: {} for row in rows}
    for seat in connection.execute(select_seats(seats.c.game.in_(list(taken)))):
        taken[seat.game][seat.tribe] = seat
    found = []
    for row in rows:
        with contextlib.suppress(*UNREADABLE):
            found.append(_listed(row, taken[row.id], player))
    return found


def _readable(connection: sa.Connection, page: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
    """The readable rows of a page. If reading the page fails, each game is queried separately."""
    try:
        return connection.execute(page).all()
    except ValueError:  # a time or a JSON text is damaged
        rows: list[sa.Row[Any]] = []
        for game in connection.execute(page.with_only_columns(games.c.id)).scalars().all():
            with contextlib.suppress(ValueError):
                rows += connection.execute(page.where(games.c.id == game).offset(0)).all()
        return rows


def _listed(row: sa.Row[Any], at_table: Mapping[TribeName, sa.Row[Any]], player: str | None) -> ListedGame:
    return ListedGame(
        id=row.id,
        created=row.created,
        variant=row.variant,
        seats=seats_of(at_table),
        projection=projection_of(row),
        kind=row.kind,
        rated=row.rated,
        control=control_from_json(row.clock),
        you=tuple(tribe for tribe, seat in at_table.items() if seat.player and seat.player == player),
    )


def matches(query: GameQuery) -> sa.ColumnElement[bool]:
    """The SQL condition for a query."""
    conditions = [~standings.c.deleted, _visible_to(query), matches_search(query.search)]
    if query.begun:
        conditions.append(_begun(query))
    if query.variant:
        conditions.append(games.c.variant == query.variant)
    if query.state:
        running = standings.c.reason.is_(None)
        conditions.append(running if query.state == "running" else ~running)
    return sa.and_(*conditions)


def _begun(query: GameQuery) -> sa.ColumnElement[bool]:
    """Games with at least one event, online games, games from a custom position, and the newest game of all."""
    newest = sa.select(games.c.id).join_from(games, standings).where(~standings.c.deleted, _visible_to(query))
    newest = newest.order_by(standings.c.changed.desc(), games.c.id).limit(1).correlate(None)
    listed_anyway = (games.c.kind == "online") | games.c.variant.is_(None)
    return (standings.c.revision > 0) | listed_anyway | (games.c.id == newest.scalar_subquery())


def _visible_to(query: GameQuery) -> sa.ColumnElement[bool]:
    """Local games (only the player's, if ``own`` is set), and the online games in which the player has a seat."""
    sits = sa.select(seats.c.game).where(seats.c.player == query.player) if query.player else None
    local = games.c.kind == "local"
    if query.own:
        local &= games.c.owner == query.player if query.player else sa.false()
    return local | (games.c.id.in_(sits) if sits is not None else sa.false())
