"""The sheet of symbols: complete, consistent, small, and with colours that a page can adjust."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from cairn.svg.layout import LAND_HEIGHT, LAND_WIDTH
from cairn.svg.palette import NAMES
from cairn.svg.sheet import PREFIX, sheet, sizes
from cairn.vocabulary import MEGALITHS

NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
SYMBOLS: Final = (
    *(f"{kind}-{code}" for kind in ("megalith", "slab", "sign") for code in MEGALITHS),
    *("shaman-forest", "shaman-sea", "totem-forest-w", "totem-forest-b", "totem-sea-w", "totem-sea-b"),
    *(f"{kind}-{face}" for kind in ("tile", "diagram")
      for face in ("add-w", "add-b", "move-o", "move-d", "jump-f", "jump-e", "transformation-m", "transformation-e")),
    *("stone-circle", "megalith-back", "point-open", "point-scored", "land-forest", "land-sea", "fire"),
)  # fmt: skip


@pytest.fixture(scope="module")
def root() -> ElementTree.Element:
    return ElementTree.fromstring(sheet())


def test_every_drawing_is_a_symbol(root: ElementTree.Element) -> None:
    symbols = {symbol.get("id") for symbol in root.iter(f"{NAMESPACE}symbol")}
    assert {f"{PREFIX}{name}" for name in SYMBOLS} <= symbols


def test_every_id_has_the_prefix(root: ElementTree.Element) -> None:
    """The page that includes the sheet may have ids of its own."""
    assert all(element.get("id", PREFIX).startswith(PREFIX) for element in root.iter())


def test_ids_are_unique_and_every_reference_resolves(root: ElementTree.Element) -> None:
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = {element.get("href", "").removeprefix("#") for element in root.iter(f"{NAMESPACE}use")}
    assert used <= set(ids)


def test_land_has_the_size_that_the_layout_states(root: ElementTree.Element) -> None:
    """The web board uses the same numbers to place its pieces."""
    boxes = {symbol.get("id"): symbol.get("viewBox") for symbol in root.iter(f"{NAMESPACE}symbol")}
    land = f"0 0 {LAND_WIDTH} {LAND_HEIGHT}"
    assert boxes[f"{PREFIX}land-forest"] == boxes[f"{PREFIX}land-sea"] == land == "0 0 552 728"
    assert boxes == {f"{PREFIX}{name}": f"0 0 {width} {height}" for name, (width, height) in sizes().items()}


def test_every_colour_is_a_variable_with_the_palettes_colour_as_its_default() -> None:
    found = re.findall(r"var\(--art-([a-z0-9-]+),(#[0-9a-f]{6})\)", sheet())
    assert found
    assert all(NAMES[colour] == name for name, colour in found)
    rest = re.sub(r"var\(--art-[a-z0-9-]+,#[0-9a-f]{6}\)", "", sheet())
    assert not re.search(r'"#[0-9a-f]{3,8}"|rgb|hsl', rest)


def test_colour_names_are_unique() -> None:
    assert len(set(NAMES.values())) == len(NAMES)


def test_the_sheet_has_no_scripts_no_text_and_no_external_references() -> None:
    """Any text in the sheet would appear in English in every language."""
    assert not re.search(r"<script|<style|<title|<text|<image|url\(|style=| on[a-z]+=|href=\"[^#]", sheet())


def test_the_sheet_is_small() -> None:
    assert len(gzip.compress(sheet().encode())) < 9_000


def test_the_command_writes_the_file(tmp_path: Path) -> None:
    file = tmp_path / "art.svg"
    subprocess.run([sys.executable, "-m", "cairn.svg.sheet", str(file)], check=True)
    assert file.read_text(encoding="utf-8") == sheet() + "\n"
    refused = subprocess.run([sys.executable, "-m", "cairn.svg.sheet"], capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "usage" in refused.stderr
