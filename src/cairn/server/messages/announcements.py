"""Messages for internal use by the server, within a process and between processes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from cairn.server.messages.base import Message

Spent: TypeAlias = tuple[str, str, float]
"""The name of a limit, the address or player that it applies to, and the amount spent."""


class ChangedMessage(Message):
    """A challenge or the lobby has changed. Each subscriber loads its own view, because the views differ."""

    type: Literal["changed"] = "changed"


class SpentMessage(Message):
    """The amounts that the clients of one process have spent from their rate limits."""

    type: Literal["spent"] = "spent"
    by: str
    """The process that announces the amounts."""
    spent: list[Spent]
