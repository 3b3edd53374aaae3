"""The two-sided tiles: three action tiles and the transformation tile."""

from __future__ import annotations

import dataclasses
import enum
from typing import TypeVar

from cairn.vocabulary.spaces import Space, space_of
from cairn.vocabulary.tribes import FOREST, Tribe


class ActionTile(enum.Enum):
    """One of the three action tiles."""

    ADD = "add"
    MOVE = "move"
    JUMP = "jump"


class AddFace(enum.Enum):
    """The colour of the totem space to which a shaman is added (A1)."""

    WHITE = "w"
    BLACK = "b"


class MoveFace(enum.Enum):
    """The directions in which a shaman may step (A2)."""

    ORTHOGONAL = "o"
    DIAGONAL = "d"


class JumpFace(enum.Enum):
    """Whether a shaman may jump over friends or over enemies (A3)."""

    FRIEND = "f"
    ENEMY = "e"


class TransformationFace(enum.Enum):
    """Where the enemy stands in the line of three (X1)."""

    MIDDLE = "m"
    END = "e"


@dataclasses.dataclass(frozen=True, slots=True)
class Faces:
    """Which side of each tile is up."""

    add: AddFace
    move: MoveFace
    jump: JumpFace
    transformation: TransformationFace

    def flipped(self, tile: ActionTile) -> Faces:
        """The faces after an action tile has been turned over."""
        match tile:
            case ActionTile.ADD:
                return dataclasses.replace(self, add=other_side(self.add))
            case ActionTile.MOVE:
                return dataclasses.replace(self, move=other_side(self.move))
            case ActionTile.JUMP:
                return dataclasses.replace(self, jump=other_side(self.jump))

    def transformed(self) -> Faces:
        """The faces after the transformation tile has been turned over."""
        return dataclasses.replace(self, transformation=other_side(self.transformation))

    def __str__(self) -> str:
        return self.add.value + self.move.value + self.jump.value + self.transformation.value


Face = TypeVar("Face", AddFace, MoveFace, JumpFace, TransformationFace)


def other_side(face: Face) -> Face:
    """The face on the back of the tile that shows ``face``."""
    front, back = type(face)
    return back if face is front else front


def totem(tribe: Tribe, colour: AddFace) -> Space:
    """The totem space of this colour in a tribe's first row (B2). White is on each player's right."""
    if colour is AddFace.WHITE:
        return space_of("d1") if tribe is FOREST else space_of("b5")
    return space_of("b1") if tribe is FOREST else space_of("d5")
