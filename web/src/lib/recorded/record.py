"""Write ``faults.json`` for the web tests: the faults that the package finds in some malformed texts."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cairn.board import Board
from cairn.record import read_record
from cairn.vocabulary import Fault, MalformedError

FILE: Final = Path(__file__).with_name("faults.json")
START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
POSITIONS: Final = (
    START.replace("b3CG", "b3XX"),
    START.replace("d3CD", "d3CG"),
    START.replace("S1S1S/5", "SSSSS/S4"),
    START.replace("S1S1S", "X1S1S"),
    START.replace("S1S1S", "S1S1S1"),
    START.replace("d3CD", "b3CD"),
    START.replace("b3CG,d3CD", "d3CD,b3CG"),
    START.replace("(ADCSPSSA)", "(CSADPSSA)"),
    START.replace("0-0", "0-3"),
    START.replace("(ADCSPSSA)", "(ADADPSSA)"),
    START.replace("0-0 F", "0-0 X"),
    START.replace("wofm", "wofx"),
    START.removesuffix(" F"),
    "",
)
RECORDS: Final = (
    f'[Position "{START}"]\n\n1 F a1-a2\n2 S a5-a1\n*\n',
    f'[Position "{START}"]\n\n1 F a1-a2\n',
    f'[Position "{START}"]\n\n1 F nonsense\n*\n',
    f'[Position "{START}"]\n[Result "F"]\n\n1 F a1-a2\n*\n',
    f'[Position "{START}"]\n[Position "{START}"]\n\n*\n',
    f'[Position "{START.replace("(ADCSPSSA)", "(CSADPSSA)")}"]\n\n*\n',
    f'[Position "{START}"]\n\n1 F a1-a2\n3 S a5-b4\n*\n',
    f'[Position "{START}"]\n\na1-a2\n*\n',
    b"\xff",
    "1 F a1-a2\n*\n",
)


def faults() -> Iterator[Fault]:
    """Yield every fault in every text, in order."""
    for position in POSITIONS:
        try:
            Board(position)
        except MalformedError as error:
            yield from error.faults
    for record in RECORDS:
        try:
            read_record(record)
        except MalformedError as error:
            yield from error.faults


def written() -> str:
    """Return the text that the file should contain."""
    found = [dataclasses.asdict(each) for each in faults()]
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
