"""Messages about the state of the server."""

from __future__ import annotations

from typing import Literal

from cairn.server.messages.base import Message


class Health(Message):
    """The server is running."""

    status: Literal["ok"] = "ok"
    version: str


class Ready(Message):
    """The server can serve and store games."""

    status: Literal["ready"] = "ready"
    database: Literal["sqlite", "postgresql"]
    version: str
    """The schema version."""
