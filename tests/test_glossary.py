"""The identifiers and rules in the house-style glossary exist."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def rows(repository: Path) -> list[list[str]]:
    """The rows of the glossary, as lists of cells."""
    glossary = (repository / "docs" / "house-style.md").read_text(encoding="utf-8").partition("## Glossary")[2]
    lines = [line for line in glossary.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names_in(path: Path) -> set[str]:
    """Return all identifiers and strings in a Python file.

    Strings are included because some names, such as message kinds, occur only as strings.
    """
    names = set()
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.NAME:
            names.add(token.string)
        elif token.type == tokenize.STRING:
            names.add(token.string.strip("\"'"))
    return names


def test_every_identifier_exists(rows: list[list[str]], repository: Path) -> None:
    names = set[str]().union(*(names_in(path) for path in (repository / "src" / "cairn").rglob("*.py")))
    listed = [row[0].strip("`") for row in rows]
    assert len(listed) > 40
    assert [name for name in listed if name not in names] == []


def test_every_identifier_is_listed_once(rows: list[list[str]]) -> None:
    listed = [row[0] for row in rows]
    assert sorted(set(listed)) == sorted(listed)


def test_every_rule_exists(rows: list[list[str]], repository: Path) -> None:
    rules = set(
        re.findall(r"^- \*\*([A-Z][0-9])\.", (repository / "docs" / "rules.md").read_text("utf-8"), re.MULTILINE)
    )
    cited = [row[3] for row in rows if len(row) == 4]
    assert len(cited) > 30
    assert [rule for rule in cited if rule not in rules] == []


def test_identifiers_and_strings_are_found_but_comments_are_not(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text('class Tribe:\n    kind = "takeback"  # comment\n', encoding="utf-8")
    assert names_in(path) >= {"Tribe", "kind", "takeback"}
    assert "comment" not in names_in(path)
