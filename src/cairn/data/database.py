"""Finished games from the database of a server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

from cairn.data.games import ExportedGame, Names
from cairn.server.errors import DamagedGameError
from cairn.server.game.seats import Seat
from cairn.server.game.state import GameState
from cairn.server.messages.records import RecordSource
from cairn.server.storage.backup import verifiable
from cairn.server.storage.games.repository import GameRepository

AT_ONCE: Final = 100
"""How many ids to read in one query."""


async def finished_games(
    where: Path | str, report: Callable[[DamagedGameError], object], *, names: bool
) -> AsyncIterator[ExportedGame]:
    """The finished games of a database, except deleted ones, in the order of their ids, which are random.

    A running server is not disturbed. Calls ``report`` for a damaged game and leaves it out. Raises
    :class:`~cairn.server.errors.DataError` if the database cannot be opened.
    """
    async with verifiable(where) as database:
        repository = GameRepository(database)
        last = ""
        while ids := await repository.ids(last, AT_ONCE):
            for each in ids:
                try:
                    found = await _load(repository, each, names)
                except DamagedGameError as error:
                    report(error)
                    continue
                if found is not None:
                    yield found
            last = ids[-1]


async def _load(repository: GameRepository, game: str, names: bool) -> ExportedGame | None:
    stored = await repository.load(game)
    if stored is None or stored.deleted:
        return None
    try:
        source = RecordSource.of(await asyncio.to_thread(GameState.replay, stored))
    except Exception as error:
        raise DamagedGameError(game, f"the log cannot be replayed: {error!r}") from error
    if source.game.outcome is None:
        return None
    header = source.header
    return ExportedGame(
        source.game,
        "server",
        header.variant,
        _player(header.seats.forest),
        _player(header.seats.sea),
        header.created.date(),
        header.online.rated if header.online else False,
        names=Names(header.id, header.seats.forest.name, header.seats.sea.name) if names else None,
    )


def _player(seat: Seat) -> str:
    return f"level {seat.level}" if seat.kind == "computer" else "person"
