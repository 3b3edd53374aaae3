"""The fact sheet in the documentation is the one that the code generates."""

from __future__ import annotations

from pathlib import Path

from cairn.research.fact_sheet import BEGIN, END, with_fact_sheet


def test_the_fact_sheet_is_current(repository: Path) -> None:
    page = (repository / "docs" / "environments.md").read_text(encoding="utf-8")
    assert page.count(BEGIN) == page.count(END) == 1
    assert page == with_fact_sheet(page), "run tools/write_fact_sheet.py"
