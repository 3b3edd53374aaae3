"""Messages about players: profiles, ratings and the leaderboard."""

from __future__ import annotations

import datetime
from typing import Literal

from cairn.server.game.names import VariantName
from cairn.server.game.seats import PlayerKind
from cairn.server.messages.base import Message
from cairn.server.messages.games import GameSummary
from cairn.server.storage.players.rows import PublicPlayer


class PlayerView(Message):
    """The public data of a player."""

    id: str
    kind: PlayerKind
    name: str | None
    """``null`` for guests and deleted players."""


class RatingView(Message):
    """A player's rating."""

    variant: VariantName | Literal["all"]
    rating: int
    deviation: int
    provisional: bool
    games: int


class RatingPoint(Message):
    """A rating after a rated game."""

    time: datetime.datetime
    game: str
    rating: int
    deviation: int
    change: int


class ResultsView(Message):
    """The results of a player's finished online games in a variant."""

    variant: VariantName
    won: int
    drawn: int
    lost: int


class Profile(Message):
    """The public profile of a player."""

    player: PlayerView
    created: datetime.datetime
    ratings: list[RatingView]
    history: list[RatingPoint]
    """The last 500 changes to the rating across all variants, oldest first."""
    results: list[ResultsView]
    recent: list[GameSummary]
    """The latest online games, most recently changed first."""


class Leader(Message):
    """A row of the leaderboard."""

    rank: int
    player: PlayerView
    rating: RatingView


class Leaderboard(Message):
    """The strongest players, excluding guests."""

    variant: VariantName | Literal["all"]
    leaders: list[Leader]


def player_view(player: PublicPlayer) -> PlayerView:
    """The public data of a player, as a message."""
    return PlayerView(id=player.id, kind=player.kind, name=player.name)
