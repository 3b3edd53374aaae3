"""Tokens: the smallest units of a game, one class for each kind.

``str(token)`` is the token in notation; :func:`cairn.notation.read_token` is the inverse.
"""

from __future__ import annotations

import dataclasses

from cairn.vocabulary.megaliths import Megalith
from cairn.vocabulary.spaces import Space
from cairn.vocabulary.tiles import ActionTile


class Token:
    """The base class of all tokens. Tokens compare and sort by their text."""

    __slots__ = ()

    def __lt__(self, other: Token) -> bool:
        return str(self) < str(other)


@dataclasses.dataclass(frozen=True, slots=True)
class Add(Token):
    """``+b1``: put a shaman from the village on a space (A1, Cairn of Dawn)."""

    space: Space

    def __str__(self) -> str:
        return f"+{self.space}"


@dataclasses.dataclass(frozen=True, slots=True)
class Travel(Token):
    """``a1-a2``, ``a5-out``: a shaman steps, jumps or is moved to ``target``, or leaves the field (``None``)."""

    origin: Space
    target: Space | None

    def __str__(self) -> str:
        return f"{self.origin}-{self.target or 'out'}"


@dataclasses.dataclass(frozen=True, slots=True)
class Build(Token):
    """``=DR``: construct by placing this upcoming tile (E4)."""

    tile: Megalith

    def __str__(self) -> str:
        return f"={self.tile}"


@dataclasses.dataclass(frozen=True, slots=True)
class Draw(Token):
    """``?AD``: this tile was drawn into the empty slot."""

    tile: Megalith

    def __str__(self) -> str:
        return f"?{self.tile}"


@dataclasses.dataclass(frozen=True, slots=True)
class Banish(Token):
    """``xc1``: banish the shaman on a space (E3)."""

    space: Space

    def __str__(self) -> str:
        return f"x{self.space}"


@dataclasses.dataclass(frozen=True, slots=True)
class Push(Token):
    """``b3~c4``: move a megalith (Sanctuary of the Ages)."""

    origin: Space
    target: Space

    def __str__(self) -> str:
        return f"{self.origin}~{self.target}"


@dataclasses.dataclass(frozen=True, slots=True)
class Swap(Token):
    """``b3/d3``: swap two megaliths (the earlier space first) or two shamans (the deciding tribe's shaman first)."""

    first: Space
    second: Space

    def __str__(self) -> str:
        return f"{self.first}/{self.second}"


@dataclasses.dataclass(frozen=True, slots=True)
class Flip(Token):
    """``flip-add``: turn an action tile over (Memorial Mound)."""

    tile: ActionTile

    def __str__(self) -> str:
        return f"flip-{self.tile.value}"


@dataclasses.dataclass(frozen=True, slots=True)
class Put(Token):
    """``b3=DR``: put an upcoming tile on a space (Source of Silver, Heart of the Earth)."""

    space: Space
    tile: Megalith

    def __str__(self) -> str:
        return f"{self.space}={self.tile}"


@dataclasses.dataclass(frozen=True, slots=True)
class Use(Token):
    """``use``: stands for the choice in a :class:`Copy` if the copied power offers no choice."""

    def __str__(self) -> str:
        return "use"


@dataclasses.dataclass(frozen=True, slots=True)
class Copy(Token):
    """``DR:c3-c4``, ``PS:use``: the Shifting Stone applies the power of an upcoming tile with this choice."""

    tile: Megalith
    choice: Token

    def __str__(self) -> str:
        return f"{self.tile}:{self.choice}"


@dataclasses.dataclass(frozen=True, slots=True)
class Stop(Token):
    """``stop``: do not apply the power again (P6)."""

    def __str__(self) -> str:
        return "stop"


@dataclasses.dataclass(frozen=True, slots=True)
class Transform(Token):
    """``Tc3``: transform the enemy on a space (X3)."""

    space: Space

    def __str__(self) -> str:
        return f"T{self.space}"


@dataclasses.dataclass(frozen=True, slots=True)
class Pass(Token):
    """``pass``: do not transform (X5)."""

    def __str__(self) -> str:
        return "pass"
