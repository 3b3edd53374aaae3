"""The messages of online play: commands, what sockets say, challenges, chat, players."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal, TypeAlias

import pydantic

from cairn.server.game.names import LevelNumber, TribeName, VariantName
from cairn.server.game.seats import SeatPlayer
from cairn.server.messages.base import Message
from cairn.server.messages.games import Control, GameSummary, GameView, Players

Secret: TypeAlias = Annotated[str, pydantic.Field(max_length=100)]


Number: TypeAlias = Annotated[
    str,
    pydantic.Field(
        min_length=32,
        max_length=64,
        description="16 to 32 random bytes, each written with two of the digits 0-9 and a-f.",
    ),
]


class NewChallenge(Message):
    """An offer to play."""

    variant: VariantName = "beginner"
    tribe: TribeName | None = None
    """Which you want to play; ``None`` tosses."""
    first: TribeName | None = None
    """Who begins; ``None`` tosses."""
    clock: Control | None = None
    rated: bool = False
    open: bool = False
    """Whether it stands in the lobby for everybody; otherwise only who has the link can accept it."""
    level: LevelNumber | None = None
    """Play against the computer: the game begins when you have added your number."""


class AddNumber(Message):
    """A random number of your own, which goes into all draws. Make it after you have seen the commitment."""

    number: Number


class Accept(Message):
    """Accept a challenge, with a random number of your own, which goes into all draws."""

    number: Number
    invite: Secret | None = None
    """The secret of the link; not needed where the challenge is open to you anyway."""


RefusalKind: TypeAlias = Literal["account-needed", "own-bot"]


class ChallengeView(Message):
    """An offer to play."""

    id: str
    """The game will have the same id."""
    created: datetime.datetime
    creator: SeatPlayer
    variant: VariantName
    tribe: TribeName | None
    first: TribeName | None
    clock: Control | None
    rated: bool
    open: bool
    level: LevelNumber | None
    rematch_of: str | None
    commitment: str
    """It fixes the server's seed and does not tell it."""
    ready: bool
    """Whether the creator has added a number; before that nobody can accept."""
    state: Literal["open", "accepted", "withdrawn"]
    game: str | None
    """Once it is accepted."""
    yours: bool
    """Whether you are the creator."""
    refusal: RefusalKind | None = None
    """Why you may not accept it: it is rated, and you have no account, or you answer for the creator."""


class NewChallengeView(Message):
    """A challenge that was just made, with secrets that are told only this once."""

    challenge: ChallengeView
    invite: str
    """For the link that you give to whoever shall accept."""
    seat: str
    """The token of your seat: who has it can play for you, also without your session."""


class Begun(Message):
    """A game that has begun, and the token of your seat, which is told only this once."""

    game: GameView
    seat: str | None
    """``None`` where it was told before."""


class Lobby(Message):
    """Open challenges, the newest first."""

    challenges: list[ChallengeView]


class LiveGameView(Message):
    """A running online game that can be watched."""

    game: GameSummary
    players: Players
    clock: Control | None


class LiveGames(Message):
    """Running online games, the last changed first."""

    games: list[LiveGameView]
