"""The three actions (A)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cairn.rulebook.leaving import banish
from cairn.rulebook.moment import Moment
from cairn.rulebook.moving import bring, shamans_of, steps, travel, ways_to_end
from cairn.vocabulary import (
    DIAGONAL,
    EIGHT_DIRECTIONS,
    ORTHOGONAL,
    ActionTile,
    Add,
    Direction,
    JumpFace,
    MoveFace,
    Setup,
    Travel,
    Tribe,
    totem,
)

DIRECTIONS: Final[dict[MoveFace, tuple[Direction, ...]]] = {
    MoveFace.ORTHOGONAL: ORTHOGONAL,
    MoveFace.DIAGONAL: DIAGONAL,
}


def adds(setup: Setup) -> Iterator[Add]:
    """A1: add a shaman from the village to the totem space of the colour shown."""
    space = totem(setup.active, setup.faces.add)
    if setup.village(setup.active) > 0 and setup.shamans.get(space) is not setup.active:
        yield Add(space)


def moves(setup: Setup) -> Iterator[Travel]:
    """A2: move one space in a direction that the tile shows, to a space without a shaman, or off the field."""
    return steps(setup, shamans_of(setup, setup.active), DIRECTIONS[setup.faces.move])


def jumps(setup: Setup) -> Iterator[Travel]:
    """A3: jump over an adjacent shaman of the kind that the tile shows, to the space behind it, or off the field."""
    jumped_over = _tribe_to_jump_over(setup)
    for origin in shamans_of(setup, setup.active):
        for direction in EIGHT_DIRECTIONS:
            if setup.shamans.get(origin.step(direction)) is jumped_over:
                yield from ways_to_end(setup, origin, origin.step(direction, times=2))


def _tribe_to_jump_over(setup: Setup) -> Tribe:
    return setup.active if setup.faces.jump is JumpFace.FRIEND else setup.active.enemy


def possible_actions(setup: Setup) -> dict[Add | Travel, ActionTile]:
    """Every action of the active player, with the action tile that it uses.

    No token is both a move and a jump, because moves and jumps differ in length. A move leaves the field only from the
    last row, and a jump only from the row before it.
    """
    return {
        **dict.fromkeys(adds(setup), ActionTile.ADD),
        **dict.fromkeys(moves(setup), ActionTile.MOVE),
        **dict.fromkeys(jumps(setup), ActionTile.JUMP),
    }


def act(moment: Moment, token: Add | Travel) -> Moment:
    """Perform the action, and flip its tile before any power is applied (T2, P2)."""
    tile = possible_actions(moment.setup)[token]
    moment = replace(moment, setup=replace(moment.setup, faces=moment.setup.faces.flipped(tile)), acted=True)
    if isinstance(token, Travel):
        return travel(moment, token)
    if token.space in moment.setup.shamans:
        moment = banish(moment, token.space)  # A1: an enemy stood there
    return bring(moment, moment.setup.active, token.space)
