"""Copies the documents into the source folder of the site, in the layout of the repository, so that links work."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
HOME: Final = "README.md"
CONTENTS: Final = {
    "Play": ("docs/getting-started", "rules/en", "rules/fr", "rules/de", "rules/ru", "docs/rules", "docs/notation"),
    "Library and engine": (
        "docs/engine",
        "docs/solver",
        "docs/review",
        "docs/protocol",
        "docs/arena",
        "docs/explorer",
        "docs/puzzles",
        "reference/python",
    ),
    "Research": (
        "docs/environments",
        "docs/network",
        "docs/training",
        "docs/data",
        "docs/balance",
        "examples/README",
        "examples/boards",
        "docs/methods",
        "docs/strength",
        "docs/bench",
    ),
    "Server": (
        "docs/server",
        "docs/online",
        "docs/accounts",
        "docs/fairness",
        "docs/bots",
        "reference/http",
        "reference/messages",
        "docs/deployment",
        "docs/hosting",
        "docs/offline",
        "docs/threats",
        "docs/load",
        "docs/simulation",
    ),
    "Development": (
        "CONTRIBUTING",
        "docs/architecture",
        "docs/testing",
        "docs/house-style",
        "docs/translation",
        "docs/tutorial",
        "web/README",
        "web/board/README",
        "docs/dependencies",
        "docs/releasing",
        "CHANGELOG",
    ),
}
"""The pages of the site, by section of its menu. Results of long-running tests follow in a section of their own."""
LINK: Final = re.compile(r"\]\((?!https?:|mailto:|#)([^)\s#]+)")


def documents() -> list[Path]:
    """The documents in the repository that become pages, without the home page."""
    found = [ROOT / "web" / "README.md", ROOT / "web" / "board" / "README.md"]
    for pattern in ("*.md", "docs/**/*.md", "examples/*.md", "examples/*.ipynb"):
        found += ROOT.glob(pattern)
    return sorted(path for path in found if path != ROOT / HOME)


def linked_files(page: Path) -> Iterator[Path]:
    """The files in the repository to which a page links."""
    text = page.read_text(encoding="utf-8")
    for link in [*LINK.findall(text), *re.findall(r'src="(?!https?:)([^"]+)"', text)]:
        target = (page.parent / link).resolve()
        if target.is_file() and target.is_relative_to(ROOT):
            yield target


def copy_pages(folder: Path) -> None:
    """Copy all documents, and every file to which one of them links."""
    pages = documents()
    for page in [*pages, ROOT / HOME]:
        for target in linked_files(page):
            if target not in pages and target != ROOT / HOME:
                _copy(target, folder)
    for page in pages:
        _copy(page, folder)
    (folder / "index.md").write_text((ROOT / HOME).read_text(encoding="utf-8") + contents(), encoding="utf-8")


def contents() -> str:
    """The menu of the site, as MyST directives for the end of the home page."""
    results = tuple(sorted(f"docs/results/{path.stem}" for path in (ROOT / "docs" / "results").glob("*.md")))
    sections = [*CONTENTS.items(), ("Results", results)]
    return "".join(
        "\n```{toctree}\n:hidden:\n:caption: " + caption + "\n\n" + "\n".join(names) + "\n```\n"
        for caption, names in sections
    )


def _copy(path: Path, folder: Path) -> None:
    target = folder / path.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)
