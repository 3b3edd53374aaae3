"""Counts the moments of a comparison and the rare events in them."""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import Final

from cairn import rulebook
from cairn.rulebook.moment import Activation
from cairn.vocabulary import (
    MEGALITHS,
    Add,
    Build,
    Copy,
    Draw,
    Megalith,
    Phase,
    Reason,
    Space,
    Stop,
    Token,
    Transform,
    Travel,
    Tribe,
)

Tally = collections.Counter[str]

FLOORS: Final[Mapping[str, int]] = {
    **{f"power {code}": 1_000 for code in MEGALITHS},
    **{f"copy of {code}": 100 for code in MEGALITHS if code != "SH"},
    "power with nothing to do": 1_000,
    "stop offered": 200,
    "stop played": 50,
    "third arrival": 50,
    "transformation": 1_000,
    "construction on a megalith": 200,
    "point without a tile": 200,
    "extra turn": 200,
    "draw from unknown order": 1_000,
    "draw from known order": 1_000,
    "end by score": 1_000,
    "end by no-action": 200,
    "end by repetition": 200,
    "win on the opponent's turn": 50,
    "tokens refused": 100_000,
}
"""The minimum counts per million moments."""


def shortfalls(tally: Tally, share: float = 1.0) -> list[str]:
    """A sentence for each event that was too rare. ``share`` is the number of moments in millions."""
    return [
        f"{what}: {tally[what]}, expected {round(floor * share)} or more"
        for what, floor in FLOORS.items()
        if tally[what] < round(floor * share)
    ]


def count_start(tally: Tally, kind: str, moment: rulebook.Moment) -> None:
    """Count the start of a game."""
    tally["games"] += 1
    tally[f"games from {kind}"] += 1
    _count_moment(tally, moment)


def count_token(tally: Tally, before: rulebook.Moment, token: Token, after: rulebook.Moment) -> None:
    """Count a token that led from ``before`` to ``after``."""
    _count_moment(tally, after)
    _count_powers(tally, before, token, after)
    match token:
        case Stop():
            tally["stop played"] += 1
        case Transform():
            tally["transformation"] += 1
        case Draw():
            tally[f"draw from {'unknown' if before.setup.deck.unknown else 'known'} order"] += 1
    points = sum(after.setup.scores.values()) - sum(before.setup.scores.values())
    if points and not isinstance(token, Build):
        tally["point without a tile"] += 1
    left_from = _left_from(token)
    if left_from is not None and left_from in before.setup.megaliths:
        tally["construction on a megalith"] += 1
    if after.phase is Phase.ACTION and after.setup.active is before.setup.active:
        tally["extra turn"] += 1


def _count_moment(tally: Tally, moment: rulebook.Moment) -> None:
    tally["moments"] += 1
    tally[f"phase {moment.phase.value}"] += 1
    if isinstance(moment.waiting, Activation) and Stop() in rulebook.legal_tokens(moment):
        tally["stop offered"] += 1
    if moment.outcome:
        tally[f"end by {moment.outcome.reason.value}"] += 1
        if moment.outcome.reason is Reason.SCORE and moment.outcome.winner is not moment.setup.active:
            tally["win on the opponent's turn"] += 1


def _count_powers(tally: Tally, before: rulebook.Moment, token: Token, after: rulebook.Moment) -> None:
    if isinstance(before.waiting, Activation) and not isinstance(token, Stop):
        tally[f"power {before.setup.megaliths[before.waiting.space]}"] += 1
    if isinstance(token, Copy):
        tally[f"copy of {token.tile}"] += 1
    arrival = _arrival(before, token)
    if arrival is None:
        return
    if before.activations.count(arrival) == 2:
        tally["third arrival"] += 1
    elif arrival[1].code in ("PS", "TS"):
        tally[f"power {arrival[1]}"] += 1  # applied immediately, without a token
    elif after.phase is not Phase.POWER:
        tally["power with nothing to do"] += 1


def _arrival(before: rulebook.Moment, token: Token) -> tuple[Tribe, Megalith] | None:
    """The owner of the shaman that the token brings onto a megalith, and the megalith."""
    match token.choice if isinstance(token, Copy) else token:
        case Add(space):
            owner = before.decider
        case Travel(origin, Space() as space):
            owner = before.setup.shamans[origin]
        case _:
            return None
    tile = before.setup.megaliths.get(space)
    return (owner, tile) if tile and isinstance(owner, Tribe) else None


def _left_from(token: Token) -> Space | None:
    """The space where a construction is due after the token (E2, X3)."""
    match token.choice if isinstance(token, Copy) else token:
        case Travel(origin, None):
            return origin
        case Transform(space):
            return space
    return None
