"""How shamans come to another space, or off the field: what actions and powers share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cairn.rulebook.leaving import is_exit, leave
from cairn.rulebook.moment import Activation, Moment
from cairn.vocabulary import EIGHT_DIRECTIONS, Direction, Setup, Space, Travel, Tribe


def shamans_of(setup: Setup, tribe: Tribe) -> list[Space]:
    """Where the shamans of that tribe stand."""
    return [space for space, owner in setup.shamans.items() if owner is tribe]


def ways_to_end(setup: Setup, origin: Space, place: Space) -> Iterator[Travel]:
    """The travel of the shaman on ``origin`` that ends on ``place``, if it may: on a free space, or as an exit."""
    if is_exit(setup.shamans[origin], place):
        yield Travel(origin, None)  # E1
    elif place.on_field and place not in setup.shamans:
        yield Travel(origin, place)  # B4


def steps(
    setup: Setup, origins: Iterable[Space], directions: Iterable[Direction] = EIGHT_DIRECTIONS
) -> Iterator[Travel]:
    """Every one-space move of one of the shamans on ``origins`` (A2; for a power, in all eight directions, P5)."""
    for origin in origins:
        for direction in directions:
            yield from ways_to_end(setup, origin, origin.step(direction))


def travel(moment: Moment, token: Travel) -> Moment:
    """Move a shaman to a space, where it may activate a megalith, or off the field."""
    if token.target is None:
        return leave(moment, token.origin)
    shamans = dict(moment.setup.shamans)
    shamans[token.target] = shamans.pop(token.origin)
    moved = moment.moved - {token.origin} | {token.target}  # X2, P7
    return arrive(replace(moment, setup=replace(moment.setup, shamans=shamans), moved=moved), token.target)


def bring(moment: Moment, tribe: Tribe, space: Space) -> Moment:
    """Add a shaman from that tribe's village to a space, where it may activate a megalith."""
    shamans = {**moment.setup.shamans, space: tribe}
    moved = moment.moved | {space}  # X2, P7
    return arrive(replace(moment, setup=replace(moment.setup, shamans=shamans), moved=moved), space)


def arrive(moment: Moment, space: Space) -> Moment:
    """A shaman has come onto that space; if a megalith stands there, its activation waits (T3, P1, P3)."""
    if space not in moment.setup.megaliths:
        return moment
    arrival = (moment.setup.shamans[space], moment.setup.megaliths[space])
    return replace(moment, waiting=Activation(space), activations=(*moment.activations, arrival))  # P6 counts them
