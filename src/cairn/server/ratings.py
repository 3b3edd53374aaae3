"""Who is how strong: profiles, the leaderboard, and games that can be watched."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Final

from cairn.server import names, views
from cairn.server.errors import Refusal
from cairn.server.models import Players
from cairn.server.online_models import (
    Leader,
    Leaderboard,
    LiveGameView,
    Profile,
    RatingPoint,
    RatingView,
)
from cairn.server.ratings_database import PROVISIONAL, Rated, RatedVariant
from cairn.server.ratings_queries import RatingDatabase

MOST_POINTS: Final = 500
MOST_RECENT: Final = 20


class Rankings:
    """Tells what is known about players. It decides nothing."""

    def __init__(
        self,
        storage: RatingDatabase,
        now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
    ) -> None:
        self._storage: Final = storage
        self._now: Final = now

    async def profile(self, name: str) -> Profile:
        """A player, by name or id."""
        player = await self._storage.find_player(name, names.key_of(name))
        if player is None or player.view.kind == "deleted":
            raise Refusal(404, "unknown-player", "There is no such player.")
        now = self._now()
        rated = await self._storage.all_ratings(player.view.id)
        points = await self._storage.history(player.view.id, MOST_POINTS)
        return Profile(
            player=player.view,
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
            results=await self._storage.results(player.view.id),
            recent=[views.summary(each) for each in await self._storage.recent(player.view.id, MOST_RECENT)],
        )

    async def leaderboard(self, variant: RatedVariant, limit: int) -> Leaderboard:
        """The strongest players, guests left out."""
        now = self._now()
        found = await self._storage.leaders(variant, limit)
        leaders = [
            Leader(rank=rank, player=player, rating=_view(variant, rated, now))
            for rank, (player, rated) in enumerate(found, start=1)
        ]
        return Leaderboard(variant=variant, leaders=leaders)

    async def live_games(self, limit: int) -> list[LiveGameView]:
        """Running online games, the last changed first."""
        found = await self._storage.live_games(limit, self._now())
        return [
            LiveGameView(
                game=views.summary(listed),
                players=Players(forest=people["forest"], sea=people["sea"]),
                clock=views.control_view(control),
            )
            for listed, people, control in found
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
