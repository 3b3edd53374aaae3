"""``cairn verify`` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cairn.cli.app import app


def run(*paths: Path) -> Result:
    return CliRunner().invoke(app, ["verify", *map(str, paths)])


@pytest.fixture
def good(repository: Path, tmp_path: Path) -> Path:
    """The game in docs/fairness.md."""
    document = (repository / "docs" / "fairness.md").read_text(encoding="utf-8")
    path = tmp_path / "game.cairn"
    path.write_text(document.partition("```text\n")[2].partition("```")[0], encoding="utf-8")
    return path


def changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text(encoding="utf-8")
    assert old in text
    other = path.with_name("changed.cairn")
    other.write_text(text.replace(old, new), encoding="utf-8")
    return other


def test_a_good_record_is_verified(good: Path) -> None:
    result = run(good)
    lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr) == (0, "")
    assert lines[-1] == f"{good}: verified"
    assert f"{good}: right: Draw 2, in turn 18: Deer Rock (DR), as expected." in lines


def test_the_documentation_quotes_the_real_output(good: Path, repository: Path) -> None:
    document = (repository / "docs" / "fairness.md").read_text(encoding="utf-8")
    shown = [line.strip() for line in document.splitlines() if line.startswith("    game.cairn: ")]
    printed = [line.replace(str(good), "game.cairn") for line in run(good).stdout.splitlines()]
    assert len(shown) == len(printed)
    assert all(line.startswith(start.removesuffix("...")) for start, line in zip(shown, printed, strict=True))


def test_a_wrong_draw_is_reported(good: Path) -> None:
    bad = changed(good, "?DR", "?AD")
    result = run(bad)
    assert result.exit_code == 1
    assert f"{bad}: wrong: Draw 2, in turn 18: Alley of Dusk (AD) was drawn; expected " in result.stdout
    assert result.stdout.endswith(f"{bad}: does not match its proof\n")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[Seed ", "[Other ", "open: The game is over, but this record does not reveal the seed"),
        ("[Commitment ", "[Other ", "wrong: The proof cannot be read. Commitment: this header is missing."),
    ],
)
def test_a_broken_proof_is_reported(good: Path, old: str, new: str, sentence: str) -> None:
    bad = changed(good, old, new)
    result = run(bad)
    assert result.exit_code == (1 if sentence.startswith("wrong") else 2)
    assert f"{bad}: {sentence}" in result.stdout


def test_an_unreadable_record_cannot_be_verified(good: Path, tmp_path: Path) -> None:
    illegal = changed(good, "2 S c5-b4", "2 S c5-a1")
    for path, sentence in (
        (illegal, "Turn 2, token 1 (c5-a1): "),
        (tmp_path / "none.cairn", "no such file"),
    ):
        result = run(path)
        assert result.exit_code == 2
        assert f"{path}: {sentence}" in result.stderr
        assert result.stdout == f"{path}: cannot be verified\n"


def test_a_wrong_record_determines_the_exit_code_even_if_another_record_is_unreadable(
    good: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "none.cairn"
    assert run(good, missing).exit_code == 2
    bad = changed(good, '[Commitment "4', '[Commitment "5')
    result = run(missing, bad, good)
    assert result.exit_code == 1
    assert f"{good}: verified" in result.stdout
    assert f"{bad}: wrong: The seed does not match" in result.stdout
