"""Messages that the server sends over its sockets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, Literal

from cairn.server.game.names import TribeName
from cairn.server.messages.base import Message
from cairn.server.messages.chat import ChatMessage
from cairn.server.messages.commands import Hello, Ping
from cairn.server.messages.games import GameView, Update
from cairn.server.messages.lobby import ChallengeView
from cairn.server.messages.problems import Problem


class GameMessage(Message):
    """The whole game: the first message on its socket, and the answer to ``Hello``."""

    type: Literal["game"] = "game"
    game: GameView


class UpdateMessage(Message):
    """A change to the game."""

    type: Literal["update"] = "update"
    update: Update
    done: str | None = None
    """The id of the command that caused the change. It is sent only to the sender, who gets no other answer."""


class DoneMessage(Message):
    """The answer to a command that caused no update or was executed before. Other commands are answered by updates."""

    type: Literal["done"] = "done"
    id: str
    revision: int | None
    """The revision that the command led to; ``null`` if the command does not change the game."""
    at: int
    """The time on the server's clock, in milliseconds."""


class RefusedMessage(Message):
    """A command was refused."""

    type: Literal["refused"] = "refused"
    id: str
    problem: Problem


class PresenceMessage(Message):
    """Who is at the table, and how many others are watching."""

    type: Literal["presence"] = "presence"
    forest: bool
    sea: bool
    watchers: int | None
    """``null`` if several processes share the games, because none of them can count all watchers."""


class RematchMessage(Message):
    """A player has offered a rematch. Sent on the socket of the finished game."""

    type: Literal["rematch"] = "rematch"
    challenge: str
    by: TribeName


class LobbyMessage(Message):
    """All open challenges, newest first: the first message on the lobby's socket."""

    type: Literal["lobby"] = "lobby"
    challenges: list[ChallengeView]


class LobbyChangeMessage(Message):
    """The changes to the lobby since the last message."""

    type: Literal["lobby-change"] = "lobby-change"
    challenges: list[ChallengeView]
    """New challenges, and known ones that have changed."""
    gone: list[str]
    """The ids of challenges that are no longer open."""


class ChallengeMessage(Message):
    """A challenge: the first message on its socket, sent again after every change."""

    type: Literal["challenge"] = "challenge"
    challenge: ChallengeView


SOCKET_MESSAGES: Final[tuple[type[Message], ...]] = (
    GameMessage,
    UpdateMessage,
    DoneMessage,
    RefusedMessage,
    PresenceMessage,
    ChatMessage,
    RematchMessage,
    LobbyMessage,
    LobbyChangeMessage,
    ChallengeMessage,
    Hello,
    Ping,
)
"""The messages on sockets. They are listed here so that the OpenAPI description includes them."""


def encode_update(update: str, done: str | None = None) -> str:
    """Wrap an ``Update`` that is already JSON in an ``UpdateMessage``. The update is encoded once for all watchers.

    >>> encode_update('{"game":"g"}', "7")
    '{"type":"update","update":{"game":"g"},"done":"7"}'
    """
    return f'{{"type":"update","update":{update},"done":{json.dumps(done)}}}'


def encode_lobby(challenges: Sequence[str]) -> str:
    """Wrap challenges that are already JSON in a ``LobbyMessage``. Each is encoded once for many watchers.

    >>> encode_lobby(['{"id":"a"}', '{"id":"b"}'])
    '{"type":"lobby","challenges":[{"id":"a"},{"id":"b"}]}'
    """
    return f'{{"type":"lobby","challenges":[{",".join(challenges)}]}}'


def encode_lobby_change(challenges: Sequence[str], gone: Sequence[str]) -> str:
    """Wrap challenges that are already JSON in a ``LobbyChangeMessage``.

    >>> encode_lobby_change(['{"id":"a"}'], ["b"])
    '{"type":"lobby-change","challenges":[{"id":"a"}],"gone":["b"]}'
    """
    ids = json.dumps(gone, separators=(",", ":"))
    return f'{{"type":"lobby-change","challenges":[{",".join(challenges)}],"gone":{ids}}}'
