"""The events that must occur in a run of many seeds. Otherwise "no invariant was violated" would mean little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from harness.simulation.programs import COMMANDS

FAULTS: Final = (
    "instance killed",
    "socket cut",
    "wall clock set",
    "slow commit",
    "connection lost before the commit",
    "connection lost after the commit",
    "database unavailable",
    "disk full",
)
HONEST_COMMANDS: Final = ("play", "confirm", "undo", "resign", "accept", "decline", "claim", "reveal")
REFUSALS: Final = (
    "draw-waits",
    "game-over",
    "illegal-token",
    "malformed",
    "no-offer",
    "not-abandoned",
    "nothing-to-confirm",
    "nothing-to-undo",
    "offered-already",
    "stale-revision",
    "storage-failed",
    "storage-full",
    "takeback-needed",
    "too-many-undos",
    "turn-held",
    "wrong-link",
    "wrong-seat-token",
    "wrong-turn",
    "your-decision",
)
ENDS: Final = ("abandoned", "agreement", "resignation", "score", "time")
RACES: Final = ("revision taken", "command sent again", "command was stored before")
"""Races between instances: another instance has already stored the revision; a player resends a command, perhaps to
another instance; a resent command turns out to have been stored the first time."""

SEALED: Final = ("link", "verified")
"""In games with sealed draws: links revealed, and records verified."""

EXPECTED: Final = (
    *(f"fault: {name}" for name in FAULTS),
    *(f"command: {name}" for name in HONEST_COMMANDS),
    *(f"hostile command: {name}" for name in COMMANDS),
    *(f"refusal: {name}" for name in REFUSALS),
    *(f"end: {name}" for name in ENDS),
    *(f"race: {name}" for name in RACES),
    *(f"sealed: {name}" for name in SEALED),
    "hostile command: withhold a link",
)
"""The names of the counts that must not be zero."""


def missing(counts: Mapping[str, int]) -> list[str]:
    """The names of expected events that never occurred."""
    return [name for name in EXPECTED if not counts.get(name)]


def table(counts: Mapping[str, int]) -> dict[str, str]:
    """The counts as readable text, one line for each kind of event."""
    kinds: dict[str, list[str]] = {}
    for name in sorted({*EXPECTED, *counts}):
        kind, colon, what = name.partition(": ")
        if colon:
            kinds.setdefault(kind, []).append(f"{what} {counts.get(name, 0):,}")
    return {kind: ", ".join(each) for kind, each in kinds.items()}
