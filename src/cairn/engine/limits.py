"""Search limits."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from cairn.engine.numbers import read_number
from cairn.vocabulary import FOREST, Tribe

OVERHEAD_MS: Final = 15
"""Milliseconds of every decision that are not spent searching, so that the answer arrives in time."""
DECISIONS_LEFT: Final = 24
"""How many more decisions to plan for. A player makes some 30 in a game, but the last ones are often easy."""
INCREMENT_SHARE: Final = 0.6
"""The share of the increment that a decision may use. A turn earns one increment and may have several decisions."""
MOST_SHARE: Final = 0.2
"""The share of the remaining time that a single decision may use."""
MOST_FACTOR: Final = 4
"""How many times the wanted time a decision may take."""


@dataclasses.dataclass(frozen=True, slots=True)
class Clock:
    """The time that both tribes have left for the rest of the game, and what each turn adds to it."""

    forest_ms: int
    sea_ms: int
    forest_increment_ms: int = 0
    """Added to Forest's time at the end of each of its turns."""
    sea_increment_ms: int = 0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if getattr(self, field.name) < 0:
                raise ValueError(f"{field.name} must be at least 0, not {getattr(self, field.name)}")

    def budget(self, tribe: Tribe) -> tuple[int, int]:
        """The time for one decision, in milliseconds: the most that it may take, and the time that it should take.

        >>> Clock(60_000, 500, 1_000).budget(FOREST)
        (12397, 3099)
        """
        forest = tribe is FOREST
        left, increment = (self.forest_ms, self.forest_increment_ms) if forest else (self.sea_ms, self.sea_increment_ms)
        usable = max(1, left - OVERHEAD_MS)
        wanted = usable / DECISIONS_LEFT + INCREMENT_SHARE * increment
        most = max(1, int(min(MOST_FACTOR * wanted, MOST_SHARE * usable + INCREMENT_SHARE * increment, usable)))
        return most, max(1, min(most, int(wanted)))


@dataclasses.dataclass(frozen=True, slots=True)
class Limit:
    """The limits of a search; ``None`` means no limit.

    >>> Limit(nodes=100_000).is_endless
    False
    """

    movetime_ms: int | None = None
    """The time in milliseconds."""
    nodes: int | None = None
    """The number of tokens tried."""
    depth: int | None = None
    """The search depth. An action counts as one ply, and so does a power with many choices."""
    clock: Clock | None = None
    """The time left in the game. The engine decides how much of it to use."""

    def __post_init__(self) -> None:
        for name in ("movetime_ms", "nodes", "depth"):
            value: int | None = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")

    @property
    def is_endless(self) -> bool:
        """Whether there is no limit, so that only a stop or a proof ends the search."""
        return self.movetime_ms is None and self.nodes is None and self.depth is None and self.clock is None

    def budget(self, tribe: Tribe) -> tuple[int, int]:
        """The most time and the wanted time for a decision of this tribe, in milliseconds; 0 means no limit.

        >>> Limit(movetime_ms=500).budget(FOREST), Limit(nodes=1).budget(FOREST)
        ((500, 0), (0, 0))
        """
        most, wanted = self.clock.budget(tribe) if self.clock else (0, 0)
        if self.movetime_ms is None:
            return most, wanted
        return min(most, self.movetime_ms) if most else self.movetime_ms, wanted

    @property
    def words(self) -> str:
        """The limit as written after ``go``.

        >>> Limit(movetime_ms=500, depth=3).words, Limit(clock=Clock(9_000, 8_000, 100, 100)).words
        ('movetime 500 depth 3', 'ftime 9000 stime 8000 finc 100 sinc 100')
        """
        values: list[int | None] = [self.movetime_ms, self.nodes, self.depth]
        if self.clock:
            values += dataclasses.astuple(self.clock)
        named = zip(NUMBERS, values, strict=False)
        return " ".join(f"{name} {value}" for name, value in named if value is not None) or "infinite"


NO_LIMIT: Final = Limit()
TIMES: Final = ("ftime", "stime")
INCREMENTS: Final = ("finc", "sinc")
NUMBERS: Final = ("movetime", "nodes", "depth", *TIMES, *INCREMENTS)
FLAGS: Final = ("infinite", "ponder")


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """The words after ``go``."""

    limit: Limit
    infinite: bool = False
    """Whether the answer has to wait for ``stop``."""
    ponder: bool = False
    """Whether the limits and the answer have to wait for ``ponderhit``."""


def read_request(words: Sequence[str]) -> Request:
    """Parse the words after ``go``. Raises ``ValueError`` if they are not valid."""
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    rest = iter(words)
    for word in rest:
        if word in numbers or word in flags:
            raise ValueError(f"go: {word} appears twice")
        if word in FLAGS:
            flags.add(word)
        elif word in NUMBERS:
            numbers[word] = _number_after(word, next(rest, None))
        else:
            raise ValueError(f"go: {word[:40]!r} is not one of {', '.join((*NUMBERS, *FLAGS))}")
    if len(flags) > 1:
        raise ValueError("go: infinite and ponder exclude each other")
    limit = Limit(numbers.get("movetime"), numbers.get("nodes"), numbers.get("depth"), _clock(numbers))
    return Request(limit, "infinite" in flags, "ponder" in flags)


def _number_after(word: str, text: str | None) -> int:
    lowest = 0 if word in (*TIMES, *INCREMENTS) else 1
    number = read_number(text, lowest) if text is not None else None
    if number is None:
        found = "nothing" if text is None else repr(text[:40])
        kind = "whole" if lowest == 0 else "positive whole"
        raise ValueError(f"go: expected a {kind} number after {word}, not {found}")
    return number


def _clock(numbers: dict[str, int]) -> Clock | None:
    if not any(name in numbers for name in (*TIMES, *INCREMENTS)):
        return None
    if missing := [name for name in TIMES if name not in numbers]:
        raise ValueError(f"go: {missing[0]} is missing: a clock needs {' and '.join(TIMES)}")
    return Clock(*(numbers.get(name, 0) for name in (*TIMES, *INCREMENTS)))
