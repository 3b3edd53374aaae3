"""The symmetries of the board: the left-right mirror, the half-turn that swaps the tribes, and both together.

The mirror swaps the colours of the totem spaces, so the add tile shows its other face. No position is its own image,
because the mirror changes the add tile and the half-turn changes the active tribe. So every position has four different
images, and exactly one of them is in normal form: the add tile shows white and Forest is active.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Final

from cairn.notation import read_setup, read_token, write_position
from cairn.vocabulary import (
    SEA,
    TRIBES,
    ActionTile,
    Add,
    AddFace,
    Banish,
    Copy,
    Push,
    Put,
    Setup,
    Space,
    Swap,
    Token,
    Transform,
    Travel,
    Tribe,
)
from cairn.vocabulary.spaces import SIZE


@dataclasses.dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry of the board, or the identity."""

    mirrors: bool
    turns: bool

    @classmethod
    def normalizing(cls, setup: Setup) -> Symmetry:
        """The symmetry that brings a position into normal form."""
        return cls(mirrors=setup.faces.add is AddFace.BLACK, turns=setup.active is SEA)

    def space(self, space: Space) -> Space:
        """The image of a space."""
        column = SIZE + 1 - space.column if self.mirrors != self.turns else space.column
        return Space(column, SIZE + 1 - space.row if self.turns else space.row)

    def tribe(self, tribe: Tribe) -> Tribe:
        """The image of a tribe."""
        return tribe.enemy if self.turns else tribe

    def setup(self, setup: Setup) -> Setup:
        """The image of a position."""
        return dataclasses.replace(
            setup,
            shamans={self.space(space): self.tribe(tribe) for space, tribe in setup.shamans.items()},
            megaliths={self.space(space): tile for space, tile in setup.megaliths.items()},
            faces=setup.faces.flipped(ActionTile.ADD) if self.mirrors else setup.faces,
            scores={self.tribe(tribe): setup.scores[tribe] for tribe in TRIBES},
            active=self.tribe(setup.active),
        )

    def token(self, token: Token) -> str:
        """The text of a token's image. The two spaces of a swap are sorted, so it may differ from the notation."""
        match token:
            case Add(space) | Banish(space) | Transform(space):
                return str(type(token)(self.space(space)))
            case Travel(origin, target):
                return str(Travel(self.space(origin), self.space(target) if target else None))
            case Push(origin, target):
                return str(Push(self.space(origin), self.space(target)))
            case Put(space, tile):
                return str(Put(self.space(space), tile))
            case Swap(first, second):
                return "/".join(sorted(str(self.space(space)) for space in (first, second)))
            case Copy(tile, choice):
                return f"{tile}:{self.token(choice)}"
        return str(token)


SYMMETRIES: Final = tuple(Symmetry(mirrors, turns) for mirrors in (False, True) for turns in (False, True))


def images(position: str, tokens: Iterable[str]) -> Iterator[list[str]]:
    """The fields and the tokens of every image of a moment."""
    setup = read_setup(position)
    played = [read_token(token) for token in tokens]
    for each in SYMMETRIES:
        yield [*write_position(each.setup(setup)).split(), *map(each.token, played)]


def look(position: str, tokens: Iterable[str]) -> str:
    """How a moment looks: a text that symmetric moments share, without the upcoming megaliths and the deck.

    >>> look("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) bofm 0-0 F", ["a1-a2"])
    'S1S1S/5/5/5/F1F1F b3CD,d3CG wofm 0-0 F e1-e2'
    """
    setup = read_setup(position)
    symmetry = Symmetry.normalizing(setup)
    return " ".join((look_of(symmetry.setup(setup)), *(symmetry.token(read_token(token)) for token in tokens)))


def look_of(setup: Setup) -> str:
    """The text of a position without the upcoming megaliths and the deck."""
    fields = write_position(setup).split()
    return " ".join((*fields[:2], *fields[4:]))
