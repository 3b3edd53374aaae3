"""The engine's options."""

from __future__ import annotations

import dataclasses
from typing import Final

from cairn.engine.levels import HIGHEST
from cairn.engine.native import MOST_MEGABYTES, MOST_THREADS
from cairn.engine.numbers import LARGEST, read_number


@dataclasses.dataclass(frozen=True, slots=True)
class Spin:
    """An option that is a whole number between two bounds."""

    name: str
    default: int
    lowest: int
    highest: int

    def __str__(self) -> str:
        """The option as the engine announces it."""
        return f"option name {self.name} type spin default {self.default} min {self.lowest} max {self.highest}"

    def read(self, text: str) -> int:
        """Parse a value. Raises ``ValueError`` if it is not valid."""
        number = read_number(text, self.lowest, self.highest)
        if number is None:
            raise ValueError(
                f"{self.name} must be a whole number from {self.lowest} to {self.highest}, not {text[:40]!r}"
            )
        return number


THREADS: Final = Spin("Threads", default=1, lowest=1, highest=MOST_THREADS)
HASH: Final = Spin("Hash", default=64, lowest=1, highest=MOST_MEGABYTES)
"""The size of the transposition table in megabytes."""
MULTI_PV: Final = Spin("MultiPV", default=1, lowest=1, highest=256)
"""The number of best tokens to report."""
LEVEL: Final = Spin("Level", default=0, lowest=0, highest=HIGHEST)
"""The level; 0 is full strength."""
SEED: Final = Spin("Seed", default=0, lowest=0, highest=LARGEST)
"""The seed for the random choices of a level."""
PONDER: Final = Spin("Ponder", default=0, lowest=0, highest=1)
"""Whether ``bestmove`` also names the expected reply. Programs that do not ponder need not understand it."""

OPTIONS: Final = (THREADS, HASH, MULTI_PV, LEVEL, SEED, PONDER)


def option_named(name: str) -> Spin | None:
    """The option with this name, ignoring case."""
    return next((option for option in OPTIONS if option.name.lower() == name.lower()), None)
