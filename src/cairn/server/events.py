"""What can happen to a game, as data. A game is the list of its events; nothing in that list is ever changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar, Final, TypeAlias


@dataclasses.dataclass(frozen=True, slots=True)
class TokenPlayed:
    """A token: of a person, of the computer, or drawn by chance."""

    kind: ClassVar[str] = "token"
    token: str
    hold: bool = False
    """Whether the turn, which this token ended, waits to be confirmed."""


@dataclasses.dataclass(frozen=True, slots=True)
class TokensUndone:
    """The last tokens were taken back."""

    kind: ClassVar[str] = "undo"
    tokens: int
    """How many."""


@dataclasses.dataclass(frozen=True, slots=True)
class TurnConfirmed:
    """The held turn is finished."""

    kind: ClassVar[str] = "confirm"


@dataclasses.dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended by something that the board does not show, such as a resignation."""

    kind: ClassVar[str] = "end"
    winner: str | None
    reason: str


Event: TypeAlias = TokenPlayed | TokensUndone | TurnConfirmed | GameEnded

_KINDS: Final[Mapping[str, type[Event]]] = {
    each.kind: each for each in (TokenPlayed, TokensUndone, TurnConfirmed, GameEnded)
}


def event_of(kind: str, data: Mapping[str, object]) -> Event:
    """The event that was stored as ``kind`` and ``data``; ``ValueError`` if no version up to this one wrote it.

    >>> event_of("undo", {"tokens": 2})
    TokensUndone(tokens=2)
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
    return dataclasses.asdict(event)
