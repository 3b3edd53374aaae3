"""The drawings are well-formed, self-contained and complete, and all pieces look different."""

from __future__ import annotations

import collections
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest

from cairn import svg
from cairn.notation.position import read_position
from cairn.notation.tokens import read_token
from cairn.svg.megaliths import SIGNS
from cairn.vocabulary import (
    FOREST,
    MEGALITHS,
    SEA,
    TRIBES,
    AddFace,
    JumpFace,
    MoveFace,
    Setup,
    Space,
    TransformationFace,
    Tribe,
    space_of,
)

DATA: Final = Path(__file__).parents[1] / "data"
NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
CROWDED: Final = (
    "S1F1S/1S3/FF1S1/2SF1/F4 b1HE,d1MM,e1WC,a2CG,c2DR,e2SW,b3CS,c3TS,d3FC,a4SH,b4SS,c4SA,e4MD,b5PS,d5CD "
    "HPAD - bdee 2-1 S"
)
IMAGE: Final = Path(__file__).parents[2] / "docs" / "images" / "board.svg"
PICTURED: Final = "S2S1/1S2S/1F1S1/2F2/F3F c2DR,b3CG,d3CD,a4CS PSMD (ADSA) bdfm 1-1 F"


def rows(name: str) -> Iterator[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def positions() -> list[str]:
    found = [row["position"] for name in ("perft.jsonl", "powers.jsonl", "special.jsonl") for row in rows(name)]
    return list(dict.fromkeys([START, CROWDED, *found]))[::3]


def moments() -> Iterator[tuple[Setup, str]]:
    """A few moments of every game, each with the token that led to it."""
    for row in rows("games.jsonl"):
        for ply in row["plies"][::40]:
            if " 3-" not in ply["board"] and "-3 " not in ply["board"] and "--" not in ply["board"]:
                yield read_position(ply["board"]), ply["token"]


def parse(drawing: str) -> ElementTree.Element:
    root = ElementTree.fromstring(drawing)
    assert root.tag == f"{NAMESPACE}svg"
    assert root.get("role") == "img"
    assert root.findtext(f"{NAMESPACE}title")
    assert root.findtext(f"{NAMESPACE}desc")
    assert not re.search(r"NaN|None|\binf\b", drawing)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert not re.search(r"url\(|href|<style|<script|<image", drawing), "the drawing is not self-contained"
    return root


def standing(root: ElementTree.Element, kind: str) -> dict[str, str]:
    """Return the pieces of a kind by their spaces, after checking that no space holds two."""
    found: dict[str, str] = {}
    for element in root.iter(f"{NAMESPACE}g"):
        words = (element.get("class") or "").split()
        if words[:1] == [kind]:
            space = element.get("data-space") or ""
            assert space not in found
            found[space] = words[1]
    return found


def places(root: ElementTree.Element, kind: str) -> list[tuple[float, float]]:
    groups = (group for group in root.iter(f"{NAMESPACE}g") if (group.get("class") or "").split()[:1] == [kind])
    matches = (re.match(r"translate\((\S+) (\S+)\)", group.get("transform") or "") for group in groups)
    return sorted((float(match[1]), float(match[2])) for match in matches if match)


@pytest.mark.slow
@pytest.mark.parametrize("orientation", TRIBES)
def test_everything_on_the_field_is_drawn_once(orientation: Tribe) -> None:
    for text in positions():
        setup = read_position(text)
        root = parse(svg.board(setup, orientation=orientation))
        assert standing(root, "shaman") == {str(space): tribe.value for space, tribe in setup.shamans.items()}
        assert standing(root, "megalith") == {str(space): tile.code for space, tile in setup.megaliths.items()}
        waiting = collections.Counter(
            (group.get("class") or "").split()[1]
            for group in root.iter(f"{NAMESPACE}g")
            if (group.get("class") or "").startswith("waiting ")
        )
        assert {tribe: waiting[tribe.value] for tribe in TRIBES} == {tribe: setup.village(tribe) for tribe in TRIBES}


def test_the_other_orientation_is_a_half_turn() -> None:
    setup = read_position("5/1F1S1/2S2/F3S/5 - DRMD (ADCSPSSA) wofm 0-0 F")
    below, above = (places(parse(svg.board(setup, orientation=tribe)), "shaman") for tribe in TRIBES)
    sums = {(x1 + x2, y1 + y2) for (x1, y1), (x2, y2) in zip(below, reversed(above), strict=True)}
    assert len(below) == len(setup.shamans)
    assert len(sums) == 1


def test_last_tokens_are_marked_by_shape() -> None:
    setup = read_position(START)
    root = parse(svg.board(setup, last=[read_token("a1-c3"), read_token("xe5")]))
    assert [len(places(root, kind)) for kind in ("left", "reached", "emptied")] == [1, 1, 1]
    assert not places(parse(svg.board(setup)), "left")


@pytest.mark.slow
def test_every_token_in_the_games_can_be_drawn_as_the_last_one() -> None:
    for setup, token in moments():
        parse(svg.board(setup, last=[read_token(token)]))


def test_rare_tokens_can_be_drawn_as_the_last_one() -> None:
    for token in ("DR:c3-c4", "PS:use", "e5-out", "a1-out", "b3/d3", "b3=DR", "flip-add", "stop", "pass", "Tc3"):
        parse(svg.board(read_position(START), last=[read_token(token)]))


def test_a_finished_game_can_be_drawn() -> None:
    setup = read_position(START)
    parse(
        svg.board(
            Setup(setup.shamans, setup.megaliths, (None, None), setup.deck, setup.faces, {FOREST: 3, SEA: 2}, SEA)
        )
    )


def test_marks_size_and_coordinates_can_be_set() -> None:
    setup = read_position(START)
    names: dict[Space, str] = dict(
        zip(map(space_of, ("a2", "b2", "c2", "d2", "e2")), ("dot", "ring", "cross", "star", "<&>"), strict=True)
    )
    root = parse(svg.board(setup, marks=names, size=300))
    assert len(places(root, "mark")) == len(names)
    assert root.get("width") == "300"
    texts = {element.text for element in root.iter(f"{NAMESPACE}text")}
    assert {"<&>", *"abcde12345"} <= texts
    plain = {element.text for element in parse(svg.board(setup, coordinates=False)).iter(f"{NAMESPACE}text")}
    assert plain == {"4"}  # only the deck's count is left


def test_each_megalith_has_its_own_sign() -> None:
    assert set(SIGNS) == set(MEGALITHS)
    assert len(set(SIGNS.values())) == len(MEGALITHS)
    drawings = {svg.megalith(tile, 40) for tile in MEGALITHS.values()}
    assert len(drawings) == len(MEGALITHS)
    for drawing in drawings:
        parse(drawing)


def test_an_occupied_megalith_still_shows_its_sign() -> None:
    setup = read_position("5/5/1F3/5/5 b3DR,d3CD PSMD (ADCSSA) wofm 0-0 F")
    assert SIGNS["DR"].areas in svg.board(setup)


def test_tribes_differ_in_shape_not_only_in_colour() -> None:
    outlines = [re.findall(r' d="([^"]+)"', svg.shaman(tribe)) for tribe in TRIBES]
    assert all(outlines)
    assert outlines[0] != outlines[1]


def test_each_face_has_its_own_diagram() -> None:
    drawings = [svg.action_tile(face) for face in (*AddFace, *MoveFace, *JumpFace)]
    drawings += [svg.transformation_tile(face) for face in TransformationFace]
    assert len(set(drawings)) == 8
    for drawing in drawings:
        parse(drawing)


def test_the_picture_in_the_documentation_is_up_to_date() -> None:
    """If this fails, look at the new drawing, then write it to the file."""
    drawing = svg.board(read_position(PICTURED), last=[read_token("e3-d3"), read_token("+d5")], size=720)
    assert IMAGE.read_text(encoding="utf-8") == drawing + "\n"
