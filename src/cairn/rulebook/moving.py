"""Moving shamans to another space or off the field, for actions and powers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cairn.rulebook.leaving import is_exit, leave
from cairn.rulebook.moment import Activation, Moment
from cairn.vocabulary import EIGHT_DIRECTIONS, Direction, Setup, Space, Travel, Tribe


def shamans_of(setup: Setup, tribe: Tribe) -> list[Space]:
    """The spaces of a tribe's shamans."""
    return [space for space, owner in setup.shamans.items() if owner is tribe]


def ways_to_end(setup: Setup, origin: Space, place: Space) -> Iterator[Travel]:
    """Yield the token from ``origin`` to ``place`` if that is allowed: ``place`` must be free or off the field."""
    if is_exit(setup.shamans[origin], place):
        yield Travel(origin, None)  # E1
    elif place.on_field and place not in setup.shamans:
        yield Travel(origin, place)  # B4


def steps(
    setup: Setup, origins: Iterable[Space], directions: Iterable[Direction] = EIGHT_DIRECTIONS
) -> Iterator[Travel]:
    """Every one-space move of the shamans on ``origins`` (A2). Powers use all eight directions (P5)."""
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
    """Add a shaman from a tribe's village to a space, where it may activate a megalith."""
    shamans = {**moment.setup.shamans, space: tribe}
    moved = moment.moved | {space}  # X2, P7
    return arrive(replace(moment, setup=replace(moment.setup, shamans=shamans), moved=moved), space)


def arrive(moment: Moment, space: Space) -> Moment:
    """Handle an arrival: if the space has a megalith, its activation is now pending (T3, P1, P3)."""
    if space not in moment.setup.megaliths:
        return moment
    arrival = (moment.setup.shamans[space], moment.setup.megaliths[space])
    return replace(moment, waiting=Activation(space), activations=(*moment.activations, arrival))  # P6 counts arrivals
