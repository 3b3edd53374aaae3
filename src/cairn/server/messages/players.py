"""Messages about players: profiles, ratings, the leaderboard, and attempts at puzzles."""

from __future__ import annotations

import datetime
from typing import Annotated, Final, Literal, TypeAlias

import pydantic

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


PuzzleId: TypeAlias = Annotated[str, pydantic.Field(min_length=8, max_length=8)]
MOST_ATTEMPTS: Final = 20
"""The maximum number of attempts in one request. Rating them takes time on the thread that stores all changes."""


class PuzzleAttempt(Message):
    """A player's first attempt at a puzzle."""

    puzzle: PuzzleId
    solved: bool


class PuzzleAttempts(Message):
    """First attempts, oldest first. Further attempts at the same puzzle are ignored."""

    attempts: Annotated[list[PuzzleAttempt], pydantic.Field(min_length=1, max_length=MOST_ATTEMPTS)]


class PuzzleRatingView(Message):
    """The rating of a puzzle."""

    rating: int
    deviation: int
    attempts: int
    """The number of people who have tried the puzzle."""


class PuzzleRatings(Message):
    """The ratings of puzzles, by id."""

    ratings: dict[str, PuzzleRatingView]


class PuzzleReport(Message):
    """A report to the administrators about a puzzle that is wrong."""

    text: Annotated[str, pydantic.Field(min_length=1, max_length=1_000)]


def player_view(player: PublicPlayer) -> PlayerView:
    """The public data of a player, as a message."""
    return PlayerView(id=player.id, kind=player.kind, name=player.name)
