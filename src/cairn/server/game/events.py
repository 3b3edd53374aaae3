"""What can happen to a game, as data. A game is the list of its events; nothing in that list is ever changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeAlias


@dataclasses.dataclass(frozen=True, slots=True)
class TokenPlayed:
    """A token: of a person, of the computer, or drawn by chance."""

    kind: ClassVar[str] = "token"
    token: str
    hold: bool = False
    """Whether the turn, which this token ended, or the draw, which it needs, waits to be confirmed."""
    lag: int = 0
    """So many milliseconds of the way to the player and back are not charged to the clock."""
    command: str | None = None
    """The key of the command that this event, the last of those it made, comes from: see :func:`keyed`."""


@dataclasses.dataclass(frozen=True, slots=True)
class TokensUndone:
    """The last tokens were taken back."""

    kind: ClassVar[str] = "undo"
    tokens: int
    """How many."""
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class TurnConfirmed:
    """The held turn is finished, or the held draw is to be made: its tokens follow."""

    kind: ClassVar[str] = "confirm"
    lag: int = 0
    """As of a token."""
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended by something that the board does not show, such as a resignation."""

    kind: ClassVar[str] = "end"
    winner: str | None
    reason: str
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class OfferMade:
    """A player asks the other for something."""

    kind: ClassVar[str] = "offer"
    tribe: str
    what: str
    """``draw`` or ``takeback``."""
    tokens: int = 0
    """How many a takeback would take back."""
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class OfferGone:
    """An offer was declined by the other, or withdrawn by whoever made it."""

    kind: ClassVar[str] = "decline"
    tribe: str
    """Whose offer it was."""
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class ClockPaused:
    """The server was down until now: nobody's clock ran for so long."""

    kind: ClassVar[str] = "pause"
    milliseconds: int
    command: str | None = None


Event: TypeAlias = TokenPlayed | TokensUndone | TurnConfirmed | GameEnded | OfferMade | OfferGone | ClockPaused

_KINDS: Final[Mapping[str, type[Event]]] = {
    each.kind: each for each in (TokenPlayed, TokensUndone, TurnConfirmed, GameEnded, OfferMade, OfferGone, ClockPaused)
}
_LEFT_OUT: Final[Mapping[str, object]] = {"lag": 0, "command": None}
"""Fields that are stored only where they say something."""


def event_of(kind: str, data: Mapping[str, object]) -> Event:
    """The event that was stored as ``kind`` and ``data``; ``ValueError`` if no version up to this one wrote it.

    >>> event_of("undo", {"tokens": 2})
    TokensUndone(tokens=2, command=None)
    """
    try:
        return _KINDS[kind](**data)  # type: ignore[arg-type]  # written by data_of
    except (KeyError, TypeError):
        raise ValueError(f"an event of kind {kind!r} with {sorted(data)} is unknown to this version") from None


def data_of(event: Event) -> dict[str, object]:
    """What is stored of an event beside its kind.

    >>> data_of(TokenPlayed("a1-a2"))
    {'token': 'a1-a2', 'hold': False}
    """
    data = {name: getattr(event, name) for name in event.__slots__}
    return {name: value for name, value in data.items() if name not in _LEFT_OUT or value != _LEFT_OUT[name]}


def keyed(events: Sequence[Event], key: str | None) -> list[Event]:
    """The events of one command. The last of them keeps its key, by which a repeated command is known."""
    return [*events[:-1], dataclasses.replace(events[-1], command=key)] if key and events else list(events)
