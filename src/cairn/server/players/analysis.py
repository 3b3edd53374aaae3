"""The engine for players whose browsers cannot run it: one search at a time, at a low priority, charged to the player.

The engine does not help in a player's own running online games.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from cairn.engine import Analysis, Limit, NativeEngine, Stopper
from cairn.game import Game
from cairn.server.errors import Refusal
from cairn.server.meter import measured
from cairn.server.players.limits import TooMany
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.players.rows import Player
from cairn.vocabulary import Phase

NODES: Final = 1_000_000
"""The length of a search, which takes about a fifth of a second."""
HASH_MEGABYTES: Final = 16
MOST_WAITING: Final = 4
"""The maximum number of searches, across all clients, that are running or waiting."""
NICENESS: Final = 10
"""How much lower than that of the other threads the priority of the searches is."""


class AnalysisService:
    """Analyses moments on a thread of its own. The CPU time counts towards the request."""

    def __init__(self, games: GameRepository) -> None:
        self._games: Final = games
        self._executor: Final = ThreadPoolExecutor(1, "cairn-analysis", initializer=_lower_priority)
        self._engine: NativeEngine | None = None
        self._running: Final[set[Stopper]] = set()

    async def analyse(self, player: Player, game: Game, positions: AbstractSet[str], lines: int) -> Analysis:
        """Find the best lines. ``positions`` are those that the game has gone through, and the current one.

        Raises :class:`Refusal` if one of them is in a running online game of the player, or if nobody has to decide,
        and :class:`TooMany` if too many searches are waiting. Cancelling the call stops the search.
        """
        if game.outcome is not None or game.phase is Phase.DRAW:
            raise Refusal(409, "nothing-to-decide", "Nobody has to decide at this moment.")
        if not positions.isdisjoint(await self._games.running_positions(player.id)):
            sentence = (
                "This position is in one of your running online games. The engine does not help until it is over."
            )
            raise Refusal(403, "running-game", sentence)
        if len(self._running) >= MOST_WAITING:
            raise TooMany(1)
        stopper = Stopper()
        self._running.add(stopper)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._executor, measured(self._search), game, lines, stopper)
        finally:
            self._running.discard(stopper)
            stopper.stop()  # if the caller was cancelled, the thread is still searching

    async def close(self) -> None:
        """Stop all searches."""
        for stopper in list(self._running):
            stopper.stop()
        await asyncio.to_thread(self._executor.shutdown, cancel_futures=True)

    def _search(self, game: Game, lines: int, stopper: Stopper) -> Analysis:
        engine = self._engine = self._engine or NativeEngine(hash_megabytes=HASH_MEGABYTES)
        engine.new_game()  # the result depends only on the moment, not on what others have requested
        found: list[Analysis] = []
        engine.search(game, Limit(nodes=NODES), lines, stopper, found.append)
        return found[-1]


def _lower_priority() -> None:
    """Lower the priority of this thread, if the system allows it."""
    with contextlib.suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
