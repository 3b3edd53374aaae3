"""Write the puzzles as assets of the web app: one file for each first digit of the ids, so that a visit loads one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from cairn.puzzles.puzzle import Puzzle, released

DIGITS: Final = "0123456789abcdef"


def data_of(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as ``web/src/app/puzzles/puzzle.ts`` reads it."""
    data = puzzle.to_json()
    fields = ("id", "variant", "position", "tokens", "goal", "turns", "solution", "themes", "chance")
    return {
        **{name: data[name] for name in fields if name in data},
        "plays": puzzle.decider.value,
        "rating": puzzle.rating,
        "deviation": puzzle.deviation,
    }


def write(folder: Path) -> None:
    """Write the files, and leave those that would not change untouched."""
    folder.mkdir(parents=True, exist_ok=True)
    for digit in DIGITS:
        puzzles = [data_of(puzzle) for puzzle in released() if puzzle.id.startswith(digit)]
        text = json.dumps(puzzles, separators=(",", ":")) + "\n"
        file = folder / f"{digit}.json"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
