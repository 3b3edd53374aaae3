"""Messages about the lobby: challenges and running games."""

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
        description="16 to 32 random bytes as lowercase hexadecimal digits. With sealed draws, your anchor: 32 bytes.",
    ),
]


class NewChallenge(Message):
    """A challenge to create."""

    variant: VariantName = "beginner"
    tribe: TribeName | None = None
    """The tribe that you want to play; ``null`` for a random tribe."""
    first: TribeName | None = None
    """The tribe that begins; ``null`` for a random tribe."""
    clock: Control | None = None
    rated: bool = False
    """Whether the result changes the ratings of both players. A rated game needs a clock."""
    open: bool = False
    """Whether the challenge is listed in the lobby. Otherwise, a player needs the link to accept it."""
    level: LevelNumber | None = None
    """Set this to play against the computer at this level. The game begins when you add your number."""
    sealed: bool = False
    """Whether each draw needs a secret from both players, so that nobody can choose it or know it in advance.
    Sealed draws need a clock and another player. Each player's number is the anchor of a chain of links; see
    ``docs/fairness.md``."""


class AddNumber(Message):
    """Your random number, which influences all draws. Generate it after you have received the commitment."""

    number: Number
    sealed: bool = False
    """Set this if the challenge has sealed draws and the number is your anchor. Otherwise the request is refused, so
    that a client that does not support links cannot begin a game with sealed draws by mistake."""


class Accept(Message):
    """Accept a challenge with your random number, which influences all draws."""

    number: Number
    invite: Secret | None = None
    """The secret from the link. Not needed for challenges in the lobby or for rematch offers to you."""
    sealed: bool = False
    """As in ``AddNumber``."""


RefusalKind: TypeAlias = Literal["account-needed", "own-bot"]


class ChallengeView(Message):
    """A challenge."""

    id: str
    """The id of the challenge, and later of the game."""
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
    """A hash that fixes the server's seed without revealing it."""
    ready: bool
    """Whether the creator has added a number. Until then, nobody can accept the challenge."""
    state: Literal["open", "accepted", "withdrawn"]
    game: str | None
    """The id of the game, once the challenge has been accepted."""
    yours: bool
    """Whether you are the creator."""
    sealed: bool = False
    """Whether the draws are sealed."""
    refusal: RefusalKind | None = None
    """Why you cannot accept a rated challenge: you have no account, or the creator is your own bot or its owner."""


class NewChallengeView(Message):
    """A new challenge, with secrets that are sent only once."""

    challenge: ChallengeView
    invite: str
    """The secret for the link that you send to your opponent."""
    seat: str
    """Your seat token. Its holder can play for you, even without your session."""


class Begun(Message):
    """A game that has begun, and your seat token, which is sent only once."""

    game: GameView
    seat: str | None
    """``null`` if the token has already been sent."""


class Lobby(Message):
    """Open challenges, newest first."""

    challenges: list[ChallengeView]


class RunningGames(Message):
    """What waits for you: your running games, and challenges to you alone."""

    games: list[GameSummary]
    """Most recently changed first."""
    offers: list[ChallengeView]
    """Rematch offers, newest first."""


class LiveGameView(Message):
    """A running online game to watch."""

    game: GameSummary
    players: Players
    clock: Control | None


class LiveGames(Message):
    """Running online games, most recently changed first."""

    games: list[LiveGameView]
