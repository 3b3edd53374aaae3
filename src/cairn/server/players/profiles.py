"""Player profiles, the leaderboard, and running games to watch."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Final

from cairn.server.errors import Refusal
from cairn.server.messages import views
from cairn.server.messages.games import Players
from cairn.server.messages.lobby import LiveGameView
from cairn.server.messages.players import (
    Leader,
    Leaderboard,
    Profile,
    RatingPoint,
    RatingView,
    ResultsView,
    player_view,
)
from cairn.server.players import names
from cairn.server.storage.rankings import RankingRepository
from cairn.server.storage.ratings import PROVISIONAL, Rated, RatedVariant

MOST_POINTS: Final = 500
MOST_RECENT: Final = 20


class Profiles:
    """Builds profiles, the leaderboard and the list of running games."""

    def __init__(
        self,
        storage: RankingRepository,
        now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
    ) -> None:
        self._storage: Final = storage
        self._now: Final = now

    async def profile(self, name: str) -> Profile:
        """The profile of the player with this name or id."""
        player = await self._storage.find_player(name, names.key_of(name))
        if player is None or player.player.kind == "deleted":
            raise Refusal(404, "unknown-player", "There is no such player.")
        now = self._now()
        rated = await self._storage.all_ratings(player.player.id)
        points = await self._storage.history(player.player.id, MOST_POINTS)
        return Profile(
            player=player_view(player.player),
            created=player.created,
            ratings=[_view(variant, each, now) for variant, each in rated],
            history=[
                RatingPoint(
                    time=row.time,
                    game=row.game,
                    rating=round(row.rating),
                    deviation=round(row.deviation),
                    change=round(row.rating) - round(row.before),
                )
                for row in points
            ],
            results=[
                ResultsView(variant=each.variant, won=each.won, drawn=each.drawn, lost=each.lost)
                for each in await self._storage.results(player.player.id)
            ],
            recent=[views.summary(each) for each in await self._storage.recent(player.player.id, MOST_RECENT)],
        )

    async def leaderboard(self, variant: RatedVariant, limit: int) -> Leaderboard:
        """The strongest players, excluding guests."""
        now = self._now()
        found = await self._storage.leaders(variant, limit)
        leaders = [
            Leader(rank=rank, player=player_view(player), rating=_view(variant, rated, now))
            for rank, (player, rated) in enumerate(found, start=1)
        ]
        return Leaderboard(variant=variant, leaders=leaders)

    async def live_games(self, limit: int) -> list[LiveGameView]:
        """Running online games, most recently changed first."""
        return [
            LiveGameView(
                game=views.summary(running.listed),
                players=Players(forest=running.players["forest"], sea=running.players["sea"]),
                clock=views.control_view(running.listed.control),
            )
            for running in await self._storage.running_games(limit, self._now())
        ]


def _view(variant: RatedVariant, rated: Rated, at: datetime.datetime) -> RatingView:
    now = rated.now(at)
    return RatingView(
        variant=variant,
        rating=round(now.rating),
        deviation=round(now.deviation),
        provisional=now.deviation > PROVISIONAL,
        games=rated.games,
    )
