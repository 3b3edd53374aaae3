"""Search limits."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from cairn.engine.numbers import read_number


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

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value: int | None = getattr(self, field.name)
            if value is not None and value < 1:
                raise ValueError(f"{field.name} must be at least 1, not {value}")

    @property
    def is_endless(self) -> bool:
        """Whether there is no limit, so that only a stop or a proof ends the search."""
        return self.movetime_ms is None and self.nodes is None and self.depth is None

    @property
    def words(self) -> str:
        """The limit as written after ``go``.

        >>> Limit(movetime_ms=500, depth=3).words
        'movetime 500 depth 3'
        """
        values = zip(NUMBERS, (self.movetime_ms, self.nodes, self.depth), strict=True)
        return " ".join(f"{name} {value}" for name, value in values if value is not None) or "infinite"


NO_LIMIT: Final = Limit()
NUMBERS: Final = ("movetime", "nodes", "depth")


def read_limit(words: Sequence[str]) -> tuple[Limit, bool]:
    """Parse the words after ``go``; return the limit and whether the words include ``infinite``.

    Raises ``ValueError`` if the words are not valid.
    """
    numbers: dict[str, int] = {}
    infinite = False
    rest = iter(words)
    for word in rest:
        if word in numbers or (word == "infinite" and infinite):
            raise ValueError(f"go: {word} appears twice")
        if word == "infinite":
            infinite = True
        elif word in NUMBERS:
            text = next(rest, None)
            number = read_number(text, lowest=1) if text is not None else None
            if number is None:
                found = "nothing" if text is None else repr(text[:40])
                raise ValueError(f"go: expected a positive whole number after {word}, not {found}")
            numbers[word] = number
        else:
            raise ValueError(f"go: {word[:40]!r} is not one of {', '.join(NUMBERS)}, infinite")
    return Limit(numbers.get("movetime"), numbers.get("nodes"), numbers.get("depth")), infinite
