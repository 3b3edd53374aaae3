"""Time management: how long to think about a decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

MARGIN: Final = 250
"""Milliseconds reserved for network latency."""
SHARE: Final = 40
"""A decision gets the remaining time divided by this number.

A game has about 40 turns. Half of them are the bot's, but a turn may have several decisions.
"""
UNHURRIED: Final = 1_000
"""Milliseconds for a decision in a game without a real-time clock."""
LONGEST: Final = 10_000
SHORTEST: Final = 10


def thinking_time(clock: Mapping[str, Any] | None, tribe: str, waited: float) -> int:
    """How many milliseconds a tribe may spend on its next decision.

    ``clock`` is the last clock state from the server, and ``waited`` is its age in milliseconds.

    >>> clock = {"control": {"kind": "real-time", "initial": 300_000, "increment": 3_000}, "forest": 120_000}
    >>> thinking_time(clock, "forest", waited=0), thinking_time(clock, "forest", waited=119_900)
    (4493, 10)
    >>> thinking_time(None, "forest", waited=0)
    1000
    """
    if clock is None or clock["control"]["kind"] != "real-time":
        return UNHURRIED
    left = clock[tribe] - waited - MARGIN
    wanted = left / SHARE + clock["control"]["increment"] / 2
    return max(SHORTEST, int(min(wanted, left / 4, LONGEST)))
