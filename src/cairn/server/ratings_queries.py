"""What the database knows about players: ratings, their history, results, games."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence
from typing import Any, Final, get_args

import sqlalchemy as sa

from cairn.server.account_models import PlayerView
from cairn.server.clocks import TimeControl, control_from_json
from cairn.server.identity_database import Transactions
from cairn.server.models import Seat, SeatPlayer, Seats, TribeName, VariantName
from cairn.server.online_database import seat_players, seats_of
from cairn.server.online_models import Results
from cairn.server.ratings_database import ALL, Rated, RatedVariant, rated_of
from cairn.server.storage import ListedGame, Standing
from cairn.server.tables import games, players, rating_history, ratings, seats, standings

VARIANTS: Final[tuple[VariantName, ...]] = get_args(VariantName)
NAMED: Final = ("account", "bot", "level")
_STANDING: Final = [column for column in standings.c if column.name not in ("game", "deleted")]


@dataclasses.dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player, and since when there is one."""

    view: PlayerView
    created: datetime.datetime


class RatingDatabase:
    """Looks things up about players."""

    def __init__(self, database: Transactions) -> None:
        self._database: Final = database

    async def find_player(self, name: str, key: str | None) -> KnownPlayer | None:
        """The player with that id, or with that name."""
        which = (players.c.id == name) | (players.c.key == key) if key else players.c.id == name
        one = sa.select(players).where(which).limit(1)
        row = await self._database.read(lambda connection: connection.execute(one).first())
        return KnownPlayer(_player(row), row.created) if row else None

    async def all_ratings(self, player: str) -> list[tuple[RatedVariant, Rated]]:
        """The ratings of a player: in all variants together first."""
        theirs = sa.select(ratings).where(ratings.c.player == player)
        rows = await self._database.read(lambda connection: connection.execute(theirs).all())
        found = {row.variant: rated_of(row) for row in rows}
        order: tuple[RatedVariant, ...] = ("all", *VARIANTS)
        return [(variant, found[variant]) for variant in order if variant in found]

    async def history(self, player: str, limit: int) -> Sequence[sa.Row[Any]]:
        """How the rating in all variants together changed, the oldest first."""
        own = (rating_history.c.player == player) & (rating_history.c.variant == ALL)
        last = sa.select(rating_history).where(own).order_by(rating_history.c.time.desc()).limit(limit)
        return list(reversed(await self._database.read(lambda connection: connection.execute(last).all())))

    async def results(self, player: str) -> list[Results]:
        """How finished online games ended for a player, in each variant that they played."""
        theirs = sa.select(games.c.variant, seats.c.tribe, standings.c.winner, sa.func.count().label("games"))
        theirs = theirs.select_from(games.join(standings).join(seats, seats.c.game == games.c.id))
        theirs = theirs.where(seats.c.player == player, standings.c.reason.is_not(None))
        theirs = theirs.group_by(games.c.variant, seats.c.tribe, standings.c.winner)
        counted: dict[str, dict[str, int]] = {}
        for row in await self._database.read(lambda connection: connection.execute(theirs).all()):
            of_variant = counted.setdefault(row.variant, {"won": 0, "drawn": 0, "lost": 0})
            how = "drawn" if row.winner is None else "won" if row.winner == row.tribe else "lost"
            of_variant[how] += row._mapping["games"]
        return [Results(variant=variant, **counted[variant]) for variant in VARIANTS if variant in counted]

    async def recent(self, player: str, limit: int) -> list[ListedGame]:
        """The last online games of a player."""
        which = games.c.id.in_(sa.select(seats.c.game).where(seats.c.player == player))
        found = await self._database.read(lambda connection: _listed(connection, which, limit))
        return [listed for listed, _ in found]

    async def leaders(self, variant: RatedVariant, limit: int) -> list[tuple[PlayerView, Rated]]:
        """The strongest players who have a name, and the computer's levels."""
        best = sa.select(ratings, players.c.id, players.c.kind, players.c.name)
        best = best.join_from(ratings, players, ratings.c.player == players.c.id)
        best = best.where(ratings.c.variant == variant, players.c.kind.in_(NAMED))
        best = best.order_by(ratings.c.rating.desc(), players.c.id).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(best).all())
        return [(_player(row), rated_of(row)) for row in rows]

    async def live_games(
        self, limit: int, at: datetime.datetime
    ) -> list[tuple[ListedGame, dict[TribeName, SeatPlayer], TimeControl]]:
        """Running online games, with their players and clocks."""
        running = (games.c.kind == "online") & standings.c.reason.is_(None)

        def look(connection: sa.Connection) -> list[tuple[ListedGame, dict[TribeName, SeatPlayer], TimeControl]]:
            found = _listed(connection, running, limit)
            at_table: dict[str, dict[TribeName, SeatPlayer]] = {listed.id: {} for listed, _ in found}
            rows = connection.execute(sa.select(seats).where(seats.c.game.in_(list(at_table)))).all()
            people = seat_players(connection, {row.player for row in rows}, at)
            for row in rows:
                at_table[row.game][row.tribe] = people[row.player]
            return [(listed, at_table[listed.id], control) for listed, control in found]

        return await self._database.read(look)


def _listed(
    connection: sa.Connection, which: sa.ColumnElement[bool], limit: int
) -> list[tuple[ListedGame, TimeControl]]:
    """Games that match, the last changed first, with their clocks."""
    columns = (games.c.id, games.c.created, games.c.variant, games.c.kind, games.c.rated, games.c.clock)
    page = sa.select(*columns, *_STANDING).join_from(games, standings).where(which, ~standings.c.deleted)
    rows = connection.execute(page.order_by(standings.c.changed.desc(), games.c.id).limit(limit)).all()
    taken: dict[str, dict[str, Seat]] = {row.id: {} for row in rows}
    for row in connection.execute(seats_of(seats.c.game.in_(list(taken)))):
        taken[row.game][row.tribe] = Seat(kind=row.kind, level=row.level, name=row.name)
    return [
        (
            ListedGame(
                row.id,
                row.created,
                row.variant,
                Seats(**taken[row.id]),
                Standing(**{column.name: row._mapping[column.name] for column in _STANDING}),
                row.kind,
                row.rated,
            ),
            control_from_json(row.clock),
        )
        for row in rows
    ]


def _player(row: sa.Row[Any]) -> PlayerView:
    return PlayerView(id=row.id, kind=row.kind, name=row.name)
