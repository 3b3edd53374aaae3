"""The menu of the documentation site is complete. ``make docs`` builds the site, and tests/e2e tests it."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest


def test_every_document_is_in_the_menu_once(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(repository / "tools")
    pages = importlib.import_module("docs_site.pages")
    listed = [name for names in pages.CONTENTS.values() for name in names]
    generated = ("rules/", "reference/")
    names = [str(path.relative_to(repository).with_suffix("")) for path in pages.documents()]
    wanted = [name for name in names if not name.startswith("docs/results/")]
    assert sorted(name for name in listed if not name.startswith(generated)) == sorted(wanted)
