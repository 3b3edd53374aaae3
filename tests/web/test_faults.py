"""The error messages recorded for the web tests match those of the package."""

from __future__ import annotations

import runpy
from pathlib import Path


def test_the_recorded_faults_match_the_package(repository: Path) -> None:
    folder = repository / "web" / "src" / "lib" / "recorded"
    recorded = runpy.run_path(str(folder / "record.py"))
    assert recorded["FILE"] == folder / "faults.json"
    assert recorded["FILE"].read_text(encoding="utf-8") == recorded["written"](), "run web/src/lib/recorded/record.py"
