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
    "index.html": {"file": "assets/index.js", "imports": ["_base.js"]},
    "_base.js": {
        "file": "assets/base.js",
        "dynamicImports": [
            "virtual:messages/src/main.ts/en",
            "virtual:messages/src/main.ts/fr",
            "virtual:messages/src/app/Home.svelte/en",
            "virtual:messages/src/app/Play.svelte/en",
            "virtual:messages/src/app/Play.svelte/fr",
            "src/app/Home.svelte",
            "src/app/Play.svelte",
            "src/app/running/RunningBar.svelte",
            "src/lib/source/server.ts",
            "src/lib/source/here.ts",
        ],
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
        "dynamicImports": [
            "src/app/online/online.ts",
            "src/lib/device/device.ts",
            "src/app/text/en.ts",
            "src/app/text/fr.ts",
            "src/app/guide/guide.ts",
        ],
    },
    "src/app/guide/guide.ts": {"file": "assets/guide.js", "imports": ["_base.js", "_table.js"]},
    "src/lib/device/device.ts": {"file": "assets/device.js", "imports": ["_base.js"]},
    "src/app/online/online.ts": {
        "file": "assets/online.js",
        "imports": ["_base.js"],
        "assets": ["assets/worker.js", "assets/core.wasm"],
    },
    "core/core.wasm": {"file": "assets/core.wasm"},
    "src/worker.ts": {"file": "assets/worker.js"},
    "src/app/text/en.ts": {"file": "assets/text-en.js"},
    "src/lib/source/server.ts": {"file": "assets/server.js", "imports": ["_base.js"]},
    "src/lib/source/here.ts": {
        "file": "assets/here.js",
        "imports": ["_base.js"],
        "dynamicImports": ["src/lib/device/device.ts"],
    },
    "src/app/text/fr.ts": {"file": "assets/text-fr.js"},
    "src/app/running/RunningBar.svelte": {"file": "assets/bar.js", "imports": ["_base.js", "_table.js"]},
    "virtual:messages/src/main.ts/en": {"file": "assets/messages-en.js"},
    "virtual:messages/src/main.ts/fr": {"file": "assets/messages-fr.js"},
    "virtual:messages/src/app/Home.svelte/en": {"file": "assets/home-en.js"},
    "virtual:messages/src/app/Play.svelte/en": {"file": "assets/play-en.js"},
    "virtual:messages/src/app/Play.svelte/fr": {"file": "assets/play-fr.js"},
    "style.css": {"file": "assets/style.css"},
}

FONTS = {"text-latin": 20_000, "language-en-text": 20_000, "language-ru-text": 45_000}


@pytest.fixture
def check_size(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "tools")
    return importlib.import_module("check_size")


def build(folder: Path, *, chunks: dict[str, dict[str, Any]] | None = None, **sizes: int) -> Path:
    """Write a build whose scripts have the given sizes. Random bytes do not compress."""
    chunks = chunks or CHUNKS
    (folder / ".vite").mkdir()
    (folder / ".vite" / "manifest.json").write_text(json.dumps(chunks))
    (folder / "index.html").write_text('<script type="module" crossorigin src="/assets/index.js"></script>')
    (folder / "assets").mkdir()
    for chunk in chunks.values():
        name = chunk["file"]
        size = sizes.get(Path(name).stem.replace("-", "_"), 1000)
        (folder / name).write_bytes(random.Random(name).randbytes(size))
    (folder / "assets" / "network.bin").write_bytes(random.Random(1).randbytes(sizes.get("network", 1000)))
    (folder / "start.js").write_bytes(random.Random(0).randbytes(1000))
    for name, size in FONTS.items():
        (folder / "assets" / f"{name}.woff2").write_bytes(bytes(sizes.get(name.replace("-", "_"), size)))
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
        "Play on the device": {"assets/play.js", "assets/here.js", "assets/table.js", "assets/device.js"},
        "Play online": {
            "assets/play.js",
            "assets/server.js",
            "assets/table.js",
            "assets/online.js",
            "assets/worker.js",
        },
    }
    assert {name: files - found.routes[name] for name, files in found.guided.items()} == {
        "Home": set(),
        "Play on the device": {"assets/guide.js"},
        "Play online": {"assets/guide.js"},
    }
    assert found.core == {"assets/core.wasm"}
    assert found.languages == {"en", "fr"}
    assert found.uncounted == set()


def test_a_visit_counts_the_entry_the_bar_and_the_texts_in_one_language(check_size: ModuleType, tmp_path: Path) -> None:
    found = check_size.Build(build(tmp_path))
    always = {"assets/index.js", "assets/base.js", "start.js", "assets/bar.js", "assets/table.js"}
    english = found.visits("en")
    assert english["Home"] == always | {"assets/home.js", "assets/home-en.js", "assets/messages-en.js"}
    assert english["Play on the device"] == always | {
        "assets/play.js",
        "assets/here.js",
        "assets/device.js",
        "assets/guide.js",
        "assets/play-en.js",
        "assets/text-en.js",
        "assets/messages-en.js",
    }
    french = found.visits("fr")["Play on the device"]
    assert french - english["Play on the device"] == {"assets/play-fr.js", "assets/text-fr.js", "assets/messages-fr.js"}
    assert english["Play on the device"] - french == {"assets/play-en.js", "assets/text-en.js", "assets/messages-en.js"}


def test_messages_that_no_visit_would_count_are_reported(
    check_size: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stray = {"virtual:messages/src/app/Other.svelte/en": {"file": "assets/other-en.js"}}
    assert check(check_size, build(tmp_path, chunks=CHUNKS | stray), monkeypatch) == 1
    problem = "src/app/Other.svelte has messages of its own but is not a chunk: import it dynamically"
    assert capsys.readouterr().err.splitlines() == [problem]


def test_a_build_within_the_limits_passes_and_is_listed_by_route(
    check_size: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(check_size, build(tmp_path, online=55_000), monkeypatch) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=2)[-1] for line in lines if line.endswith(("Home", "online", "on the device"))] == [
        "Play online",
        "Play on the device",
        "Home",
    ]
    assert lines[-3].startswith("script: ")  # .ci/run looks for this line
    assert lines[-2] == "engine: core and weights 2.0 of 400 kB"
    assert lines[-1] == "fonts: largest language 40.0 of 45 kB, together 85.0 of 90 kB"


@pytest.mark.parametrize(
    ("sizes", "problems"),
    [
        ({"online": 60_000}, ["Play online is 4.1 kB too large for a route"]),
        ({"device": 60_000}, ["Play on the device is 3.1 kB too large for a route"]),
        ({"worker": 60_000}, ["Play online is 4.1 kB too large for a route"]),
        ({"guide": 21_000}, ["the guide is 1.0 kB too large"]),
        ({"core": 121_000}, ["the core is 1.1 kB too large"]),
        ({"core": 100_000, "network": 301_000}, ["the engine is 1."]),
        ({"language_en_text": 25_100, "language_ru_text": 0}, ["the fonts for en are 0.1 kB too large"]),
        ({"language_ru_text": 51_000}, ["all fonts together are 1.0 kB too large"]),
        ({"base": 85_000, "play_en": 53_000, "online": 2000}, ["a visit to Play online is"]),
        ({"base": 150_000}, ["a visit to Home is", "a visit to Play on the device is", "a visit to Play online is"]),
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
    assert check(check_size, build(tmp_path, chunks=None, **sizes), monkeypatch) == 1
    complaints = sorted(capsys.readouterr().err.splitlines())
    assert len(complaints) == len(problems)
    assert all(complaint.startswith(problem) for complaint, problem in zip(complaints, problems, strict=True))


def test_a_folder_without_a_build_is_an_error(
    check_size: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check(check_size, tmp_path, monkeypatch) == 2
