"""Time management: the limit for a decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cairn.engine import Clock, Limit
from cairn.vocabulary import Tribe

MARGIN: Final = 250
"""Milliseconds reserved for network latency."""
UNHURRIED: Final = 1_000
"""Milliseconds for a decision in a game without a real-time clock."""
LONGEST: Final = 10_000


def is_real_time(clock: Mapping[str, Any] | None) -> bool:
    """Whether a game has a real-time clock."""
    return clock is not None and clock["control"]["kind"] == "real-time"


def thinking_limit(clock: Mapping[str, Any] | None, tribe: str, waited: float) -> Limit:
    """The limit for a tribe's next decision. The engine decides how much of the clock to use.

    ``clock`` is the last clock state from the server, and ``waited`` is its age in milliseconds.

    >>> control = {"kind": "real-time", "initial": 300_000, "increment": 3_000}
    >>> clock = {"control": control, "forest": 120_000, "sea": 90_000}
    >>> thinking_limit(clock, "forest", waited=1_000).clock
    Clock(forest_ms=118750, sea_ms=90000, forest_increment_ms=3000, sea_increment_ms=3000)
    >>> thinking_limit(None, "forest", waited=0)
    Limit(movetime_ms=1000, nodes=None, depth=None, clock=None)
    """
    if clock is None or not is_real_time(clock):
        return Limit(movetime_ms=UNHURRIED)
    used = round(waited) + MARGIN
    left = {each.value: max(0, clock[each.value] - used * (each.value == tribe)) for each in Tribe}
    increment = clock["control"]["increment"]
    return Limit(LONGEST, clock=Clock(left["forest"], left["sea"], increment, increment))
