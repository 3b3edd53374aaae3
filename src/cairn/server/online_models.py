"""The messages of online play: commands, what sockets say, challenges, chat, players."""

from __future__ import annotations

import datetime
from typing import Annotated, Final, Literal, TypeAlias

import pydantic

from cairn.server.account_models import PlayerView
from cairn.server.models import (
    CommandId,
    Confirm,
    Control,
    GameMessage,
    GameSummary,
    GameView,
    LevelNumber,
    Message,
    OfferName,
    Play,
    Players,
    Problem,
    Revision,
    SeatPlayer,
    TribeName,
    Undo,
    UpdateMessage,
    VariantName,
)

Secret: TypeAlias = Annotated[str, pydantic.Field(max_length=100)]
Number: TypeAlias = Annotated[
    str,
    pydantic.Field(
        min_length=32,
        max_length=64,
        description="16 to 32 random bytes, each written with two of the digits 0-9 and a-f.",
    ),
]
PhraseName: TypeAlias = Literal[
    "hello", "good-luck", "well-played", "thanks", "sorry", "one-moment", "back-again", "good-game", "goodbye"
]
"""What can be said in every language: each client translates it."""


# --- Commands about a game, by HTTP or by its socket


class Offer(Message):
    """Ask the other player for a draw, or for a takeback."""

    revision: Revision
    what: OfferName
    scope: Literal["step", "turn"] = "step"
    """How much to take back."""
    tribe: TribeName | None = None
    """For whom, if there can be a doubt."""
    id: CommandId | None = None


class Answer(Message):
    """Accept or decline what the other player asks for; or withdraw what you ask for yourself, with ``withdraw``."""

    revision: Revision
    answer: Literal["accept", "decline", "withdraw"]
    tribe: TribeName | None = None
    id: CommandId | None = None


class Resign(Message):
    """Give the game up."""

    revision: Revision | None = None
    """Not needed: one can resign from whatever has come meanwhile."""
    tribe: TribeName | None = None
    id: CommandId | None = None


class Claim(Message):
    """Claim a game that the other player has left."""

    revision: Revision | None = None
    tribe: TribeName | None = None
    id: CommandId | None = None


class Say(Message):
    """Say something at the table: in words, or by a phrase that each client translates."""

    text: Annotated[str, pydantic.Field(max_length=200)] | None = None
    phrase: PhraseName | None = None
    id: CommandId | None = None

    @pydantic.model_validator(mode="after")
    def _one_of_both(self) -> Say:
        if (self.text is None) == (self.phrase is None):
            raise ValueError("one says either words or a phrase")
        return self


Command: TypeAlias = Play | Undo | Confirm | Offer | Answer | Resign | Claim
"""What changes a game."""


class HelloCommand(Message):
    """By socket: take a seat by its token. Answered with the whole game, whose ``you`` then has that seat."""

    type: Literal["hello"]
    id: CommandId
    seat: Secret


class PlayCommand(Play):
    """By socket."""

    type: Literal["play"]
    id: CommandId


class UndoCommand(Undo):
    """By socket."""

    type: Literal["undo"]
    id: CommandId


class ConfirmCommand(Confirm):
    """By socket."""

    type: Literal["confirm"]
    id: CommandId


class OfferCommand(Offer):
    """By socket."""

    type: Literal["offer"]
    id: CommandId


class AnswerCommand(Answer):
    """By socket."""

    type: Literal["answer"]
    id: CommandId


class ResignCommand(Resign):
    """By socket."""

    type: Literal["resign"]
    id: CommandId


class ClaimCommand(Claim):
    """By socket."""

    type: Literal["claim"]
    id: CommandId


class ChatCommand(Say):
    """By socket."""

    type: Literal["chat"]
    id: CommandId


class PingCommand(Message):
    """By socket: answered with ``done``, so that the way there and back can be measured."""

    type: Literal["ping"]
    id: CommandId


SocketCommand: TypeAlias = Annotated[
    HelloCommand
    | PlayCommand
    | UndoCommand
    | ConfirmCommand
    | OfferCommand
    | AnswerCommand
    | ResignCommand
    | ClaimCommand
    | ChatCommand
    | PingCommand,
    pydantic.Field(discriminator="type"),
]


# --- What sockets say, beside GameMessage and UpdateMessage


class DoneMessage(Message):
    """A command was done that made no update of the game, or was done before. Others are answered by their update."""

    type: Literal["done"] = "done"
    id: str
    revision: int | None
    """The game has it from this revision on; ``None`` if the command does not change the game."""
    at: int
    """The server's clock, in milliseconds."""


class RefusedMessage(Message):
    """A command was not done, and why."""

    type: Literal["refused"] = "refused"
    id: str
    problem: Problem


class PresenceMessage(Message):
    """A player came to the table, or left it; and so many watch beside the players."""

    type: Literal["presence"] = "presence"
    forest: bool
    sea: bool
    watchers: int | None
    """``null`` where several processes may have some: nobody counts them all."""


class ChatLine(Message):
    """What somebody said."""

    number: int
    by: PlayerView
    tribe: TribeName | None
    text: str | None
    phrase: PhraseName | None
    created: datetime.datetime


class ChatMessage(Message):
    """Somebody said something."""

    type: Literal["chat"] = "chat"
    line: ChatLine


class ChatLog(Message):
    """Everything that was said at a table."""

    lines: list[ChatLine]


class ReportWish(Message):
    """Something that administrators should know about the other player, or about what was said."""

    about: TribeName | None = None
    text: Annotated[str, pydantic.Field(min_length=1, max_length=1_000)]


# --- Challenges


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


class LobbyMessage(Message):
    """By the socket of the lobby: all open challenges, at first and whenever they change."""

    type: Literal["lobby"] = "lobby"
    challenges: list[ChallengeView]


class ChallengeMessage(Message):
    """By the socket of a challenge: how it stands, at first and whenever that changes."""

    type: Literal["challenge"] = "challenge"
    challenge: ChallengeView


class RematchMessage(Message):
    """By the socket of a game: a player offers another one."""

    type: Literal["rematch"] = "rematch"
    challenge: str
    by: TribeName


class LiveGameView(Message):
    """A running online game that can be watched."""

    game: GameSummary
    players: Players
    clock: Control | None


class LiveGames(Message):
    """Running online games, the last changed first."""

    games: list[LiveGameView]


# --- Players


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


class Results(Message):
    """How finished online games in a variant ended."""

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
    results: list[Results]
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


SOCKET_MESSAGES: Final[tuple[type[Message], ...]] = (
    GameMessage,
    UpdateMessage,
    DoneMessage,
    RefusedMessage,
    PresenceMessage,
    ChatMessage,
    RematchMessage,
    LobbyMessage,
    ChallengeMessage,
    HelloCommand,
    PlayCommand,
    UndoCommand,
    ConfirmCommand,
    OfferCommand,
    AnswerCommand,
    ResignCommand,
    ClaimCommand,
    ChatCommand,
    PingCommand,
)
"""What goes over sockets: OpenAPI knows nothing of these by itself."""
