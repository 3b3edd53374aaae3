"""Writes the fact sheet of the encoding into docs/environments.md, between its two markers."""

from __future__ import annotations

import pathlib
from typing import Final

from cairn.research.fact_sheet import with_fact_sheet

PAGE: Final = pathlib.Path(__file__).parents[1] / "docs" / "environments.md"

if __name__ == "__main__":
    PAGE.write_text(with_fact_sheet(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
