"""Leaving the field and constructing (E)."""

from __future__ import annotations

from dataclasses import replace

from cairn.rulebook.moment import Construction, EmptySlot, Moment
from cairn.vocabulary import POINTS_TO_WIN, Build, Draw, Megalith, Outcome, Reason, Space, Tribe


def is_exit(tribe: Tribe, place: Space) -> bool:
    """Whether a step or jump to ``place`` leaves the field past the opponent's first row, in any column (E1)."""
    if tribe.forward > 0:
        return place.row > tribe.enemy.first_row
    return place.row < tribe.enemy.first_row


def leave(moment: Moment, space: Space) -> Moment:
    """The shaman on a space leaves the field, and its owner constructs there (E2)."""
    owner = moment.setup.shamans[space]
    return replace(banish(moment, space), waiting=Construction(owner, space))


def banish(moment: Moment, space: Space) -> Moment:
    """Return the shaman to its village (E3), which contains every shaman of its tribe that is not on the field."""
    shamans = {place: tribe for place, tribe in moment.setup.shamans.items() if place != space}
    return replace(moment, setup=replace(moment.setup, shamans=shamans), moved=moment.moved - {space})


# Constructing (E4, E5) in three parts: resolving a construction that needs no choice, choosing a tile, and drawing one.


def settle_construction(moment: Moment, construction: Construction) -> Moment:
    """Resolve the construction if there is no choice; otherwise leave it pending."""
    if construction.space in moment.setup.megaliths:
        return replace(moment, waiting=None)  # E4: nothing is constructed, and nobody scores
    if not upcoming_tiles(moment):
        return score(replace(moment, waiting=None), construction.tribe)  # E5: a point without a tile
    return moment


def build_choices(moment: Moment) -> list[Build]:
    """The upcoming megaliths that the constructing player may choose (E4)."""
    return [Build(tile) for tile in upcoming_tiles(moment)]


def build(moment: Moment, construction: Construction, tile: Megalith) -> Moment:
    """Place the chosen tile and score 1. The tile is not activated (E4, P4)."""
    return score(place_upcoming(moment, construction.space, tile), construction.tribe)


def settle_empty_slot(moment: Moment) -> Moment:
    """Leave the slot empty if the deck is empty (E5); otherwise leave the draw pending."""
    return moment if len(moment.setup.deck) else replace(moment, waiting=None)


def draw_choices(moment: Moment) -> list[Draw]:
    """The tiles that may be drawn."""
    return [Draw(tile) for tile in moment.setup.deck.draws()]


def draw(moment: Moment, empty: EmptySlot, tile: Megalith) -> Moment:
    """Put the drawn tile into the empty slot (E4)."""
    upcoming = _with_slot(moment, empty.index, tile)
    deck = moment.setup.deck.without(tile)
    return replace(moment, setup=replace(moment.setup, upcoming=upcoming, deck=deck), waiting=None)


def upcoming_tiles(moment: Moment) -> list[Megalith]:
    """The upcoming megaliths, without empty slots."""
    return [tile for tile in moment.setup.upcoming if tile]


def place_upcoming(moment: Moment, space: Space, tile: Megalith) -> Moment:
    """Place an upcoming tile on the field. A draw for its slot is then pending."""
    slot = moment.setup.upcoming.index(tile)
    upcoming = _with_slot(moment, slot, None)
    megaliths = {**moment.setup.megaliths, space: tile}
    return replace(moment, setup=replace(moment.setup, megaliths=megaliths, upcoming=upcoming), waiting=EmptySlot(slot))


def _with_slot(moment: Moment, index: int, tile: Megalith | None) -> tuple[Megalith | None, Megalith | None]:
    """The upcoming slots after setting slot ``index`` to ``tile``; ``None`` empties the slot."""
    first, second = moment.setup.upcoming
    return (tile, second) if index == 0 else (first, tile)


def score(moment: Moment, tribe: Tribe) -> Moment:
    """Score 1. A tribe that reaches 3 wins immediately, even on the opponent's turn, and no tile is drawn (T6, G1)."""
    points = moment.setup.scores[tribe] + 1
    moment = replace(moment, setup=replace(moment.setup, scores={**moment.setup.scores, tribe: points}))
    if points < POINTS_TO_WIN:
        return moment
    return replace(moment, outcome=Outcome(tribe, Reason.SCORE), waiting=None)
