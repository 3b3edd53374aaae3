"""The powers of the 17 megaliths.

A power consists of two functions. ``choices(moment, here)`` lists the choices for the owner of the shaman on ``here``.
The list is empty if the power has no effect (P1), and contains only ``use`` if there is nothing to choose. ``apply``
carries out a choice. Neither function looks at the megalith on ``here``, so the Shifting Stone can copy any power.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from cairn.rulebook.leaving import banish, place_upcoming, upcoming_tiles
from cairn.rulebook.moment import Moment
from cairn.rulebook.moving import bring, shamans_of, steps, travel
from cairn.vocabulary import (
    MEGALITHS,
    SPACES,
    ActionTile,
    Add,
    Banish,
    Copy,
    Flip,
    Megalith,
    Push,
    Put,
    Space,
    Swap,
    Token,
    Travel,
    Tribe,
    Use,
)

Choice = TypeVar("Choice", bound=Token)


@dataclass(frozen=True, slots=True)
class Power(Generic[Choice]):
    """The power of a megalith."""

    choices: Callable[[Moment, Space], Iterable[Choice]]
    """The choices for the owner of the shaman on a space."""
    apply: Callable[[Moment, Space, Choice], Moment]
    """The moment after a choice. An activation, a construction or a draw may be pending in that moment."""


def you(moment: Moment, here: Space) -> Tribe:
    """The owner of the activating shaman, to whom the power belongs (P1)."""
    return moment.setup.shamans[here]


# The choices for each megalith.


def chaos_of_the_giants(moment: Moment, here: Space) -> Iterator[Banish]:
    """Banish one enemy shaman standing in your first row."""
    for space in shamans_of(moment.setup, you(moment, here).enemy):
        if space.row == you(moment, here).first_row:
            yield Banish(space)


def cairn_of_dawn(moment: Moment, here: Space) -> Iterator[Add]:
    """A shaman in your village comes to a space of your first row that holds no shaman."""
    if moment.setup.village(you(moment, here)) > 0:
        for space in SPACES:
            if space.row == you(moment, here).first_row and space not in moment.setup.shamans:
                yield Add(space)


def cromlech_of_the_stars(moment: Moment, here: Space) -> Iterator[Travel]:
    """Move the shaman on this space to another megalith without a shaman."""
    for space in moment.setup.megaliths:
        if space not in moment.setup.shamans:  # this excludes the megalith here, which has a shaman
            yield Travel(here, space)


def pillars_of_spring(moment: Moment, here: Space) -> Iterator[Use]:
    """The turn after this one is yours."""
    yield Use()


def alley_of_dusk(moment: Moment, here: Space) -> Iterator[Banish]:
    """Banish one enemy shaman adjacent to this space."""
    for space in here.neighbours():
        if moment.setup.shamans.get(space) is you(moment, here).enemy:
            yield Banish(space)


def deer_rock(moment: Moment, here: Space) -> Iterator[Travel]:
    """Move one adjacent shaman of either tribe one space."""
    return steps(moment.setup, [space for space in here.neighbours() if space in moment.setup.shamans])


def menhir_of_the_dancers(moment: Moment, here: Space) -> Iterator[Travel]:
    """Move the shaman on this space one space."""
    return steps(moment.setup, [here])


def sanctuary_of_the_ages(moment: Moment, here: Space) -> Iterator[Push]:
    """Move any one megalith on the field one space, to an adjacent space of the field with no megalith."""
    for origin in moment.setup.megaliths:
        for target in origin.neighbours():
            if target not in moment.setup.megaliths:
                yield Push(origin, target)


def tumulus_of_shadow(moment: Moment, here: Space) -> Iterator[Use]:
    """Banish the shaman on this space."""
    yield Use()


def stormwell(moment: Moment, here: Space) -> Iterator[Swap]:
    """Swap two megaliths on the field."""
    in_order = [space for space in SPACES if space in moment.setup.megaliths]
    for first, second in itertools.combinations(in_order, 2):
        yield Swap(first, second)


def fairies_circle(moment: Moment, here: Space) -> Iterator[Travel]:
    """Move one enemy shaman one space."""
    return steps(moment.setup, shamans_of(moment.setup, you(moment, here).enemy))


def haven_of_purity(moment: Moment, here: Space) -> Iterator[Travel]:
    """Move one of your other shamans one space."""
    yours = shamans_of(moment.setup, you(moment, here))
    return steps(moment.setup, [space for space in yours if space != here])


def memorial_mound(moment: Moment, here: Space) -> Iterator[Flip]:
    """Flip one action tile."""
    for tile in ActionTile:
        yield Flip(tile)


def source_of_silver(moment: Moment, here: Space) -> Iterator[Put]:
    """Replace a megalith on the field with an upcoming megalith."""
    for space in moment.setup.megaliths:
        for tile in upcoming_tiles(moment):
            yield Put(space, tile)


def walk_of_the_colossus(moment: Moment, here: Space) -> Iterator[Swap]:
    """Swap one of your shamans with an enemy shaman."""
    for yours in shamans_of(moment.setup, you(moment, here)):
        for theirs in shamans_of(moment.setup, you(moment, here).enemy):
            yield Swap(yours, theirs)


def shifting_stone(moment: Moment, here: Space) -> Iterator[Copy]:
    """Apply the power of one of the upcoming megaliths, as if it stood on this space."""
    for tile in upcoming_tiles(moment):
        for choice in POWERS[tile].choices(moment, here):
            yield Copy(tile, choice)


def heart_of_the_earth(moment: Moment, here: Space) -> Iterator[Put]:
    """Build one of the upcoming megaliths on a space with no shaman and no megalith."""
    for space in SPACES:
        if space not in moment.setup.shamans and space not in moment.setup.megaliths:
            for tile in upcoming_tiles(moment):
                yield Put(space, tile)


# The effects; some are shared by several megaliths.


def banish_chosen(moment: Moment, here: Space, choice: Banish) -> Moment:
    """The chosen shaman returns to its village (E3)."""
    return banish(moment, choice.space)


def bring_from_village(moment: Moment, here: Space, choice: Add) -> Moment:
    """Add one of your shamans to the field; it may activate a megalith there (P3)."""
    return bring(moment, you(moment, here), choice.space)


def move_shaman(moment: Moment, here: Space, choice: Travel) -> Moment:
    """Move the shaman; its owner may activate a megalith (P3) or construct one (P5)."""
    return travel(moment, choice)


def take_next_turn(moment: Moment, here: Space, choice: Use) -> Moment:
    """T5: the next turn is yours, no matter whose turn this is."""
    return replace(moment, next_player=you(moment, here))


def banish_from_here(moment: Moment, here: Space, choice: Use) -> Moment:
    """The shaman on this space returns to its village (E3)."""
    return banish(moment, here)


def move_megalith(moment: Moment, here: Space, choice: Push) -> Moment:
    """Move the megalith but no shaman. Nothing is activated (P4)."""
    megaliths = dict(moment.setup.megaliths)
    megaliths[choice.target] = megaliths.pop(choice.origin)
    return replace(moment, setup=replace(moment.setup, megaliths=megaliths))


def swap_megaliths(moment: Moment, here: Space, choice: Swap) -> Moment:
    """Swap the megaliths but no shamans. Nothing is activated (P4)."""
    megaliths = dict(moment.setup.megaliths)
    megaliths[choice.first], megaliths[choice.second] = megaliths[choice.second], megaliths[choice.first]
    return replace(moment, setup=replace(moment.setup, megaliths=megaliths))


def swap_shamans(moment: Moment, here: Space, choice: Swap) -> Moment:
    """Swap the shamans. Nothing is activated, and both count as moved (P7)."""
    shamans = dict(moment.setup.shamans)
    shamans[choice.first], shamans[choice.second] = shamans[choice.second], shamans[choice.first]
    moved = moment.moved | {choice.first, choice.second}
    return replace(moment, setup=replace(moment.setup, shamans=shamans), moved=moved)


def flip_action_tile(moment: Moment, here: Space, choice: Flip) -> Moment:
    """Turn the tile over."""
    return replace(moment, setup=replace(moment.setup, faces=moment.setup.faces.flipped(choice.tile)))


def replace_megalith(moment: Moment, here: Space, choice: Put) -> Moment:
    """Put the replaced tile under the deck before the draw. If the deck was empty, the replaced tile is drawn."""
    replaced = moment.setup.megaliths[choice.space]
    deck = moment.setup.deck.with_at_bottom(replaced)
    return place_upcoming(replace(moment, setup=replace(moment.setup, deck=deck)), choice.space, choice.tile)


def build_without_scoring(moment: Moment, here: Space, choice: Put) -> Moment:
    """Place the tile and draw another one. Nobody scores."""
    return place_upcoming(moment, choice.space, choice.tile)


def apply_copied(moment: Moment, here: Space, choice: Copy) -> Moment:
    """Apply the power of the copied tile as if it were here."""
    return POWERS[choice.tile].apply(moment, here, choice.choice)


POWERS: Final[Mapping[Megalith, Power[Any]]] = MappingProxyType(
    {
        MEGALITHS["CG"]: Power(chaos_of_the_giants, banish_chosen),
        MEGALITHS["CD"]: Power(cairn_of_dawn, bring_from_village),
        MEGALITHS["CS"]: Power(cromlech_of_the_stars, move_shaman),
        MEGALITHS["PS"]: Power(pillars_of_spring, take_next_turn),
        MEGALITHS["AD"]: Power(alley_of_dusk, banish_chosen),
        MEGALITHS["DR"]: Power(deer_rock, move_shaman),
        MEGALITHS["MD"]: Power(menhir_of_the_dancers, move_shaman),
        MEGALITHS["SA"]: Power(sanctuary_of_the_ages, move_megalith),
        MEGALITHS["TS"]: Power(tumulus_of_shadow, banish_from_here),
        MEGALITHS["SW"]: Power(stormwell, swap_megaliths),
        MEGALITHS["FC"]: Power(fairies_circle, move_shaman),
        MEGALITHS["HP"]: Power(haven_of_purity, move_shaman),
        MEGALITHS["MM"]: Power(memorial_mound, flip_action_tile),
        MEGALITHS["SS"]: Power(source_of_silver, replace_megalith),
        MEGALITHS["WC"]: Power(walk_of_the_colossus, swap_shamans),
        MEGALITHS["SH"]: Power(shifting_stone, apply_copied),
        MEGALITHS["HE"]: Power(heart_of_the_earth, build_without_scoring),
    }
)
"""The power of every megalith."""
