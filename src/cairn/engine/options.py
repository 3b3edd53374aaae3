"""What can be set in the engine: one table."""

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
        """The value that ``text`` is; ``ValueError`` with a sentence if it is none."""
        number = read_number(text, self.lowest, self.highest)
        if number is None:
            raise ValueError(f"{self.name} is a whole number from {self.lowest} to {self.highest}, not {text[:40]!r}")
        return number


THREADS: Final = Spin("Threads", default=1, lowest=1, highest=MOST_THREADS)
HASH: Final = Spin("Hash", default=64, lowest=1, highest=MOST_MEGABYTES)
"""Megabytes of the table in which the search remembers what it found."""
MULTI_PV: Final = Spin("MultiPV", default=1, lowest=1, highest=256)
"""How many of the best tokens are worked out and told."""
LEVEL: Final = Spin("Level", default=0, lowest=0, highest=HIGHEST)
"""How well the engine plays; 0 is as well as it can."""
SEED: Final = Spin("Seed", default=0, lowest=0, highest=LARGEST)
"""Decides what a level plays where it might play several tokens."""

OPTIONS: Final = (THREADS, HASH, MULTI_PV, LEVEL, SEED)


def option_named(name: str) -> Spin | None:
    """The option with that name, in small or capital letters."""
    return next((option for option in OPTIONS if option.name.lower() == name.lower()), None)
