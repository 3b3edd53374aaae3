"""The explorer over the games of this server. Finished games are added in the background, never while a token waits."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Callable
from typing import Final

import cairn.explorer.table as explorer
from cairn.board import Board
from cairn.explorer.tally import NO_GAMES, Tally, won_by
from cairn.explorer.walk import PlayedDecision, decisions, look_at
from cairn.server.errors import DamagedGameError
from cairn.server.game.events import StartDealt
from cairn.server.game.log import StoredGame, standing_tokens
from cairn.server.game.names import VariantName, tribe_name
from cairn.server.messages.games import ExploredMegalith, ExploredStart, ExploredToken, ExplorerSummary
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.explored import ExploredRepository, FinishedGame, Move
from cairn.server.storage.games.repository import GameRepository
from cairn.vocabulary import FOREST, Tribe

GAMES_AT_ONCE: Final = 50
PAUSE_FACTOR: Final = 20
"""Each pause is this many times as long as the work before it."""
SHORTEST_PAUSE: Final = 0.01
WAIT_SECONDS: Final = 0.5
"""How often to check whether another process has finished."""
OVERLAP: Final = datetime.timedelta(hours=1)
"""How far to look back for games that another process has finished or left out."""


class Explorer:
    """What was played in the finished games of this server, and how it scored."""

    def __init__(
        self,
        database: Database,
        games: GameRepository,
        now: Callable[[], datetime.datetime],
        pause_factor: float = PAUSE_FACTOR,
    ) -> None:
        self._database: Final = database
        self._games: Final = games
        self._tables: Final = ExploredRepository(database)
        self._now: Final = now
        self._pause_factor: Final = pause_factor
        self._since: datetime.datetime | None = None
        """Games that have not changed since then have been added already."""

    async def update(self) -> int:
        """Add the games that have finished since the last call. Returns how many were added.

        Does nothing if another process is doing so.
        """
        return await self._update() or 0

    async def rebuild(self) -> int:
        """Empty the tables and add all finished games again. Returns their number.

        If another process is adding games, waits until it is done.
        """
        await self._tables.clear()
        self._since = None
        while (added := await self._update()) is None:
            await asyncio.sleep(WAIT_SECONDS)
        return added

    async def _update(self) -> int | None:
        """Add the games that have finished since the last call; ``None`` if another process is doing so."""
        began, added = self._now(), 0
        async with self._database.backend.only_process("explorer") as alone:
            if not alone:
                return None
            skipped: set[str] = set()
            while True:
                limit = GAMES_AT_ONCE + len(skipped)
                waiting = [each for each in await self._tables.waiting(self._since, limit) if each.id not in skipped]
                if not waiting:
                    self._since = began - OVERLAP
                    break
                for game in waiting:
                    if await self._add(game):
                        added += 1
                    else:
                        skipped.add(game.id)
        return added

    async def _add(self, game: FinishedGame) -> bool:
        """Add a game, slowly. Returns false if it is damaged or was added by another process."""
        time = asyncio.get_running_loop().time
        began = time()
        try:
            stored = await self._games.load(game.id)
        except DamagedGameError:
            return False  # the repository has already reported the damage
        if stored is None:
            return False
        winner = Tribe(game.winner) if game.winner else None
        moves, megaliths = [], []
        async for decision in _decisions(stored):
            rating = game.ratings.get(tribe_name(decision.decider))
            tally = Tally.of(won_by(decision.active, winner))
            moves += [(Move(look, decision.token, rating), tally) for look in decision.looks]
            megaliths += [(tile.code, rating, found) for tile, found in explorer.performance(decision, winner)]
        added = await self._tables.add(game, moves, megaliths)
        await asyncio.sleep(max(SHORTEST_PAUSE, self._pause_factor * (time() - began)))
        return added

    async def explore(
        self, board: Board, variant: VariantName | None, rating_from: int, *, any_megaliths: bool
    ) -> list[ExploredToken]:
        """What was played at the board's moment, the most frequent token first. Only legal tokens are listed."""
        look, symmetry = look_at(board, any_megaliths=any_megaliths)
        legal = {symmetry.token(token): str(token) for token in board.legal_moves}
        found = []
        for move in await self._tables.moves(look, variant, rating_from):
            if token := legal.get(move.token):
                forest = move.results if board.active is FOREST else move.results.reversed
                rating = None if move.rating is None else round(move.rating)
                found.append(
                    ExploredToken(
                        token=token, forest=forest.won, drawn=forest.drawn, sea=forest.lost, mean_rating=rating
                    )
                )
        return sorted(found, key=lambda each: (-each.forest - each.drawn - each.sea, each.token))

    async def summary(self, variant: VariantName | None, rating_from: int) -> ExplorerSummary:
        """How the megaliths and the starts perform."""
        megaliths = await self._tables.megaliths(variant, rating_from)
        by_look = await self._tables.results_of(explorer.START_LOOKS.values(), variant, rating_from)
        starts = {faces: by_look.get(look, NO_GAMES) for faces, look in explorer.START_LOOKS.items()}
        return ExplorerSummary(
            games=await self._tables.count(variant),
            megaliths=[
                ExploredMegalith(
                    code=code,
                    offered=found.offered,
                    won=found.results.won,
                    drawn=found.results.drawn,
                    lost=found.results.lost,
                )
                for code, found in sorted(megaliths.items())
            ],
            starts=[
                ExploredStart(faces=faces, won=each.won, drawn=each.drawn, lost=each.lost)
                for faces, each in starts.items()
            ],
        )


async def _decisions(stored: StoredGame) -> AsyncIterator[PlayedDecision]:
    """The decisions of a game. The event loop can do other work after each of them."""
    dealt = [event.start for event in stored.log.events if isinstance(event, StartDealt)]
    start = dealt[0] if dealt else stored.header.start
    for decision in decisions(start, standing_tokens(stored.log.events)):
        yield decision
        await asyncio.sleep(0)
