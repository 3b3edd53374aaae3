"""A bot's event stream: one message per line."""

from __future__ import annotations

from typing import Final, Literal

from cairn.server.messages.base import Message
from cairn.server.messages.games import GameSummary
from cairn.server.messages.lobby import ChallengeView
from cairn.server.messages.players import PlayerView


class HelloEvent(Message):
    """The first line: the bot's own player."""

    type: Literal["hello"] = "hello"
    player: PlayerView


class ChallengeEvent(Message):
    """A challenge that the bot can accept, from the lobby or as a rematch offer."""

    type: Literal["challenge"] = "challenge"
    challenge: ChallengeView


class ChallengeGoneEvent(Message):
    """A challenge that was sent earlier can no longer be accepted."""

    type: Literal["challenge-gone"] = "challenge-gone"
    challenge: str


class GameEvent(Message):
    """A running game in which the bot has a seat. The stream first sends all of these games, then each new one."""

    type: Literal["game"] = "game"
    game: GameSummary


class GameOverEvent(Message):
    """A game that was sent earlier is over."""

    type: Literal["game-over"] = "game-over"
    game: str


class AliveEvent(Message):
    """A keep-alive, sent every few seconds while nothing else happens."""

    type: Literal["alive"] = "alive"


BOT_EVENTS: Final[tuple[type[Message], ...]] = (
    HelloEvent,
    ChallengeEvent,
    ChallengeGoneEvent,
    GameEvent,
    GameOverEvent,
    AliveEvent,
)
"""The messages in a stream. They are listed here so that the OpenAPI description includes them."""
