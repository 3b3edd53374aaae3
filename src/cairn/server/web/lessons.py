"""The boards on the home page, on the rules pages and in the gallery: positions, and tokens to play from them.

``lessons.json`` contains their names, their purposes and the rules that they illustrate. The example for a megalith is
named ``megalith-`` followed by its code. The boards never change, so they are built into the pages: the build runs
``python -m cairn.server.web.lessons FOLDER`` to write them.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import sys
from importlib import resources
from pathlib import Path
from typing import Any

from cairn.server.messages.games import LineView
from cairn.server.messages.views import line


@dataclasses.dataclass(frozen=True, slots=True)
class Lesson:
    """A position and the tokens played from it."""

    name: str
    purpose: str
    rules: tuple[str, ...]
    position: str
    tokens: tuple[str, ...]


@functools.cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order of the rules page."""
    return tuple(
        Lesson(row["name"], row["purpose"], tuple(row["rules"]), row["position"], tuple(row["tokens"].split()))
        for row in _table()["lessons"]
    )


def home() -> LineView:
    """The game on the home page."""
    row = _table()["home"]
    return line(row["position"], row["tokens"].split())


def _table() -> dict[str, Any]:
    text = resources.files("cairn.server.web").joinpath("lessons.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def lines() -> dict[str, LineView]:
    """The lines of all lessons, by name."""
    return dict(_lines())


@functools.cache
def _lines() -> tuple[tuple[str, LineView], ...]:
    """The lines of all lessons, computed once, because lessons never change."""
    return tuple((lesson.name, line(lesson.position, lesson.tokens)) for lesson in lessons())


def main(arguments: list[str]) -> int:
    """Write the lines to ``lessons.json`` and ``home.json`` in the given folder."""
    if len(arguments) != 1:
        print("usage: python -m cairn.server.web.lessons FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    all_lines = {name: each.model_dump(mode="json") for name, each in lines().items()}
    for name, content in (("lessons", all_lines), ("home", home().model_dump(mode="json"))):
        (folder / f"{name}.json").write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
