"""The repository for attempts at puzzles, and for the ratings that follow from them."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert  # SQLite has the same ON CONFLICT clause

from cairn.rating import Rating, periods_in, rate_game
from cairn.server.storage.engines.database import Database
from cairn.server.storage.tables import players, puzzle_attempts, puzzle_ratings, solver_ratings

NEW_SOLVER: Final = Rating(900)
"""The rating of a player who has tried no puzzle yet. Most puzzles are rated from 600 to 1,200."""


@dataclasses.dataclass(frozen=True, slots=True)
class PuzzleRating:
    """The rating of a puzzle, and how many people have tried it."""

    rating: Rating
    attempts: int


class PuzzleRepository:
    """Stores first attempts, and rates players and puzzles by them."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    async def add(
        self, player: str, attempts: Mapping[str, bool], packaged: Mapping[str, Rating], at: datetime.datetime
    ) -> dict[str, PuzzleRating]:
        """Store a player's attempts in their order, by puzzle: whether each was solved. Returns the new ratings.

        Only the first attempt at a puzzle counts, so a request can be repeated. ``packaged`` has the rating of each
        puzzle that nobody has tried yet.
        """

        def add(connection: sa.Connection) -> dict[str, PuzzleRating]:
            # Locks are taken in a fixed order: first the player, then the puzzles by their ids.
            connection.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update(key_share=True))
            known = sa.select(puzzle_attempts.c.puzzle).where(
                puzzle_attempts.c.player == player, puzzle_attempts.c.puzzle.in_(attempts)
            )
            tried = set(connection.execute(known).scalars())
            new = {puzzle: solved for puzzle, solved in attempts.items() if puzzle not in tried}
            ratings = _locked(connection, {puzzle: packaged[puzzle] for puzzle in attempts}, at)
            if new:
                _rate(connection, player, new, ratings, at)
            return ratings

        return await self._database.write(add)

    async def ratings(self) -> dict[str, PuzzleRating]:
        """The ratings of all puzzles that people have tried."""
        every = sa.select(puzzle_ratings).where(puzzle_ratings.c.attempts > 0)
        rows = await self._database.read(lambda connection: connection.execute(every).all())
        return {row.puzzle: _rating_of(row) for row in rows}


def _locked(
    connection: sa.Connection, packaged: Mapping[str, Rating], at: datetime.datetime
) -> dict[str, PuzzleRating]:
    """The ratings of some puzzles, locked until the end of the transaction. Creates the rows that are missing."""
    ids = sorted(packaged)
    rows = [{"puzzle": each, **dataclasses.asdict(packaged[each]), "attempts": 0, "changed": at} for each in ids]
    connection.execute(insert(puzzle_ratings).on_conflict_do_nothing(), rows)
    some = sa.select(puzzle_ratings).where(puzzle_ratings.c.puzzle.in_(ids))
    found = connection.execute(some.order_by(puzzle_ratings.c.puzzle).with_for_update())
    return {row.puzzle: _rating_of(row) for row in found}


def _rate(
    connection: sa.Connection,
    player: str,
    attempts: Mapping[str, bool],
    ratings: dict[str, PuzzleRating],
    at: datetime.datetime,
) -> None:
    """Rate attempts one after the other, as games between the player and the puzzle, and store the results."""
    mine = connection.execute(sa.select(solver_ratings).where(solver_ratings.c.player == player)).one_or_none()
    solver = Rating(mine.rating, mine.deviation, mine.volatility) if mine else NEW_SOLVER
    periods = periods_in((at - mine.changed).total_seconds()) if mine else 0.0
    for puzzle, solved in attempts.items():
        before = ratings[puzzle]
        # A puzzle does not change while nobody tries it, so its deviation does not grow.
        solver, rating = rate_game(solver, before.rating, float(solved), (periods, 0.0))
        periods = 0.0
        ratings[puzzle] = PuzzleRating(rating, before.attempts + 1)
    time = {"changed": at}
    connection.execute(
        puzzle_ratings.update().where(puzzle_ratings.c.puzzle == sa.bindparam("of_puzzle")),
        [
            {"of_puzzle": each, **dataclasses.asdict(ratings[each].rating), "attempts": ratings[each].attempts, **time}
            for each in sorted(attempts)
        ],
    )
    values = {**dataclasses.asdict(solver), "attempts": (mine.attempts if mine else 0) + len(attempts), **time}
    if mine:
        connection.execute(solver_ratings.update().where(solver_ratings.c.player == player).values(**values))
    else:
        connection.execute(solver_ratings.insert().values(player=player, **values))
    rows = [{"player": player, "puzzle": each, "solved": solved, "time": at} for each, solved in attempts.items()]
    connection.execute(puzzle_attempts.insert(), rows)


def _rating_of(row: sa.Row[Any]) -> PuzzleRating:
    return PuzzleRating(Rating(row.rating, row.deviation, row.volatility), row.attempts)
