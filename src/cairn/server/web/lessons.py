"""The boards of the rules pages and of the gallery of megaliths: positions of the engine, and what is played there.

They are data, in ``lessons.json``, each with its name, why it is shown, and the rules that it illustrates. The example
of a megalith is called ``megalith-`` and its code.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from importlib import resources

from cairn.server.messages.games import Line
from cairn.server.messages.views import line


@dataclasses.dataclass(frozen=True, slots=True)
class Lesson:
    """A position that teaches something, and the tokens played from there."""

    name: str
    purpose: str
    rules: tuple[str, ...]
    position: str
    tokens: tuple[str, ...]


@functools.cache
def lessons() -> tuple[Lesson, ...]:
    """Every lesson, in the order in which the rules page teaches."""
    table = json.loads(resources.files("cairn.server.web").joinpath("lessons.json").read_text(encoding="utf-8"))
    return tuple(
        Lesson(row["name"], row["purpose"], tuple(row["rules"]), row["position"], tuple(row["tokens"].split()))
        for row in table["lessons"]
    )


def lines() -> dict[str, Line]:
    """The line of every lesson, by its name."""
    return dict(_lines())


@functools.cache
def _lines() -> tuple[tuple[str, Line], ...]:
    """They never change, so the engine is asked once."""
    return tuple((lesson.name, line(lesson.position, lesson.tokens)) for lesson in lessons())
