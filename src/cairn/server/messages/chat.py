"""Messages for the chat at a table."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal, TypeAlias

import pydantic

from cairn.server.game.commands import CommandId
from cairn.server.game.names import TribeName
from cairn.server.messages.base import Message
from cairn.server.messages.players import PlayerView, player_view
from cairn.server.storage.chat import ChatEntry

PhraseName: TypeAlias = Literal[
    "hello", "good-luck", "well-played", "thanks", "sorry", "one-moment", "back-again", "good-game", "goodbye"
]
"""Phrases that each client shows in its user's language."""


class Say(Message):
    """Say something at the table: free text, or a phrase that each client translates."""

    type: Literal["chat"] = "chat"
    text: Annotated[str, pydantic.Field(max_length=200)] | None = None
    phrase: PhraseName | None = None
    id: CommandId | None = None

    @pydantic.model_validator(mode="after")
    def _one_of_both(self) -> Say:
        if (self.text is None) == (self.phrase is None):
            raise ValueError("give either text or a phrase")
        return self


class ChatLine(Message):
    """A chat message."""

    number: int
    by: PlayerView
    tribe: TribeName | None
    text: str | None
    phrase: PhraseName | None
    created: datetime.datetime


class ChatMessage(Message):
    """A new chat message."""

    type: Literal["chat"] = "chat"
    line: ChatLine


class ChatLog(Message):
    """All chat messages in a game."""

    lines: list[ChatLine]


class ReportRequest(Message):
    """A report to the administrators about a player or a game's chat."""

    about: TribeName | None = None
    text: Annotated[str, pydantic.Field(min_length=1, max_length=1_000)]


def chat_line(entry: ChatEntry) -> ChatLine:
    """A stored chat message, as sent to clients."""
    return ChatLine.model_validate(
        {
            "number": entry.number,
            "by": player_view(entry.by),
            "tribe": entry.tribe,
            "text": entry.text,
            "phrase": entry.phrase,
            "created": entry.created,
        }
    )
