"""Queries about players: ratings, rating history, results, games, and the leaderboard."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Sequence
from typing import Any, Final, get_args

import sqlalchemy as sa

from cairn.server.game.names import TribeName, VariantName
from cairn.server.game.seats import SeatPlayer
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.listing import ListedGame, list_games
from cairn.server.storage.players.rows import PublicPlayer
from cairn.server.storage.ratings import ALL, Rated, RatedVariant, rated_of, seat_players
from cairn.server.storage.tables import games, players, rating_history, ratings, seats, standings

VARIANTS: Final[tuple[VariantName, ...]] = get_args(VariantName)
NAMED: Final = ("account", "bot", "level")


@dataclasses.dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player, and the time when the player was created."""

    player: PublicPlayer
    created: datetime.datetime


@dataclasses.dataclass(frozen=True, slots=True)
class Results:
    """The results of a player's finished online games in a variant."""

    variant: VariantName
    won: int
    drawn: int
    lost: int


@dataclasses.dataclass(frozen=True, slots=True)
class RunningGame:
    """A running online game and its players."""

    listed: ListedGame
    players: dict[TribeName, SeatPlayer]


@dataclasses.dataclass(frozen=True, slots=True)
class Encounters:
    """The rated games between two players."""

    one: str
    other: str
    games: int
    score: float
    """The points that ``one`` has scored."""


class RankingRepository:
    """Queries for profiles, the leaderboard and lists of running games."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    async def find_player(self, name: str, key: str | None) -> KnownPlayer | None:
        """The player with this id or name."""
        which = (players.c.id == name) | (players.c.key == key) if key else players.c.id == name
        one = sa.select(players).where(which).limit(1)
        row = await self._database.read(lambda connection: connection.execute(one).first())
        return KnownPlayer(_player(row), row.created) if row else None

    async def players_by_id(self, ids: Collection[str]) -> dict[str, PublicPlayer]:
        """The players with these ids, by id. Unknown ids are left out."""
        which = sa.select(players).where(players.c.id.in_(ids))
        rows = await self._database.read(lambda connection: connection.execute(which).all())
        return {row.id: _player(row) for row in rows}

    async def encounters(self, ids: Collection[str], fewest: int) -> list[Encounters]:
        """The pairs of these players that have played at least ``fewest`` rated games against each other."""
        own = rating_history.c
        pairs = sa.select(
            own.player, own.opponent, sa.func.count().label("games"), sa.func.sum(own.score).label("score")
        )
        pairs = pairs.where(own.variant == ALL, own.player.in_(ids), own.opponent.in_(ids), own.player < own.opponent)
        pairs = pairs.group_by(own.player, own.opponent).having(sa.func.count() >= fewest)
        rows = await self._database.read(lambda connection: connection.execute(pairs).all())
        return [Encounters(row.player, row.opponent, row._mapping["games"], row.score) for row in rows]

    async def all_ratings(self, player: str) -> list[tuple[RatedVariant, Rated]]:
        """A player's ratings, starting with the rating across all variants."""
        theirs = sa.select(ratings).where(ratings.c.player == player)
        rows = await self._database.read(lambda connection: connection.execute(theirs).all())
        found = {row.variant: rated_of(row) for row in rows}
        order: tuple[RatedVariant, ...] = ("all", *VARIANTS)
        return [(variant, found[variant]) for variant in order if variant in found]

    async def history(self, player: str, limit: int) -> Sequence[sa.Row[Any]]:
        """The latest changes to the rating across all variants, oldest first."""
        own = (rating_history.c.player == player) & (rating_history.c.variant == ALL)
        last = sa.select(rating_history).where(own).order_by(rating_history.c.time.desc()).limit(limit)
        return list(reversed(await self._database.read(lambda connection: connection.execute(last).all())))

    async def results(self, player: str) -> list[Results]:
        """The results of a player's finished online games, per variant."""
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
        """A player's latest online games."""
        which = games.c.id.in_(sa.select(seats.c.game).where(seats.c.player == player))
        existing = which & ~standings.c.deleted
        return await self._database.read(lambda connection: list_games(connection, existing, limit))

    async def leaders(self, variant: RatedVariant, limit: int) -> list[tuple[PublicPlayer, Rated]]:
        """The strongest named players, including the computer opponents."""
        best = sa.select(ratings, players.c.id, players.c.kind, players.c.name)
        best = best.join_from(ratings, players, ratings.c.player == players.c.id)
        best = best.where(ratings.c.variant == variant, players.c.kind.in_(NAMED))
        best = best.order_by(ratings.c.rating.desc(), players.c.id).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(best).all())
        return [(_player(row), rated_of(row)) for row in rows]

    async def running_games(self, limit: int, at: datetime.datetime) -> list[RunningGame]:
        """Running online games with their players, most recently changed first."""
        running = (games.c.kind == "online") & standings.c.reason.is_(None) & ~standings.c.deleted

        def load(connection: sa.Connection) -> list[RunningGame]:
            found = list_games(connection, running, limit)
            at_table: dict[str, dict[TribeName, SeatPlayer]] = {listed.id: {} for listed in found}
            rows = connection.execute(sa.select(seats).where(seats.c.game.in_(list(at_table)))).all()
            people = seat_players(connection, {row.player for row in rows}, at)
            for row in rows:
                at_table[row.game][row.tribe] = people[row.player]
            return [RunningGame(listed, at_table[listed.id]) for listed in found]

        return await self._database.read(load)


def _player(row: sa.Row[Any]) -> PublicPlayer:
    return PublicPlayer(row.id, row.kind, row.name)
