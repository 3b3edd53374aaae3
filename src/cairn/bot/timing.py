"""How long to think, by the clock of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

MARGIN: Final = 250
"""Milliseconds that are kept for the way to the server and back."""
SHARE: Final = 40
"""A decision gets this part of what is left: games are some 40 turns long, half of them one's own, and a turn may ask
for several decisions."""
UNHURRIED: Final = 1_000
"""Milliseconds for a decision where there is no hurry."""
LONGEST: Final = 10_000
SHORTEST: Final = 10


def thinking_time(clock: Mapping[str, Any] | None, tribe: str, waited: float) -> int:
    """Milliseconds for the next decision of a tribe.

    ``clock`` is what the server said last about the clocks, ``waited`` how many milliseconds ago it did.

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
