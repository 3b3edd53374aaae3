"""The size check, on a small build."""

from __future__ import annotations

import importlib
import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

CHUNKS: dict[str, dict[str, Any]] = {
    "index.html": {"file": "assets/index.js", "isEntry": True, "imports": ["_base.js"]},
    "_base.js": {
        "file": "assets/base.js",
        "dynamicImports": ["src/lib/i18n/languages/en.ts", "src/app/Home.svelte", "src/app/Play.svelte"],
    },
    "_table.js": {"file": "assets/table.js", "imports": ["_base.js"]},
    "src/app/Home.svelte": {
        "file": "assets/home.js",
        "imports": ["_base.js", "_table.js"],
        "dynamicImports": ["src/app/Play.svelte"],
    },
    "src/app/Play.svelte": {
        "file": "assets/play.js",
        "imports": ["_table.js"],
        "dynamicImports": ["src/app/online.ts", "src/app/text/en.ts"],
    },
    "src/app/online.ts": {
        "file": "assets/online.js",
        "imports": ["_base.js"],
        "assets": ["assets/worker.js", "assets/core.wasm"],
    },
    "core/core.wasm": {"file": "assets/core.wasm"},
    "src/worker.ts": {"file": "assets/worker.js"},
    "src/app/text/en.ts": {"file": "assets/text-en.js"},
    "src/lib/i18n/languages/en.ts": {"file": "assets/messages-en.js"},
    "style.css": {"file": "assets/style.css"},
}


@pytest.fixture
def check_size(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "tools")
    return importlib.import_module("check_size")


def build(folder: Path, **sizes: int) -> Path:
    """Write a build whose scripts have the given sizes. Random bytes do not compress."""
    (folder / ".vite").mkdir()
    (folder / ".vite" / "manifest.json").write_text(json.dumps(CHUNKS))
    (folder / "assets").mkdir()
    for chunk in CHUNKS.values():
        name = chunk["file"]
        size = sizes.get(Path(name).stem.replace("-", "_"), 1000)
        (folder / name).write_bytes(random.Random(name).randbytes(size))
    (folder / "start.js").write_bytes(random.Random(0).randbytes(1000))
    return folder


def check(check_size: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["check_size.py", str(folder)])
    result: int = check_size.main()
    return result


def test_each_route_counts_what_it_loads_and_nothing_else(check_size: ModuleType, tmp_path: Path) -> None:
    found = check_size.Build(build(tmp_path))
    assert found.entry == {"assets/index.js", "assets/base.js", "start.js"}
    assert found.routes == {
        "Home": {"assets/home.js", "assets/table.js"},
        "Play": {"assets/play.js", "assets/table.js", "assets/online.js", "assets/worker.js"},
    }
    assert found.core == {"assets/core.wasm"}
    assert found.languages == {"en": {"assets/messages-en.js", "assets/text-en.js"}}


def test_a_build_within_the_limits_passes_and_is_listed_by_route(
    check_size: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(check_size, build(tmp_path, online=55_000), monkeypatch) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines if line.endswith(("Home", "Play"))] == ["Play", "Home"]
    assert lines[-1].startswith("script: ")  # .ci/run looks for this line


@pytest.mark.parametrize(
    ("sizes", "problems"),
    [
        ({"online": 60_000}, ["Play is 3.1 kB too large for a route"]),
        ({"worker": 60_000}, ["Play is 3.1 kB too large for a route"]),
        ({"core": 121_000}, ["the core is 1.1 kB too large"]),
        ({"base": 90_000, "text_en": 54_000, "online": 2000}, ["a visit to Play is"]),
        ({"base": 150_000}, ["a visit to Home is", "a visit to Play is"]),
    ],
)
def test_a_route_or_a_visit_that_is_too_large_is_reported(
    check_size: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    sizes: dict[str, int],
    problems: list[str],
) -> None:
    assert check(check_size, build(tmp_path, **sizes), monkeypatch) == 1
    complaints = sorted(capsys.readouterr().err.splitlines())
    assert len(complaints) == len(problems)
    assert all(complaint.startswith(problem) for complaint, problem in zip(complaints, problems, strict=True))


def test_a_folder_without_a_build_is_an_error(
    check_size: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check(check_size, tmp_path, monkeypatch) == 2
