"""What the event stream of a bot says: one message to a line."""

from __future__ import annotations

from typing import Final, Literal

from cairn.server.messages.base import Message
from cairn.server.messages.games import GameSummary
from cairn.server.messages.lobby import ChallengeView
from cairn.server.messages.players import PlayerView


class HelloEvent(Message):
    """The first line: who you are."""

    type: Literal["hello"] = "hello"
    player: PlayerView


class ChallengeEvent(Message):
    """A challenge that you can accept: of the lobby, or an offer to play again that is meant for you."""

    type: Literal["challenge"] = "challenge"
    challenge: ChallengeView


class ChallengeGoneEvent(Message):
    """A challenge that was told before cannot be accepted any more."""

    type: Literal["challenge-gone"] = "challenge-gone"
    challenge: str


class GameEvent(Message):
    """A running game in which you have a seat; all of them come at first, and then each one that begins."""

    type: Literal["game"] = "game"
    game: GameSummary


class GameOverEvent(Message):
    """A game that was told before is over."""

    type: Literal["game-over"] = "game-over"
    game: str


class AliveEvent(Message):
    """Nothing happened, and the server is still there."""

    type: Literal["alive"] = "alive"


BOT_EVENTS: Final[tuple[type[Message], ...]] = (
    HelloEvent,
    ChallengeEvent,
    ChallengeGoneEvent,
    GameEvent,
    GameOverEvent,
    AliveEvent,
)
"""What a stream says: OpenAPI knows nothing of lines."""
