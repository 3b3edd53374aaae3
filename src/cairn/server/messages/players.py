"""Messages about players: profiles, ratings, the leaderboard."""

from __future__ import annotations

import datetime
from typing import Literal

from cairn.server.game.names import VariantName
from cairn.server.game.seats import PlayerKind
from cairn.server.messages.base import Message
from cairn.server.messages.games import GameSummary
from cairn.server.storage.players.rows import PublicPlayer


class PlayerView(Message):
    """What everybody may know of a player."""

    id: str
    kind: PlayerKind
    name: str | None
    """``None`` for guests and deleted players."""


class RatingView(Message):
    """How strong a player is."""

    variant: VariantName | Literal["all"]
    rating: int
    deviation: int
    provisional: bool
    games: int


class RatingPoint(Message):
    """What a rated game did to a rating."""

    time: datetime.datetime
    game: str
    rating: int
    deviation: int
    change: int


class ResultsView(Message):
    """How a player's finished online games in a variant ended."""

    variant: VariantName
    won: int
    drawn: int
    lost: int


class Profile(Message):
    """A player, as anybody may see them."""

    player: PlayerView
    created: datetime.datetime
    ratings: list[RatingView]
    history: list[RatingPoint]
    """In all variants together, the oldest first; the last 500."""
    results: list[ResultsView]
    recent: list[GameSummary]
    """The last online games, the last changed first."""


class Leader(Message):
    """A line of the leaderboard."""

    rank: int
    player: PlayerView
    rating: RatingView


class Leaderboard(Message):
    """The strongest players; guests are not in it."""

    variant: VariantName | Literal["all"]
    leaders: list[Leader]


def player_view(player: PublicPlayer) -> PlayerView:
    """The message for a player."""
    return PlayerView(id=player.id, kind=player.kind, name=player.name)
