"""The dependency order of the server, between its packages and within them."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Final

import pytest

from harness.architecture import ORDER, SERVER, child_of, edges, imports_of, modules, picture

MOST_MODULES: Final = 15

FRAMEWORKS: Final = {"fastapi", "starlette", "uvicorn", "websockets"}
DATABASES: Final = {"sqlalchemy", "sqlite3", "asyncpg", "alembic"}
ALLOWED: Final = {
    "fastapi": ("web",),
    "starlette": ("web", "speedups"),
    "uvicorn": ("run", "speedups"),
    "websockets": ("speedups",),
    "pydantic": ("messages", "web"),
    "sqlalchemy": ("storage",),
    "sqlite3": ("storage",),
    "alembic": ("storage",),
    "asyncpg": ("storage", "transport"),
}
"""For each library, the parts of the server that may import it."""


@pytest.mark.parametrize("package", ORDER)
def test_the_order_lists_every_child(package: str) -> None:
    folder = modules()[package].parent
    children = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    assert set(ORDER[package]) == {child for child in children if not re.match("__init__|v[0-9]{4}_", child)}


@pytest.mark.parametrize("package", ORDER)
def test_a_child_imports_only_children_above_it(package: str) -> None:
    order = ORDER[package]
    wrong = [
        sentence
        for child, others in edges(package).items()
        for other, sentences in others.items()
        if child in order and other in order and order.index(other) > order.index(child)
        for sentence in sentences
    ]
    assert not wrong


def test_an_import_against_the_order_is_found(tmp_path: Path) -> None:
    sample = tmp_path / "sample.py"
    sample.write_text("def late() -> None:\n    from cairn.server.web import app\n", encoding="utf-8")
    (found,) = imports_of(sample)
    assert child_of(SERVER, found) == "web"
    assert ORDER[SERVER].index("web") > ORDER[SERVER].index("game")


@pytest.mark.parametrize("library", ALLOWED)
def test_a_library_is_imported_only_where_it_belongs(library: str) -> None:
    wrong = [
        module
        for module, path in modules().items()
        if (part := child_of(SERVER, module)) is not None
        and part not in ALLOWED[library]
        and any(imported.partition(".")[0] == library for imported in imports_of(path))
    ]
    assert not wrong


def test_messages_are_defined_in_messages() -> None:
    outside = [
        f"{module}.{node.name}"
        for module, path in modules().items()
        if child_of(SERVER, module) not in (None, "messages")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base).rpartition(".")[2] in ("Message", "BaseModel") for base in node.bases)
    ]
    assert not outside


def test_the_domain_imports_nothing_but_the_game_and_the_standard_library() -> None:
    outside = {
        imported.partition(".")[0]
        for module, path in modules().items()
        if child_of(SERVER, module) == "game"
        for imported in imports_of(path)
    }
    # annotated_types only describes limits, such as the maximum length of a name.
    assert outside <= {*sys.stdlib_module_names, "cairn", "annotated_types"}


@pytest.mark.parametrize("package", ORDER)
def test_no_package_contains_too_many_modules(package: str) -> None:
    folder = modules()[package].parent
    assert len([path for path in folder.glob("*.py") if path.stem != "__init__"]) <= MOST_MODULES


def test_the_picture_shows_the_real_imports(repository: Path) -> None:
    drawn = (repository / "docs" / "images" / "architecture.svg").read_text(encoding="utf-8")
    assert drawn == picture(), "the picture is out of date; run: make architecture"
