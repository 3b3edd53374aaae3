"""The balance report from its command: a small run, interrupted and continued; its data, page and notebook."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

import pyarrow.parquet as pq
from typer.testing import CliRunner, Result

from cairn.balance import charts
from cairn.balance.page import write_page
from cairn.balance.tables import read_facts
from cairn.cli.app import app

GAMES = 36


def cairn(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["report", *arguments])


def small_run(folder: Path) -> Result:
    return cairn(str(folder), "--games", str(GAMES), "--nodes", "60", "--seed", "3", "--jobs", "2")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    result = small_run(folder)
    assert result.exit_code == 0, result.stderr
    return folder


class Tags(HTMLParser):
    """Checks that elements are closed in order, and collects the text of the headings."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("h1", "h2"):
            self.headings.append(data)


def test_the_page_has_every_section_and_valid_charts(report: Path) -> None:
    page = (report / "balance.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert tags.headings == [
        "How balanced is Cairn?",
        "The first player\u2019s advantage",
        "By the faces of the tiles",
        "The value of each megalith",
        "The length of games",
        "Ways to score",
        "What the engine thinks of the opening",
        "Method",
    ]
    found = [part.partition("</figure>")[0] for part in page.split("<figure>")[1:]]
    assert len(found) == 6  # faces, megaliths in three variants, lengths, ways
    for each in found:
        assert ET.fromstring(each.strip()).tag.endswith("svg")
    assert ">nan" not in page


def test_the_data_can_be_read_with_pyarrow(report: Path) -> None:
    games = pq.read_table(report / "games.parquet")
    assert len(games) == GAMES
    assert set(games["variant"].to_pylist()) <= {"beginner", "standard", "expert"}
    facts = read_facts(report)
    assert facts.settings.games == GAMES
    assert games["luck"].to_pylist() == facts.games["luck"].tolist()
    assert [row["first_jump"] for row in games.to_pylist()] == facts.games["points"][:, 0, 1].tolist()
    pairs = pq.read_table(report / "builds.parquet")
    assert sum(pairs["choices"].to_pylist()) == facts.pairs["choices"].sum() > 0
    assert write_page(facts) == (report / "balance.html").read_text(encoding="utf-8")


def test_an_interrupted_run_gives_the_same_report(report: Path, tmp_path: Path) -> None:
    for name in ("000.games", "001.games", "settings.json"):
        (tmp_path / name).write_bytes((report / name).read_bytes())
    (tmp_path / "001.games").write_bytes((report / "001.games").read_bytes()[:-3])
    assert small_run(tmp_path).exit_code == 0
    for name in ("games.parquet", "builds.parquet", "balance.html"):
        assert (tmp_path / name).read_bytes() == (report / name).read_bytes()


def test_a_folder_with_another_run_is_refused(report: Path) -> None:
    before = (report / "settings.json").read_text()
    result = cairn(str(report), "--games", str(GAMES), "--nodes", "61", "--seed", "3")
    assert result.exit_code == 1
    assert "this folder holds a run with other settings: nodes 60, not 61" in result.stderr
    assert (report / "settings.json").read_text() == before


def test_the_page_can_be_written_again_from_the_data(report: Path, tmp_path: Path) -> None:
    for name in ("games.parquet", "builds.parquet"):
        (tmp_path / name).write_bytes((report / name).read_bytes())
    assert cairn(str(tmp_path), "--redraw").exit_code == 0
    assert (tmp_path / "balance.html").read_bytes() == (report / "balance.html").read_bytes()
    (tmp_path / "builds.parquet").write_bytes(b"PAR1 nonsense PAR1")
    result = cairn(str(tmp_path), "--redraw")
    assert result.exit_code == 1
    assert "builds.parquet: not a file of this report" in result.stderr
    (tmp_path / "games.parquet").unlink()
    assert "games.parquet: " in cairn(str(tmp_path), "--redraw").stderr


def test_a_missing_package_is_reported_before_any_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyarrow" else real(name))
    result = small_run(tmp_path)
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "pip install cairn-game[data]" in result.stderr


def test_every_cell_of_the_notebook_runs(report: Path) -> None:
    notebook = json.loads((report / "balance.ipynb").read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    shown: list[Any] = []
    names: dict[str, Any] = {"display": shown.append}
    here = Path.cwd()
    os.chdir(report)
    try:
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)
    finally:
        os.chdir(here)
    assert len(shown) == 3
    assert all(each._repr_html_().endswith("</svg>") for each in shown)


def test_charts_place_values_in_proportion() -> None:
    rows = [charts.Interval("a", 40, 2), charts.Interval("b", 60, 2), charts.Interval("c", 50, 5)]
    drawn = ET.fromstring(charts.dot_plot(rows, "unit", 50))
    space = "{http://www.w3.org/2000/svg}"
    left, right, middle = (float(dot.attrib["cx"]) for dot in drawn.iter(f"{space}circle"))
    assert middle == pytest.approx((left + right) / 2, abs=0.2)
    bars = ET.fromstring(charts.stacked_bars([charts.Bar("x", {"one": 0.25, "two": 0.75})]))
    widths = [float(bar.attrib["width"]) for bar in bars.iter(f"{space}rect")][:2]
    assert widths[1] == pytest.approx(3 * widths[0], rel=0.01)
    lines = ET.fromstring(charts.histogram({"one": [0, 1, 3, 1], "two": [0, 4, 4, 4]}, "turns"))
    assert len(list(lines.iter(f"{space}polyline"))) == 2
