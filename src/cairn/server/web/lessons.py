"""The boards on the rules pages and in the megalith gallery: positions, and the tokens played from there.

``lessons.json`` contains their names, their purposes and the rules that they illustrate. The example of a megalith is
named ``megalith-`` followed by its code.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from importlib import resources

from cairn.server.messages.games import LineView
from cairn.server.messages.views import line


@dataclasses.dataclass(frozen=True, slots=True)
class Lesson:
    """A position, and tokens played from there."""

    name: str
    purpose: str
    rules: tuple[str, ...]
    position: str
    tokens: tuple[str, ...]


@functools.cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order of the rules page."""
    table = json.loads(resources.files("cairn.server.web").joinpath("lessons.json").read_text(encoding="utf-8"))
    return tuple(
        Lesson(row["name"], row["purpose"], tuple(row["rules"]), row["position"], tuple(row["tokens"].split()))
        for row in table["lessons"]
    )


def lines() -> dict[str, LineView]:
    """The lines of all lessons, by name."""
    return dict(_lines())


@functools.cache
def _lines() -> tuple[tuple[str, LineView], ...]:
    """Computed once, because lessons never change."""
    return tuple((lesson.name, line(lesson.position, lesson.tokens)) for lesson in lessons())
