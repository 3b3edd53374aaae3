"""Lists in the documentation are complete, and links between its pages work."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from cairn.cli.app import app


def test_the_readme_lists_every_command(repository: Path) -> None:
    listed = set(
        re.findall(r"^\| `cairn ([\w-]+)", (repository / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert listed == {command.name for command in app.registered_commands}


def test_contributing_lists_every_make_target(repository: Path) -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", (repository / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    text = (repository / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert targets
    assert [target for target in targets if not re.search(rf"make (\S+=\S+ )?{target}\b", text)] == []


def test_every_dependency_has_a_documented_reason(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"]]
    for extra in project["project"]["optional-dependencies"].values():
        wanted += extra
    for group in project["dependency-groups"].values():
        wanted += [each for each in group if isinstance(each, str)]
    reasons = (repository / "docs" / "dependencies.md").read_text(encoding="utf-8")
    names = [re.split("[<>=]", requirement)[0] for requirement in wanted]
    assert [name for name in names if f"`{name}`" not in reasons] == []


def test_the_ray_extra_exists_and_is_documented(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "ray" in project["optional-dependencies"]
    assert f"{project['name']}[ray]" in (repository / "docs" / "dependencies.md").read_text(encoding="utf-8")


def heading_anchors(text: str) -> set[str]:
    """The anchors that GitHub generates for the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_between_pages_works(repository: Path) -> None:
    pages = [
        *repository.glob("*.md"),
        *repository.glob("docs/**/*.md"),
        *repository.glob("web/*.md"),
        *repository.glob("examples/*.md"),
    ]
    pages.append(repository / "web" / "board" / "README.md")
    wrong = []
    for page in pages:
        for link in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            reached = target.exists() and (not anchor or anchor in heading_anchors(target.read_text(encoding="utf-8")))
            if not reached:
                wrong.append(f"{page.relative_to(repository)}: {link}")
    assert len(pages) > 20
    assert wrong == []
