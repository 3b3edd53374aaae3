"""``cairn train``: what it says before and after a run. tests/training has the training itself."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cairn.cli.app import app
from cairn.cli.train import PACKAGES
from cairn.training import generations, plots
from cairn.training.generations import Generation


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text("generations = 1\n", encoding="utf-8")
    return path


def pretend_installed(monkeypatch: pytest.MonkeyPatch, missing: str | None = None) -> None:
    find = importlib.util.find_spec

    def found(name: str, package: str | None = None) -> object:
        return None if name == missing else object() if name in PACKAGES else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", found)


def run(*arguments: Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["--lang", "en", "train", *map(str, arguments)])
    return result.exit_code, result.output


@pytest.mark.parametrize("package", PACKAGES)
def test_a_missing_package_is_reported_before_the_first_game(
    monkeypatch: pytest.MonkeyPatch, settings: Path, tmp_path: Path, package: str
) -> None:
    pretend_installed(monkeypatch, package)
    assert run(settings, tmp_path / "run") == (
        2,
        f"cairn: this command needs {package}: pip install cairn-game[train]\n",
    )
    assert not (tmp_path / "run").exists()


def test_an_invalid_configuration_is_reported(monkeypatch: pytest.MonkeyPatch, settings: Path, tmp_path: Path) -> None:
    pretend_installed(monkeypatch)
    settings.write_text("sead = 1", encoding="utf-8")
    code, output = run(settings, tmp_path / "run")
    assert code == 2
    assert "unknown key sead" in output


@pytest.mark.parametrize("accepted", [True, False])
def test_the_best_network_is_named_at_the_end(
    monkeypatch: pytest.MonkeyPatch, settings: Path, tmp_path: Path, accepted: bool
) -> None:
    pretend_installed(monkeypatch)
    done = [Generation(0, "", [], 12.0, 3.0, 100, accepted)]
    monkeypatch.setattr(generations, "train", lambda *_: done)
    monkeypatch.setattr(plots, "plot_run", lambda *_: None)
    code, output = run(settings, tmp_path / "run")
    assert code == 0
    assert ("best.bin" in output) == accepted
    assert "plot.svg" in output
