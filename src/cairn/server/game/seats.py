"""The seats of a game: who plays which tribe."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Literal, TypeAlias

from annotated_types import MaxLen

from cairn.server.game.names import SCHEMA, LevelNumber
from cairn.vocabulary import FOREST, Tribe

PlayerKind: TypeAlias = Literal["guest", "account", "bot", "level", "deleted"]
"""A guest has no name. A bot belongs to an account. A level is a computer player.

A deleted player remains only in games that they have played.
"""


@dataclasses.dataclass(frozen=True, slots=True)
class Seat:
    """A seat: who plays a tribe."""

    __pydantic_config__ = SCHEMA

    kind: Literal["person", "computer"]
    level: LevelNumber | None = None
    """The computer's level."""
    name: Annotated[str, MaxLen(60)] | None = None
    """The person's name, if known."""

    def __post_init__(self) -> None:
        if (self.kind == "computer") != (self.level is not None):
            raise ValueError("a computer needs a level, and a person cannot have one")


@dataclasses.dataclass(frozen=True, slots=True)
class Seats:
    """The two seats of a game."""

    __pydantic_config__ = SCHEMA

    forest: Seat
    sea: Seat

    def of(self, tribe: Tribe) -> Seat:
        """A tribe's seat."""
        return self.forest if tribe is FOREST else self.sea


@dataclasses.dataclass(frozen=True, slots=True)
class SeatPlayer:
    """The player in a seat of an online game."""

    __pydantic_config__ = SCHEMA

    id: str
    kind: PlayerKind
    name: str | None
    rating: int | None
    """``null`` before the first rated game."""
    provisional: bool
    """Whether the rating is still uncertain."""
    online: bool
    """Whether the player is at the table now."""
