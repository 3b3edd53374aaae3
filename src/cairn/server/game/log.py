"""A stored game: its header, its event log, and the projection of the log.

The projection holds the current state of a game. The lists of games and the timers query its columns. The projection is
written in the transaction that appends the events, and could be rebuilt from them.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence

from cairn.server.game.events import Event, OfferMade, TokenPlayed, TokensUndone
from cairn.server.game.header import GameHeader
from cairn.server.game.names import DeciderName, TribeName
from cairn.vocabulary import FOREST, Outcome


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


@dataclasses.dataclass(frozen=True, slots=True)
class RatedResult:
    """The result of a rated game."""

    game: str
    variant: str
    forest: str
    """The id of Forest's player."""
    sea: str
    score: float
    """Forest's score: 1, 0.5 or 0."""

    @classmethod
    def of(cls, header: GameHeader, outcome: Outcome) -> RatedResult | None:
        """The result of a game; ``None`` if it is not rated."""
        online, variant = header.online, header.variant
        if online is None or variant is None or not online.rated:
            return None
        score = 0.5 if outcome.winner is None else float(outcome.winner is FOREST)
        return cls(header.id, variant, online.seats["forest"].player, online.seats["sea"].player, score)


@dataclasses.dataclass(frozen=True, slots=True)
class GameProjection:
    """The current state of a game, after all its events."""

    revision: int
    """The number of events."""
    changed: datetime.datetime
    turns: int
    position: str
    decider: DeciderName | None
    winner: TribeName | None
    reason: str | None
    """Why the game ended; ``None`` while it is running."""
    waits_for_computer: bool
    deadline: int | None = None
    """When the running clock reaches zero, in milliseconds; ``None`` while no clock is running."""
    result: RatedResult | None = dataclasses.field(default=None, compare=False)
    """The result to rate in the same transaction, if these events end a rated game."""


def standing_tokens(events: Sequence[Event]) -> list[str]:
    """The tokens that are not taken back by a later event."""
    standing: list[str] = []
    for event in events:
        match event:
            case TokenPlayed(token):
                standing.append(token)
            case TokensUndone(count):
                del standing[-count:]
    return standing


def can_skip(events: Sequence[Event]) -> bool:
    """Whether the events record the lasting effects of undone tokens. Events from version 0.1 do not."""
    return all(event.turn is not None for event in events if isinstance(event, OfferMade | TokensUndone))
