"""Every well-formed token."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from cairn.vocabulary import (
    MEGALITHS,
    SPACES,
    ActionTile,
    Add,
    Banish,
    Build,
    Copy,
    Draw,
    Flip,
    Pass,
    Push,
    Put,
    Stop,
    Swap,
    Token,
    Transform,
    Travel,
    Use,
)


@functools.cache
def choices_of_powers() -> Sequence[Token]:
    """The choices that a copied power can offer, except ``use``. Adding and travelling are also actions."""
    pairs = [(first, second) for first in SPACES for second in SPACES]
    return (
        *map(Add, SPACES),
        *(Travel(origin, target) for origin, target in pairs),
        *(Travel(origin, None) for origin in SPACES),
        *map(Banish, SPACES),
        *(Push(origin, target) for origin, target in pairs),
        *(Swap(first, second) for first, second in pairs),
        *map(Flip, ActionTile),
        *(Put(space, tile) for space in SPACES for tile in MEGALITHS.values()),
    )


@functools.cache
def plain_tokens() -> Sequence[Token]:
    """Every token without the Shifting Stone's prefix."""
    tiles = MEGALITHS.values()
    others: tuple[Token, ...] = (Stop(), Pass(), *map(Build, tiles), *map(Draw, tiles), *map(Transform, SPACES))
    return (*choices_of_powers(), *others)


@functools.cache
def well_formed_tokens() -> Sequence[Token]:
    """Every token, whether or not it is legal in any position."""
    copied = [*choices_of_powers(), Use()]
    return (*plain_tokens(), *(Copy(tile, choice) for tile in MEGALITHS.values() for choice in copied))
