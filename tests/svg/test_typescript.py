"""The generated TypeScript agrees with the drawings and with the rulebook."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cairn import svg
from cairn.notation.position import read_position
from cairn.svg.layout import MARGIN, corner
from cairn.svg.typescript import geometry, tiles
from cairn.vocabulary import FOREST, MEGALITHS, Variant, space_of

PLACES = "S3S/5/1F1F1/5/F3F b1CG,b3DR PSMD (ADSA) wofm 1-0 F"
"""A shaman on the ground, one on a megalith, a megalith alone on a totem, and shamans in the villages."""


def constants(module: str) -> dict[str, Any]:
    """The constants that a generated module exports."""
    return {
        name: json.loads(value)
        for name, value in re.findall(r"^export const (\w+) = (.*) as const;$", module, re.MULTILINE)
    }


def drawn(kind: str) -> list[tuple[str, tuple[float, float, float]]]:
    """The pieces of a kind in the Python drawing: space, x, y, size."""
    root = ElementTree.fromstring(svg.board(read_position(PLACES), orientation=FOREST))
    found = []
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        if (group.get("class") or "").split()[:1] != [kind]:
            continue
        match = re.fullmatch(r"translate\((\S+) (\S+)\) scale\((\S+)\)", group.get("transform") or "")
        assert match
        found.append((group.get("data-space") or "", (float(match[1]), float(match[2]), 100 * float(match[3]))))
    return found


@pytest.mark.parametrize(
    ("kind", "space", "name"),
    [("shaman", "a1", "SHAMAN"), ("shaman", "b3", "SHAMAN_ON_MEGALITH"), ("megalith", "b3", "MEGALITH")],
)
def test_pieces_lie_where_the_generated_geometry_says(kind: str, space: str, name: str) -> None:
    placement = constants(geometry())[name]
    x, y = corner(space_of(space), FOREST)
    expected = (x + placement["x"], y + placement["y"], placement["size"])
    assert dict(drawn(kind))[space] == pytest.approx(expected)


def test_waiting_shamans_stand_where_the_generated_geometry_says() -> None:
    values = constants(geometry())
    placement, top = values["WAITING_SHAMAN"], values["LAND_HEIGHT"] - values["VILLAGE"]
    first = min(place for _, place in drawn("waiting") if place[1] > top)
    assert first == pytest.approx((placement["x"], top + placement["y"], placement["size"]))


def test_the_totem_beside_a_megalith_lies_where_the_generated_geometry_says() -> None:
    placement = constants(geometry())["COVERED_TOTEM"]
    x, y = corner(space_of("b1"), FOREST)
    places = [place for _, place in drawn("totem")]
    assert any(place == pytest.approx((x + placement["x"], y + placement["y"], placement["size"])) for place in places)


def test_the_drawing_is_as_large_as_the_generated_land() -> None:
    values = constants(geometry())
    root = ElementTree.fromstring(svg.board(read_position(PLACES)))
    height = float((root.get("viewBox") or "").split()[3])
    assert height == values["LAND_HEIGHT"] + 2 * MARGIN


def test_tile_sets_match_the_variants() -> None:
    sets = constants(tiles())["MEGALITH_SETS"]
    assert set(sets) == {variant.value for variant in Variant}
    for variant in Variant:
        assert sets[variant.value] == [megalith.code for megalith in variant.megaliths]
    assert sets["expert"] == list(MEGALITHS)


def test_the_command_writes_both_files(tmp_path: Path) -> None:
    folder = tmp_path / "generated"
    subprocess.run([sys.executable, "-m", "cairn.svg.typescript", str(folder)], check=True)
    assert (folder / "geometry.ts").read_text(encoding="utf-8") == geometry()
    assert (folder / "tiles.ts").read_text(encoding="utf-8") == tiles()
    refused = subprocess.run(
        [sys.executable, "-m", "cairn.svg.typescript"], capture_output=True, text=True, check=False
    )
    assert refused.returncode != 0
    assert "usage" in refused.stderr
