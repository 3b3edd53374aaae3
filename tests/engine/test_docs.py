"""The examples of the engine's documentation."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_examples_do_what_they_show(repository: Path) -> None:
    failed, tried = doctest.testfile(str(repository / "docs" / "engine.md"), module_relative=False)
    assert (failed, tried > 10) == (0, True)
