"""A game as it is stored: its header and its log of events."""

from __future__ import annotations

import dataclasses
import datetime

from cairn.server.game.events import Event
from cairn.server.game.header import GameHeader


@dataclasses.dataclass(frozen=True, slots=True)
class LogPart:
    """The events of a log after some revision, in order."""

    events: tuple[Event, ...]
    times: tuple[datetime.datetime, ...]
    """When each event was stored."""


@dataclasses.dataclass(frozen=True, slots=True)
class StoredGame:
    """A whole game. The first event has revision 1."""

    header: GameHeader
    log: LogPart
    changed: datetime.datetime
    deleted: bool
