"""Writes the megalith table as X-macro lines for the C++ core, one line per tile, in the order of the table.

    CAIRN_MEGALITH(CG, Beginner, "b3")

The arguments are the tile's code, the smallest variant that uses the tile, and its space at the start of a beginner
game ("" if it has none). CMake runs this script: ``generate_megaliths.py megaliths.json megaliths.inc``.
"""

import json
import re
import sys
from pathlib import Path


def line(row: dict[str, str | None]) -> str:
    """The X-macro line for one row of the table."""
    code, variant, start = str(row["code"]), str(row["set"]), row["starts_on"] or ""
    if not re.fullmatch("[A-Z]{2}", code):
        raise ValueError(f"expected a megalith code of two capital letters, not {code!r}")
    if variant not in ("beginner", "standard", "expert"):
        raise ValueError(f"{code}: unknown variant {variant!r}")
    if not re.fullmatch("([a-e][1-5])?", start):
        raise ValueError(f"{code}: expected a space to start on, not {start!r}")
    return f'CAIRN_MEGALITH({code}, {variant.capitalize()}, "{start}")\n'


def main(table: Path, target: Path) -> None:
    """Read ``table`` and write ``target``."""
    rows = json.loads(table.read_text(encoding="utf-8"))
    header = f"// Generated from {table.name} by {Path(__file__).name}: change the table, not this file.\n"
    target.write_text(header + "".join(map(line, rows)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
