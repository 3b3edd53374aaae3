"""Ratings in the database. They change in the transaction that stores the end of a game."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection
from typing import Any, Final, Literal, TypeAlias

import sqlalchemy as sa

from cairn.rating import Rating, after_absence, periods_in, rate_game
from cairn.server.game.log import RatedResult
from cairn.server.game.names import VariantName
from cairn.server.game.seats import SeatPlayer
from cairn.server.storage.tables import players, rating_history, ratings

RatedVariant: TypeAlias = VariantName | Literal["all"]
ALL: Final = "all"
"""The name for all variants together."""
PROVISIONAL: Final = 110.0
"""Ratings with a greater deviation are shown as provisional."""

# These statements are built once, because loading a game reads its players' ratings.
_OF: Final[sa.BindParameter[Any]] = sa.bindparam("of", expanding=True)
_RATINGS: Final = sa.select(ratings).where(ratings.c.player.in_(_OF), ratings.c.variant == sa.bindparam("variant"))
_PLAYERS: Final = sa.select(players).where(players.c.id.in_(_OF))
# These statements are built once, because the end of every rated game changes four ratings.
_LOCK: Final = (
    sa.select(players.c.id).where(players.c.id.in_(_OF)).order_by(players.c.id).with_for_update(key_share=True)
)
_CHANGE: Final = ratings.update().where(
    ratings.c.player == sa.bindparam("of_player"), ratings.c.variant == sa.bindparam("in_variant")
)
_ADD: Final = ratings.insert()
_ADD_HISTORY: Final = rating_history.insert()


@dataclasses.dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating."""

    rating: Rating
    games: int
    changed: datetime.datetime

    def now(self, at: datetime.datetime) -> Rating:
        """The rating, with its deviation increased for the time since the last game."""
        return after_absence(self.rating, periods_in((at - self.changed).total_seconds()))


def rate(connection: sa.Connection, result: RatedResult, at: datetime.datetime) -> None:
    """Update both players' ratings after a game, in its variant and across all variants."""
    pair = (result.forest, result.sea)
    # Lock both players, because two of their games may end at the same time.
    connection.execute(_LOCK, {"of": list(pair)})
    for variant in (ALL, result.variant):
        before = ratings_of(connection, pair, variant)
        known = [before.get(player, Rated(Rating(), 0, at)) for player in pair]
        periods = [periods_in((at - each.changed).total_seconds()) for each in known]
        rated = rate_game(known[0].rating, known[1].rating, result.score, (periods[0], periods[1]))
        for own, score in ((0, result.score), (1, 1 - result.score)):
            player, after = pair[own], rated[own]
            row = dataclasses.asdict(after) | {"games": known[own].games + 1, "changed": at}
            if player in before:
                connection.execute(_CHANGE, {"of_player": player, "in_variant": variant, **row})
            else:
                connection.execute(_ADD, {"player": player, "variant": variant, **row})
            history = {
                "player": player,
                "game": result.game,
                "variant": variant,
                "opponent": pair[1 - own],
                "score": score,
                "before": known[own].rating.rating,
                "rating": after.rating,
                "deviation": after.deviation,
                "time": at,
            }
            connection.execute(_ADD_HISTORY, history)


def ratings_of(connection: sa.Connection, of: Collection[str], variant: str = ALL) -> dict[str, Rated]:
    """The ratings of players in a variant, or across all variants."""
    rows = connection.execute(_RATINGS, {"of": list(of), "variant": variant})
    return {row.player: rated_of(row) for row in rows}


def rated_of(row: sa.Row[Any]) -> Rated:
    """The rating in a row of the ratings table."""
    return Rated(Rating(row.rating, row.deviation, row.volatility), row.games, row.changed)


def seat_players(connection: sa.Connection, ids: Collection[str], at: datetime.datetime) -> dict[str, SeatPlayer]:
    """These players with their current ratings. Presence is not known here, so ``online`` is false."""
    rows = connection.execute(_PLAYERS, {"of": list(ids)}).all()
    rated = ratings_of(connection, ids)
    found = {}
    for row in rows:
        known = rated[row.id].now(at) if row.id in rated else None
        found[row.id] = SeatPlayer(
            id=row.id,
            kind=row.kind,
            name=row.name,
            rating=round(known.rating) if known else None,
            provisional=known is None or known.deviation > PROVISIONAL,
            online=False,
        )
    return found
