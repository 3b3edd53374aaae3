"""The results of a simulation consist of chunks, which several machines can compute."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.simulation.chunks import Chunk, Results, fingerprint

SOURCES = (
    "src/cairn/game.py",
    "src/cairn/server/unicode/scripts.txt",
    "native/rules.cpp",
    "harness/simulation/loop.py",
)
OTHERS = (
    "src/cairn/server/pages/index.html",
    "src/cairn/_core.so",
    "src/cairn/__pycache__/game.pyc",
    "harness/load/report.py",
    "tests/simulation/test_chunks.py",
)


def chunk(first: int, fault: str | None = None) -> Chunk:
    return Chunk(first, 50, 500, 4_000, 20.0, [fault] if fault else [], {"end: time": 3, "race: revision taken": 1})


def test_chunks_from_two_machines_add_up(tmp_path: Path) -> None:
    here, there = Results(tmp_path / "here", "1"), Results(tmp_path / "there", "1")
    here.save(chunk(0))
    here.save(chunk(50))
    there.save(chunk(50))
    there.save(chunk(100, "seed 120: broken"))
    assert here.merge(tmp_path / "there") == 1
    assert here.done() == {0, 50, 100}
    total = here.total([0, 50, 100])
    assert (total.first, total.seeds, total.games, total.tokens) == (0, 150, 1_500, 12_000)
    assert total.broken == ["seed 120: broken"]
    assert total.counts == {"end: time": 9, "race: revision taken": 3}


def test_only_the_requested_chunks_count(tmp_path: Path) -> None:
    results = Results(tmp_path, "1")
    for first in (0, 50, 100):
        results.save(chunk(first))
    assert results.total([50, 150]).seeds == 50


def test_results_from_another_version_do_not_count(tmp_path: Path) -> None:
    Results(tmp_path / "there", "1").save(chunk(0))
    results = Results(tmp_path / "here", "2")
    assert results.merge(tmp_path / "there") == 0
    assert results.done() == set()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in (*SOURCES, *OTHERS):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


@pytest.mark.parametrize("name", SOURCES)
def test_the_fingerprint_depends_on_every_file_that_a_run_depends_on(copy: Path, name: str) -> None:
    before = fingerprint(copy)
    (copy / name).write_text("changed")
    changed = fingerprint(copy)
    shutil.move(copy / name, copy / f"{name}.py")
    assert len({before, changed, fingerprint(copy)}) == 3


@pytest.mark.parametrize("name", OTHERS)
def test_the_fingerprint_does_not_depend_on_other_files(copy: Path, name: str) -> None:
    before = fingerprint(copy)
    (copy / name).write_text("changed")
    assert fingerprint(copy) == before
