"""The tables of the explorer: what was played in finished games, how it scored, and how the megaliths performed."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from cairn.explorer import MegalithResults, Tally
from cairn.server.game.names import TribeName, VariantName
from cairn.server.storage.engines.counting import add_counts
from cairn.server.storage.engines.database import Database
from cairn.server.storage.ratings import ALL, ratings_of
from cairn.server.storage.tables import (
    explored_games,
    explored_megaliths,
    explored_moves,
    games,
    rating_history,
    seats,
    standings,
)

RATING_BANDS: Final = (0, 1200, 1600, 2000)
"""The lower limits of the rating bands. Players without a rating are in the first one."""


@dataclasses.dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game that is not in the tables yet."""

    id: str
    variant: VariantName
    winner: TribeName | None
    ratings: Mapping[TribeName, float]
    """The players' ratings before the game; after it, if the game was not rated. Unknown ratings are missing."""


@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    """A token that was played at a moment, in normal form."""

    look: str
    token: str
    rating: float | None
    """The decider's rating."""


@dataclasses.dataclass(frozen=True, slots=True)
class MoveResults:
    """How a token scored."""

    token: str
    results: Tally
    """For the active tribe."""
    rating: float | None
    """The mean rating of those who played it, as far as their ratings are known."""


def band_of(rating: float | None) -> int:
    """The lower limit of a rating's band."""
    return max(limit for limit in RATING_BANDS if limit <= max(rating or 0, 0))


class ExploredRepository:
    """Adds finished games to the tables and queries them. Methods may raise ``StorageError``."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    async def waiting(self, since: datetime.datetime | None, limit: int) -> list[FinishedGame]:
        """Finished games that are not in the tables yet, and have changed since ``since``.

        Games from a custom position, imported records, abandoned games and deleted games are left out.
        """
        known = sa.exists().where(explored_games.c.game == games.c.id)
        found = sa.select(games.c.id, games.c.variant, standings.c.winner).join_from(games, standings)
        found = found.where(
            ~standings.c.deleted,
            standings.c.reason.is_not(None),
            standings.c.reason != "abandoned",
            standings.c.changed > games.c.created,  # a finished record never changes after its import
            games.c.variant.is_not(None),
            ~known,
        )
        if since is not None:
            found = found.where(standings.c.changed >= since)
        some = found.order_by(games.c.id).limit(limit)

        def load(connection: sa.Connection) -> list[FinishedGame]:
            return [
                FinishedGame(row.id, row.variant, row.winner, _ratings(connection, row.id))
                for row in connection.execute(some).all()
            ]

        return await self._database.read(load)

    async def add(
        self,
        game: FinishedGame,
        moves: Iterable[tuple[Move, Tally]],
        megaliths: Iterable[tuple[str, float | None, MegalithResults]],
    ) -> bool:
        """Add a game. Returns false, and changes nothing, if it is in the tables already."""
        move_rows = _summed(("look", "token", "variant", "rating_from"), (_move_row(game, *each) for each in moves))
        megalith_rows = _summed(
            ("megalith", "variant", "rating_from"), (_megalith_row(game, *each) for each in megaliths)
        )

        def add(connection: sa.Connection) -> bool:
            this = sa.select(explored_games.c.game).where(explored_games.c.game == game.id)
            if connection.execute(this).first():
                return False
            # Another process that adds the same game at the same time fails here.
            connection.execute(explored_games.insert(), {"game": game.id, "variant": game.variant})
            add_counts(connection, explored_moves, move_rows)
            add_counts(connection, explored_megaliths, megalith_rows)
            return True

        return await self._database.write(add)

    async def clear(self) -> None:
        """Empty the tables. The games stay."""
        await self._database.execute(explored_moves.delete(), explored_megaliths.delete(), explored_games.delete())

    async def count(self, variant: VariantName | None) -> int:
        """The number of games in the tables."""
        count = sa.select(sa.func.count()).select_from(explored_games).where(*_of_variant(explored_games, variant))
        return await self._database.read(lambda connection: int(connection.execute(count).scalar_one()))

    async def moves(self, look: str, variant: VariantName | None, rating_from: int) -> list[MoveResults]:
        """What was played at a moment by players with at least this rating."""
        table = explored_moves.c
        sums = sa.select(table.token, *_sums(explored_moves, "won", "drawn", "lost", "rated", "rating_sum"))
        sums = sums.where(table.look == look, *_filters(explored_moves, variant, rating_from)).group_by(table.token)
        rows = await self._database.read(lambda connection: connection.execute(sums).all())
        return [
            MoveResults(row.token, _results(row), row.rating_sum / row.rated if row.rated else None) for row in rows
        ]

    async def results_of(
        self, looks: Collection[str], variant: VariantName | None, rating_from: int
    ) -> dict[str, Tally]:
        """The results at some moments, for the active tribe."""
        sums = sa.select(explored_moves.c.look, *_sums(explored_moves, "won", "drawn", "lost"))
        sums = sums.where(explored_moves.c.look.in_(looks), *_filters(explored_moves, variant, rating_from))
        rows = await self._database.read(lambda one: one.execute(sums.group_by(explored_moves.c.look)).all())
        return {row.look: _results(row) for row in rows}

    async def megaliths(self, variant: VariantName | None, rating_from: int) -> dict[str, MegalithResults]:
        """How the megaliths performed, by code."""
        table = explored_megaliths
        sums = sa.select(table.c.megalith, *_sums(table, "offered", "won", "drawn", "lost"))
        sums = sums.where(*_filters(table, variant, rating_from)).group_by(table.c.megalith)
        rows = await self._database.read(lambda connection: connection.execute(sums).all())
        return {row.megalith: MegalithResults(row.offered, _results(row)) for row in rows}


def _ratings(connection: sa.Connection, game: str) -> dict[TribeName, float]:
    """The ratings of a game's players across all variants."""
    at_table = connection.execute(sa.select(seats).where(seats.c.game == game)).all()
    # In a local game, the computer's seat has only a level. Each level is a player too.
    ids = {row.tribe: row.player or (f"level-{row.level}" if row.level else None) for row in at_table}
    of_game = (rating_history.c.game == game) & (rating_history.c.variant == ALL)
    before = connection.execute(sa.select(rating_history.c.player, rating_history.c.before).where(of_game)).all()
    players = [player for player in ids.values() if player]
    current = {player: each.rating.rating for player, each in ratings_of(connection, players).items()}
    known = current | {row.player: row.before for row in before}
    return {tribe: known[player] for tribe, player in ids.items() if player in known}


def _move_row(game: FinishedGame, move: Move, results: Tally) -> dict[str, Any]:
    return {
        "look": move.look,
        "token": move.token,
        "variant": game.variant,
        "rating_from": band_of(move.rating),
        **dataclasses.asdict(results),
        "rated": int(move.rating is not None),
        "rating_sum": move.rating or 0.0,
    }


def _megalith_row(game: FinishedGame, code: str, rating: float | None, found: MegalithResults) -> dict[str, Any]:
    key = {"megalith": code, "variant": game.variant, "rating_from": band_of(rating)}
    return {**key, "offered": found.offered, **dataclasses.asdict(found.results)}


def _summed(keys: Sequence[str], rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add up the rows with equal keys. The order is fixed, so that two processes cannot deadlock."""
    sums: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(row[name] for name in keys)
        known = sums.setdefault(key, {name: row[name] for name in keys})
        for name in row.keys() - set(keys):
            known[name] = known.get(name, 0) + row[name]
    return [sums[key] for key in sorted(sums)]


def _sums(table: sa.Table, *names: str) -> list[sa.ColumnElement[Any]]:
    return [sa.func.sum(table.c[name]).label(name) for name in names]


def _filters(table: sa.Table, variant: VariantName | None, rating_from: int) -> list[sa.ColumnElement[bool]]:
    return [*_of_variant(table, variant), table.c.rating_from >= rating_from]


def _of_variant(table: sa.Table, variant: VariantName | None) -> list[sa.ColumnElement[bool]]:
    return [table.c.variant == variant] if variant else []


def _results(row: sa.Row[Any]) -> Tally:
    return Tally(row.won, row.drawn, row.lost)
