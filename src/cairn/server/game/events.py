"""The events of a game, as data. A game is stored as an append-only list of events."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeAlias, get_args


@dataclasses.dataclass(frozen=True, slots=True)
class TokenPlayed:
    """A token played by a person or the computer, or drawn by chance."""

    kind: ClassVar[str] = "token"
    token: str
    hold: bool = False
    """Whether the end of the turn, or the draw that follows, waits for a confirmation."""
    lag: int = 0
    """The compensated lag in milliseconds, which the clock does not charge."""
    command: str | None = None
    """The idempotency key of the command, stored in the last of its events; see :func:`keyed`."""


@dataclasses.dataclass(frozen=True, slots=True)
class TokensUndone:
    """The last tokens were taken back.

    In an online game, the event also records the lasting effects of the undone tokens, so that a replay can skip these
    tokens. The fields for this are ``None`` in local games and in logs from version 0.1.
    """

    kind: ClassVar[str] = "undo"
    tokens: int
    """The number of tokens."""
    by: str | None = None
    """The tribe that undid its own tokens; ``None`` for a takeback that the other player accepted."""
    turn: int | None = None
    """The number of the current turn after the undo."""
    forest: int | None = None
    """Forest's remaining time in milliseconds after the undo; ``None`` without a clock."""
    sea: int | None = None
    forest_paid: int | None = None
    """The last turn for which Forest has received its increment; ``None`` without a clock."""
    sea_paid: int | None = None
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class TurnConfirmed:
    """A held turn or a held draw was confirmed. Events for any drawn tiles follow."""

    kind: ClassVar[str] = "confirm"
    lag: int = 0
    """The compensated lag, as for a token."""
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended off the board, for example by resignation."""

    kind: ClassVar[str] = "end"
    winner: str | None
    reason: str
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class OfferMade:
    """A player offered a draw or asked for a takeback."""

    kind: ClassVar[str] = "offer"
    tribe: str
    what: str
    """``draw`` or ``takeback``."""
    tokens: int = 0
    """The number of tokens that a takeback would undo."""
    turn: int | None = None
    """The number of the turn in which the offer was made; ``None`` in logs from version 0.1."""
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class OfferGone:
    """An offer was declined or withdrawn."""

    kind: ClassVar[str] = "decline"
    tribe: str
    """The tribe that made the offer."""
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class ClockPaused:
    """The server was down until now, and no clock ran during that time."""

    kind: ClassVar[str] = "pause"
    milliseconds: int
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class LinkRevealed:
    """In a game with sealed draws, a player revealed a link that the starting position or the next draw needs."""

    kind: ClassVar[str] = "link"
    tribe: str
    link: str
    """In hexadecimal."""
    lag: int = 0
    """The compensated lag, as for a token."""
    command: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class StartDealt:
    """In a game with sealed draws, the starting position was dealt after both players had revealed their first link."""

    kind: ClassVar[str] = "deal"
    start: str
    command: str | None = None


BoardEvent: TypeAlias = TokenPlayed | TokensUndone | TurnConfirmed | GameEnded | StartDealt
"""An event that changes the board, the held turn or the held draw."""
Event: TypeAlias = BoardEvent | OfferMade | OfferGone | ClockPaused | LinkRevealed

_KINDS: Final[Mapping[str, type[Event]]] = {each.kind: each for each in get_args(Event)}
BOARD_KINDS: Final[tuple[str, ...]] = tuple(each.kind for each in get_args(BoardEvent))
_DEFAULTS: Final[Mapping[str, object]] = {
    "lag": 0,
    **dict.fromkeys(("by", "turn", "forest", "sea", "forest_paid", "sea_paid", "command")),
}
"""Fields that are not stored if they have these values."""


def event_of(kind: str, data: Mapping[str, object]) -> Event:
    """The event stored as ``kind`` and ``data``. Raises ``ValueError`` if this version does not know the event.

    >>> event_of("confirm", {"lag": 20})
    TurnConfirmed(lag=20, command=None)
    """
    try:
        return _KINDS[kind](**data)  # type: ignore[arg-type]  # written by data_of
    except (KeyError, TypeError):
        raise ValueError(f"unknown event: kind {kind!r} with the fields {sorted(data)}") from None


def data_of(event: Event) -> dict[str, object]:
    """The data of an event, which is stored next to its kind.

    >>> data_of(TokenPlayed("a1-a2"))
    {'token': 'a1-a2', 'hold': False}
    """
    data = {name: getattr(event, name) for name in event.__slots__}
    return {name: value for name, value in data.items() if name not in _DEFAULTS or value != _DEFAULTS[name]}


def keyed(events: Sequence[Event], key: str | None) -> list[Event]:
    """Add the idempotency key of a command to the last of its events, so that a retry is recognised."""
    return [*events[:-1], dataclasses.replace(events[-1], command=key)] if key and events else list(events)
