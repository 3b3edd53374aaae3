"""Draws the parts of the server and the imports between them, and writes docs/images/architecture.svg."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from harness.architecture import picture  # noqa: E402  # the repository has to be on the path

if __name__ == "__main__":
    (ROOT / "docs" / "images" / "architecture.svg").write_text(picture(), encoding="utf-8")
