"""People and puzzles: first attempts, the ratings that follow from them, and reports of wrong puzzles."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from cairn import puzzles
from cairn.rating import Rating
from cairn.server.errors import Refusal
from cairn.server.messages.players import PuzzleAttempt, PuzzleRatings, PuzzleRatingView
from cairn.server.meter import in_thread
from cairn.server.players.identity import Identity
from cairn.server.storage.players.rows import Player
from cairn.server.storage.puzzles import PuzzleRating, PuzzleRepository


class Puzzles:
    """Rates puzzles by the attempts of people, and takes reports about them."""

    def __init__(self, storage: PuzzleRepository, identity: Identity, now: Callable[[], datetime.datetime]) -> None:
        self._storage: Final = storage
        self._identity: Final = identity
        self._now: Final = now

    async def attempt(self, player: Player, attempts: Sequence[PuzzleAttempt]) -> PuzzleRatings:
        """Store a player's first attempts. Puzzles that this server does not know are ignored.

        A page may be older or newer than the server, and must not send such an attempt again and again.
        """
        packaged = await in_thread(packaged_ratings)
        known: dict[str, bool] = {}
        for each in attempts:
            if each.puzzle in packaged:
                known.setdefault(each.puzzle, each.solved)
        return _view(await self._storage.add(player.id, known, packaged, self._now()) if known else {})

    async def ratings(self) -> PuzzleRatings:
        """The ratings of the puzzles that people have tried."""
        return _view(await self._storage.ratings())

    async def report(self, player: Player, puzzle: str, text: str) -> None:
        """Report a puzzle to the administrators."""
        if puzzle not in await in_thread(packaged_ratings):
            raise Refusal(404, "not-found", "There is no such puzzle.")
        await self._identity.report(player, None, None, text, puzzle=puzzle)


@functools.cache
def packaged_ratings() -> Mapping[str, Rating]:
    """The ratings of all puzzles in the package, by id. The first call reads the file."""
    return {
        each.id: Rating(each.rating, each.deviation)
        for each in puzzles.released()
        if each.rating is not None and each.deviation is not None
    }


def _view(ratings: Mapping[str, PuzzleRating]) -> PuzzleRatings:
    return PuzzleRatings(
        ratings={
            puzzle: PuzzleRatingView(
                rating=round(each.rating.rating), deviation=round(each.rating.deviation), attempts=each.attempts
            )
            for puzzle, each in ratings.items()
        }
    )
