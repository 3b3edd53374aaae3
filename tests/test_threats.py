"""The files named in the threat model exist."""

from __future__ import annotations

import re
from pathlib import Path


def test_every_named_file_exists(repository: Path) -> None:
    text = (repository / "docs" / "threats.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w./-]+\.(?:py|json))`", text))
    assert len(named) > 25
    places = (repository, repository / "src" / "cairn" / "server")
    assert [name for name in sorted(named) if not any((place / name).is_file() for place in places)] == []


def test_every_named_guard_class_exists(repository: Path) -> None:
    text = (repository / "docs" / "threats.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`guard\.([A-Z]\w+)`", text))
    guard = repository / "src" / "cairn" / "server" / "web" / "middleware" / "guard.py"
    code = guard.read_text(encoding="utf-8")
    assert named
    assert [name for name in named if f"class {name}" not in code] == []
