"""The path of a token through the server is as short as docs/architecture.md says, and fully listed there."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Final

import pytest

from cairn.server.settings import Settings
from harness.server.token_path import PathFunction, path_of_a_token

pytestmark = pytest.mark.anyio

MOST_ROWS: Final = 22
MOST_FUNCTIONS: Final = 85
"""The maximum number of functions, including all helpers. Lower it when the path gets shorter."""
MOST_LINES: Final = 40
_ROW: Final = re.compile(r"^\| \d+ \|[^|]*\| `([\w.]+)` \|[^|]*\|([^|]*)\|$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the table: a function, and the last parts of its helpers' names."""

    function: str
    helpers: tuple[str, ...]


def rows_in(text: str) -> list[Row]:
    """Return the rows of the table under "The path of a token"."""
    section = text.partition("## The path of a token")[2].partition("\n## ")[0]
    rows = [Row(function, tuple(re.findall(r"`([\w.]+)`", helpers))) for function, helpers in _ROW.findall(section)]
    assert len(rows) == len(re.findall(r"^\| \d+ \|", section, re.MULTILINE)), "a row of the table cannot be read"
    return rows


def faults_of(rows: list[Row], path: list[PathFunction]) -> list[str]:
    """Return the differences between the table and the measured path, and the limits that are exceeded."""
    measured = {function.name: function for function in path}
    faults, listed = list[str](), dict[str, int]()
    for number, row in enumerate(rows, start=1):
        for written in (row.function, *row.helpers):
            found = [name for name in measured if name == written or name.endswith(f".{written}")]
            # A helper that is written without a class, such as ``link``, is a module-level function.
            found = [name for name in found if "." in written or not name.split(".")[-2][:1].isupper()]
            if len(found) != 1:
                faults.append(f"row {number}: {written} is {f'ambiguous: {found}' if found else 'not on the path'}")
            elif found[0] in listed:
                faults.append(f"row {number}: {written} is also in row {listed[found[0]]}")
            else:
                listed[found[0]] = number
    faults += [f"{name} is not in the table" for name in measured if name not in listed]
    for name, number in listed.items():
        callers = measured[name].callers
        is_helper = name != rows[number - 1].function
        if is_helper and callers and number not in {listed.get(caller) for caller in callers}:
            faults.append(f"{name} is in row {number}, but its callers are not: {sorted(callers)}")
    faults += [f"{each.name} is too long: {each.lines} lines" for each in path if each.lines > MOST_LINES]
    if len(rows) > MOST_ROWS:
        faults.append(f"the table has too many rows: {len(rows)}")
    if len(path) > MOST_FUNCTIONS:
        faults.append(f"too many functions run for a token: {len(path)}")
    return faults


def test_a_difference_between_the_table_and_the_path_is_found() -> None:
    rows = [Row("web.socket.listen", ("Meter.run",)), Row("game.decide", ("flag",))]
    path = [
        PathFunction("web.socket.listen", 10),
        PathFunction("meter.Meter.run", 10),
        PathFunction("game.decide", 10, {"web.socket.listen"}),
        PathFunction("game.clock.flag", 10, {"game.decide"}),
    ]
    assert not faults_of(rows, path)
    assert faults_of(rows, path[:-1]) == ["row 2: flag is not on the path"]
    assert faults_of(rows[:1], path[:3]) == ["game.decide is not in the table"]
    assert faults_of([rows[0], Row("game.decide", ("flag", "flag"))], path) == ["row 2: flag is also in row 2"]
    misplaced = [Row("web.socket.listen", ("Meter.run", "flag")), Row("game.decide", ())]
    assert faults_of(misplaced, path) == ["game.clock.flag is in row 1, but its callers are not: ['game.decide']"]
    long = [*path[:-1], PathFunction("game.clock.flag", MOST_LINES + 1, {"game.decide"})]
    assert faults_of(rows, long) == ["game.clock.flag is too long: 41 lines"]


@pytest.mark.slow
async def test_the_table_lists_every_function_that_a_token_runs_through(settings: Settings, repository: Path) -> None:
    rows = rows_in((repository / "docs" / "architecture.md").read_text(encoding="utf-8"))
    assert not faults_of(rows, await path_of_a_token(settings))
