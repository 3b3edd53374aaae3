"""How long the engine may think about a token: the parameters of ``go``."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from cairn.engine.numbers import read_number


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """Where a search has to end. What is ``None`` does not limit it."""

    movetime: int | None = None
    """Milliseconds."""
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False
    """Think until told to stop."""


NUMBERS: Final = ("movetime", "nodes", "depth")


def read_limits(words: Sequence[str]) -> Limits:
    """The limits that the words after ``go`` set; ``ValueError`` with a sentence if they set none."""
    numbers: dict[str, int] = {}
    infinite = False
    rest = iter(words)
    for word in rest:
        if word in numbers or (word == "infinite" and infinite):
            raise ValueError(f"go: {word} stands twice")
        if word == "infinite":
            infinite = True
        elif word in NUMBERS:
            text = next(rest, None)
            number = read_number(text, lowest=1) if text is not None else None
            if number is None:
                found = "nothing" if text is None else repr(text[:40])
                raise ValueError(f"go: a whole number from 1 follows {word}, not {found}")
            numbers[word] = number
        else:
            raise ValueError(f"go: {word[:40]!r} is none of {', '.join(NUMBERS)}, infinite")
    return Limits(infinite=infinite, **numbers)
