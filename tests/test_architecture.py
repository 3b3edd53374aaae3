"""The structure of the repository: which part may import which, and how long a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "cairn"

PARTS: Final = (
    "vocabulary",
    "messages",
    "_stubs",
    "_core",
    "_native",
    "rulebook",
    "notation",
    "symmetry",
    "svg",
    "board",
    "refusal",
    "game",
    "record",
    "story",
    "rating",
    "fairness",
    "terminal",
    "cluster",
    "engine",
    "research",
    "arena",
    "training",
    "puzzles",
    "explorer",
    "benchmark",
    "balance",
    "bot",
    "__init__",
    "server",
    "data",
    "cli",
    "__main__",
)
"""The parts of the package in dependency order: each imports only itself and parts above it."""

LONGEST_SOURCE: Final = 400
"""Maximum number of lines in a file under src/."""
LONGEST_FILE: Final = 600
"""Maximum number of lines in any other file."""
SOURCES: Final = (".py", ".pyi", ".cpp", ".h", ".ts", ".svelte", ".css", ".sh")

PYTHON_HEADERS: Final = re.compile(r"Python\.h|(nanobind|pybind11)/.*")
WORLD_HEADERS: Final = re.compile(r"fstream|filesystem|chrono|ctime")


def python_files() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".pyi"))


def part_of(module: str) -> str:
    """The part that a module of the package belongs to: ``cairn.svg.tiles`` belongs to ``svg``."""
    _, _, inside = module.partition(".")
    return inside.partition(".")[0] or "__init__"


def imported_modules(path: Path) -> Iterator[str]:
    """Every module of the package that the file imports, anywhere in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "cairn":
            # `from cairn import x`: x is a part, or a name that the facade exports.
            names = [f"cairn.{alias.name}" if alias.name in PARTS else "cairn" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == "cairn")


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git repository")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_each_part_imports_only_parts_above_it(path: Path) -> None:
    part = path.relative_to(PACKAGE).parts[0].removesuffix(path.suffix)
    assert part in PARTS, f"{part} is new: add it to PARTS"
    allowed = PARTS[: PARTS.index(part) + 1]
    wrong = sorted({module for module in imported_modules(path) if part_of(module) not in allowed})
    assert not wrong, f"{part} imports parts below it: {wrong}"


def test_imports_are_found_anywhere_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(
        "import re, cairn.svg.tiles\nfrom cairn import Board, game\ndef late():\n    from cairn.cli import play\n"
    )
    modules = list(imported_modules(path))
    assert modules == ["cairn.svg.tiles", "cairn", "cairn.game", "cairn.cli"]
    assert [part_of(module) for module in modules] == ["svg", "__init__", "game", "cli"]


def top_imports(path: Path) -> set[str]:
    """The top-level names of all modules that a file imports: ``harness`` for ``harness.server.visitors``."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return {name.partition(".")[0] for name in names}


def forbidden_imports(folder: str, forbidden: set[str]) -> dict[str, set[str]]:
    """The files in a top-level folder that import something forbidden, with those imports."""
    found = {
        str(path.relative_to(ROOT)): top_imports(path) & forbidden for path in sorted((ROOT / folder).rglob("*.py"))
    }
    return {name: modules for name, modules in found.items() if modules}


TOOLS: Final = {path.stem for path in (ROOT / "tools").iterdir() if path.suffix == ".py" or path.is_dir()} | {"tools"}


def test_the_harness_imports_neither_tests_nor_tools() -> None:
    assert forbidden_imports("harness", {"tests", *TOOLS}) == {}


def test_tools_and_tests_share_code_only_through_the_harness() -> None:
    """Tests of tools are in ``tests/tools``; no other test imports a tool, and no tool imports a test."""
    wrong = forbidden_imports("tools", {"tests"}) | forbidden_imports("tests", TOOLS)
    assert {name for name in wrong if not name.startswith("tests/tools/")} == set()


def included_headers(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), flags=re.MULTILINE)


def native_files(*folders: str) -> list[Path]:
    paths = [path for folder in folders for path in (ROOT / "native" / folder).glob("*")]
    return sorted(path for path in paths if path.suffix in (".cpp", ".h"))


def test_only_the_bindings_include_python_headers() -> None:
    wrong = [
        (path.name, header)
        for path in native_files("", "batch", "tests")
        for header in included_headers(path)
        if PYTHON_HEADERS.fullmatch(header)
    ]
    assert not wrong


def test_the_core_uses_neither_files_nor_clocks() -> None:
    """The core also runs in a browser, and it is deterministic. The search clock is in the bindings."""
    wrong = [
        (path.name, header)
        for path in native_files("", "batch")
        for header in included_headers(path)
        if WORLD_HEADERS.fullmatch(header)
    ]
    assert not wrong


def test_no_source_file_is_too_long() -> None:
    lengths = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n")
        for path in tracked_files()
        if path.suffix in SOURCES
    }
    assert lengths
    limits = {name: LONGEST_SOURCE if name.startswith("src/") else LONGEST_FILE for name in lengths}
    assert {name: length for name, length in lengths.items() if length > limits[name]} == {}


def test_no_file_refers_to_a_folder_outside_the_repository() -> None:
    """A relative path to a folder called shared must stay inside the repository."""
    relative = re.compile(r"(?:\.\./)+shared\b")
    text_files = [path for path in tracked_files() if path.suffix in (*SOURCES, ".toml", ".txt", ".md", ".yaml", "")]
    wrong = [
        str(path.relative_to(ROOT))
        for path in text_files
        for found in relative.findall(path.read_text(encoding="utf-8"))
        if not (path.parent / found).resolve().is_relative_to(ROOT)
    ]
    assert not wrong
