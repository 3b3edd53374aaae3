"""Verify a whole database: the file, every log, every projection, and the ratings."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import functools
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from cairn.server.errors import DamagedGameError
from cairn.server.game.log import GameProjection, StoredGame
from cairn.server.game.state import GameState
from cairn.server.storage.engines.append import PROJECTION_COLUMNS
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.games.rows import header_of, projection_of
from cairn.server.storage.games.verified import read_header, read_part, reading
from cairn.server.storage.ratings import ALL
from cairn.server.storage.tables import games, rating_history, ratings, seats, standings

AT_ONCE: Final = 100
"""How many games or players to read in one query."""


class Finding(NamedTuple):
    """One problem found in a database."""

    where: str
    """The place, such as ``game 7c2e…``."""
    sentence: str

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}"


class Verification:
    """One read-only check of a whole database."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database
        self._games: Final = GameRepository(database)
        self.games = 0
        """How many games have been checked."""

    async def findings(self) -> AsyncIterator[Finding]:
        """Yield each problem as it is found."""
        if file := await self._database.backend.check_file(thorough=True):
            yield Finding("the database", file)
        last = ""
        while ids := await self._games.ids(last, AT_ONCE):
            for game in ids:
                for sentence in await self._check_game(game):
                    yield Finding(f"game {game}", sentence)
            for finding in await self._database.read(functools.partial(_check_results, ids=ids)):
                yield finding
            self.games += len(ids)
            last = ids[-1]
        async for finding in self._check_ratings():
            yield finding

    async def _check_game(self, game: str) -> list[str]:
        def load(connection: sa.Connection) -> tuple[StoredGame, GameProjection] | None:
            found = read_header(connection, game)
            if found is None:
                return None
            log, _ = read_part(connection, game, found.start)
            row = connection.execute(sa.select(*PROJECTION_COLUMNS).where(standings.c.game == game)).one()
            stored = StoredGame(header_of(found.game, found.seats), log, found.game.changed, found.game.deleted)
            return stored, projection_of(row)

        try:
            with reading(game):
                loaded = await self._database.read(load)
        except DamagedGameError as error:
            return [error.damage]
        return await asyncio.to_thread(_compare, *loaded) if loaded else []

    async def _check_ratings(self) -> AsyncIterator[Finding]:
        last = ""
        while players := await self._database.read(functools.partial(_rated_players, after=last)):
            for finding in await self._database.read(functools.partial(_check_players, players=players)):
                yield finding
            last = players[-1]


def _compare(stored: StoredGame, projection: GameProjection) -> list[str]:
    """Compare a game's log with its projection, and return the problems. The hashes have already been verified."""
    try:
        state = GameState.replay(stored)
    except Exception as error:  # noqa: BLE001  # any error means that the log cannot be replayed
        return [f"the log cannot be replayed: {error!r}"]
    changed = stored.log.times[-1] if stored.log.times else stored.header.created
    expected = state.projection(0, changed)
    different = [
        field.name
        for field in dataclasses.fields(GameProjection)
        if field.compare and getattr(expected, field.name) != getattr(projection, field.name)
    ]
    return [f"the projection does not match the log: {', '.join(different)}"] if different else []


def _check_results(connection: sa.Connection, ids: Sequence[str]) -> list[Finding]:
    """Compare the results of games with the rating history."""
    results = sa.select(games.c.id, games.c.variant, games.c.rated, standings.c.winner, standings.c.reason)
    rows = connection.execute(results.join_from(games, standings).where(games.c.id.in_(ids))).all()
    at_table: dict[str, dict[str, str]] = {game: {} for game in ids}
    for seat in connection.execute(sa.select(seats).where(seats.c.game.in_(ids), seats.c.player.is_not(None))):
        at_table[seat.game][seat.tribe] = seat.player
    stored: dict[str, set[tuple[str, str, float]]] = {game: set() for game in ids}
    for row in connection.execute(sa.select(rating_history).where(rating_history.c.game.in_(ids))):
        stored[row.game].add((row.player, row.variant, row.score))
    return [
        Finding(f"game {row.id}", "the rating history does not match the result")
        for row in rows
        if stored[row.id] != set(_expected_history(row, at_table[row.id]))
    ]


def _expected_history(row: Any, at_table: dict[str, str]) -> Iterator[tuple[str, str, float]]:
    if row.rated and row.variant is not None and row.reason is not None:
        for tribe, player in at_table.items():
            score = 0.5 if row.winner is None else float(row.winner == tribe)
            yield from ((player, variant, score) for variant in (ALL, row.variant))


def _rated_players(connection: sa.Connection, after: str) -> list[str]:
    """The next batch of players with a rating or a rating history, ordered by id."""
    rated, changed = (sa.select(table.c.player).where(table.c.player > after) for table in (ratings, rating_history))
    return [*connection.execute(rated.union(changed).order_by("player").limit(AT_ONCE)).scalars()]


def _check_players(connection: sa.Connection, players: Sequence[str]) -> list[Finding]:
    """Check that each player's rating history leads to the current rating without gaps."""
    history: dict[tuple[str, str], list[sa.Row[Any]]] = collections.defaultdict(list)
    for row in connection.execute(sa.select(rating_history).where(rating_history.c.player.in_(players))):
        history[row.player, row.variant].append(row)
    found = []
    for rated in connection.execute(sa.select(ratings).where(ratings.c.player.in_(players))):
        changes = history.pop((rated.player, rated.variant), [])
        # The first change starts from the initial rating; every other change starts from the result of an earlier one.
        starts = collections.Counter([*(change.before for change in changes), rated.rating])
        starts.subtract(change.rating for change in changes)
        if rated.games != len(changes) or [times for times in starts.values() if times] != [1]:
            found.append(_rating_finding(rated.player, rated.variant))
    return found + [_rating_finding(player, variant) for player, variant in history]


def _rating_finding(player: str, variant: str) -> Finding:
    return Finding(f"player {player}", f"the rating for variant {variant!r} does not match its history")
