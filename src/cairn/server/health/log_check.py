"""Slowly verify the logs of all games in the background, to find damage before a game is opened."""

from __future__ import annotations

import asyncio
from typing import Final

from cairn.server.errors import DamagedGameError
from cairn.server.health.damaged_games import DamagedGames
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.games.verified import End

GAMES_AT_ONCE: Final = 100
EVENTS_AT_ONCE: Final = 500
SHORTEST_PAUSE: Final = 0.05
"""The minimum pause between two games or two parts of a long log, in seconds."""
PAUSE_FACTOR: Final = 50
"""Each pause is this many times as long as the work before it."""


class LogCheck:
    """Verifies one log after another."""

    def __init__(
        self, database: Database, games: GameRepository, damaged: DamagedGames, shortest_pause: float = SHORTEST_PAUSE
    ) -> None:
        self._database: Final = database
        self._games: Final = games
        self._damaged: Final = damaged
        self._shortest_pause: Final = shortest_pause

    async def check_all(self) -> None:
        """Verify the logs of all games once, unless another process is already doing so."""
        async with self._database.backend.only_process("log check") as alone:
            last = ""
            while alone and (games := await self._games.ids(last, GAMES_AT_ONCE)):
                for game in games:
                    await self._check(game)
                last = games[-1]

    async def _check(self, game: str) -> None:
        after: End | None = None
        time = asyncio.get_running_loop().time
        try:
            while True:
                began = time()
                after = await self._games.verify_part(game, after, EVENTS_AT_ONCE)
                await asyncio.sleep(max(self._shortest_pause, PAUSE_FACTOR * (time() - began)))
                if after is None:
                    break
        except DamagedGameError:
            return  # the repository has already reported the damage
        self._damaged.repaired(game)
