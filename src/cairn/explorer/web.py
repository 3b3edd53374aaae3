"""Write the table of self-play games as assets of the web app: 16 files of moments, and one with the summary."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from cairn.explorer.table import ExplorerTable, released
from cairn.vocabulary import Variant

DIGITS: Final = "0123456789abcdef"


def digit_of(look: str) -> str:
    """The file that contains a moment. ``web/src/app/explorer/selfPlay.ts`` computes the same digit.

    >>> digit_of("S1S1S/5/5/5/F1F1F b3CG,d3CD wofm 0-0 F")
    'b'
    """
    number = 0
    for letter in look:
        number = (number * 31 + ord(letter)) % 2**32
    return DIGITS[(number >> 16) % len(DIGITS)]


def write(folder: Path, table: ExplorerTable) -> None:
    """Write the files, and leave those that would not change untouched."""
    folder.mkdir(parents=True, exist_ok=True)
    parts: dict[str, dict[str, dict[str, list[int]]]] = {digit: {} for digit in DIGITS}
    for look, by_token in table.rows():
        parts[digit_of(look)][look] = by_token
    starts = {
        variant: {faces: [each.won, each.drawn, each.lost] for faces, each in table.starts(variant).items()}
        for variant in Variant
    }
    _write(folder / "summary.json", {**table.summary(), "starts": {key.value: value for key, value in starts.items()}})
    for digit, part in parts.items():
        _write(folder / f"{digit}.json", part)


def _write(file: Path, content: object) -> None:
    text = json.dumps(content, separators=(",", ":")) + "\n"
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), released())
