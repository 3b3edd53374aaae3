"""Every legal token can be selected unambiguously by pointing: no path of picks leads to two tokens."""

from __future__ import annotations

import itertools
import re
from typing import Final

import pytest
from hypothesis import given

from cairn import Board
from cairn.rulebook.actions import possible_actions
from cairn.server.game.choices import choices
from cairn.vocabulary import Phase, Tribe, space_of
from harness.vectors import read_vectors
from tests.strategies import boards, boards_where_the_shifting_stone_chooses

PICK: Final = re.compile(r"[a-e][1-5]|village:(forest|sea)|slot:[01]|tile:(add|move|jump)|button:(pass|stop)")


def expected_paths(board: Board, token: str) -> list[str]:
    """Derive the paths to a token from the text of the token and the text of the position."""
    codes = re.findall("[A-Z]{2}|--", board.text.split(" ")[2])
    slots = {code: f"slot:{slot}" for slot, code in enumerate(codes)}
    copied, _, text = token.rpartition(":")
    first, sign, second = re.fullmatch(r"([a-e][1-5])?([+x=~/T-]?)(.*)", text).groups()  # type: ignore[union-attr]
    match first, sign:
        case None, "+":
            paths = [f"village:{board.decider.value} {second}", second]  # type: ignore[union-attr]
            if space_of(second) in board.setup.shamans:  # A1: a single pick must not banish an enemy
                return [paths[0], f"tile:add {second}"]
        case None, "x" | "T":
            paths = [second]
        case None, "=":
            paths = [slots[second]]
        case None, _:
            names = {"use": "", "stop": "button:stop", "pass": "button:pass"}
            paths = [names[second] if second in names else second.replace("flip-", "tile:")]
        case _, "/":
            paths = [f"{first} {second}", f"{second} {first}"]
        case _, "=":
            paths = [f"{first} {slots[second]}", f"{slots[second]} {first}"]
        case _:
            if second == "out":
                second = f"village:{board.setup.shamans[space_of(first)].enemy.value}"
            alone = sign == "-" and board.phase is Phase.POWER and first == board.focus_name
            paths = [f"{first} {second}", *([second] if alone else [])]
    if board.phase is Phase.ACTION:
        tiles = {str(each): tile.value for each, tile in possible_actions(board.setup).items()}
        paths.append(f"tile:{tiles[token]} {paths[-1]}")
    return [f"{slots[copied]} {path}".strip() if copied else path for path in paths]


def check(board: Board) -> None:
    """Check the properties that the choices must have in every position."""
    offered = choices(board)
    if not isinstance(board.decider, Tribe):
        assert offered == []
        return
    assert [choice.token for choice in offered] == [str(token) for token in board.legal_moves]
    for choice in offered:
        assert [" ".join(path) for path in choice.paths] == expected_paths(board, choice.token)
    assert all(PICK.fullmatch(pick) for choice in offered for path in choice.paths for pick in path)
    in_order = sorted(path for choice in offered for path in choice.paths)
    for path, following in itertools.pairwise(in_order):
        # In sorted order, a path comes right before any path that extends or repeats it.
        assert following[: len(path)] != path
    if board.phase is Phase.ACTION:
        tiles = {str(token): tile.value for token, tile in possible_actions(board.setup).items()}
        assert {choice.token: choice.tile for choice in offered} == tiles
        assert all(
            path[0] == f"tile:{each.tile}" for each in offered for path in each.paths if path[0].startswith("tile")
        )
    else:
        assert {choice.tile for choice in offered} == {None}


@given(boards())
def test_no_two_tokens_share_a_path(board: Board) -> None:
    check(board)


@given(boards_where_the_shifting_stone_chooses())
def test_no_two_tokens_for_the_shifting_stone_share_a_path(board: Board) -> None:
    check(board)


def test_no_two_tokens_in_the_test_vectors_share_a_path() -> None:
    powers = set()
    for vector in read_vectors("powers"):
        board = Board(vector["position"], vector["tokens"])
        powers.add(board.power_code)
        check(board)
    assert len(powers - {None}) == 15  # all except Pillars and Tumulus, whose powers leave no choice
    for vector in read_vectors("special"):
        check(Board(vector["position"], vector["tokens"]))


def test_a_choice_for_a_power_includes_the_power_and_the_kind_of_target() -> None:
    aimed = set()
    for vector in read_vectors("powers"):
        board = Board(vector["position"], vector["tokens"])
        before = board.setup.megaliths
        for choice in choices(board):
            copied, _, _ = choice.token.rpartition(":")
            assert choice.power == (copied or board.power_code)
            if choice.token == "stop" or choice.power is None:
                continue
            after = Board(vector["position"], [*vector["tokens"], choice.token]).setup.megaliths
            moved = any(after.get(space) is not tile for space, tile in before.items())
            assert choice.aim == ("megalith" if moved else "shaman")
            aimed.add((choice.power, choice.aim))
    assert {power for power, aim in aimed if aim == "megalith"} == {"SA", "SW", "SS"}
    assert len(aimed) == 16  # the Shifting Stone has no power of its own: it copies others


PATHS: Final = {
    "an add": (
        "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        "",
        "+d1",
        ["village:forest d1", "tile:add d1", "d1"],
    ),
    "an add onto an enemy": (
        "S4/5/5/5/F1FS1 - DRCG - wofm 0-0 F",
        "",
        "+d1",
        ["village:forest d1", "tile:add d1"],
    ),
    "a step": ("S1S1S/5/5/5/F1F1F - DRMD - wofm 0-0 F", "", "a1-a2", ["a1 a2", "tile:move a1 a2"]),
    "a jump": ("S1S1S/5/5/1F3/F1F1F - DRMD - wofm 0-0 F", "", "a1-c3", ["a1 c3", "tile:jump a1 c3"]),
    "a step out": (
        "F1S1S/5/5/5/2F1F - DRMD - wofm 0-0 F",
        "",
        "a5-out",
        ["a5 village:sea", "tile:move a5 village:sea"],
    ),
    "a jump out by Sea": (
        "2S1S/5/5/S4/F1F1F - DRMD - woem 0-0 S",
        "",
        "a2-out",
        ["a2 village:forest", "tile:jump a2 village:forest"],
    ),
    "a tile to build": ("F1S1S/5/5/5/2F1F - DRMD - wofm 0-0 F", "a5-out", "=MD", ["slot:1"]),
    "a shaman to banish": ("S4/5/5/1F3/2S1F b3CG DRMD - wofm 0-0 F", "b2-b3", "xc1", ["c1"]),
    "a shaman to add": ("S4/5/5/1F3/2S1F b3CD DRMD - wofm 0-0 F", "b2-b3", "+a1", ["village:forest a1", "a1"]),
    "the shaman on the megalith": ("S4/5/5/1F3/2S1F b3MD DRAD - wofm 0-0 F", "b2-b3", "b3-c4", ["b3 c4", "c4"]),
    "an enemy moved out": (
        "S4/5/5/1F3/2S1F b3FC DRAD - wofm 0-0 F",
        "b2-b3",
        "c1-out",
        ["c1 village:forest"],
    ),
    "a megalith to move": ("S4/5/5/1F3/2S1F b3SA DRAD - wofm 0-0 F", "b2-b3", "b3~c4", ["b3 c4"]),
    "two megaliths to swap": ("S4/5/5/1F3/2S1F b3SW,d3CG DRAD - wofm 0-0 F", "b2-b3", "b3/d3", ["b3 d3", "d3 b3"]),
    "two shamans to swap": ("S4/5/5/1F3/2S1F b3WC DRAD - wofm 0-0 F", "b2-b3", "e1/c1", ["c1 e1", "e1 c1"]),
    "a tile to flip": ("S4/5/5/1F3/2S1F b3MM DRAD - wofm 0-0 F", "b2-b3", "flip-add", ["tile:add"]),
    "a megalith to replace": ("S4/5/5/1F3/2S1F b3SS DRAD - wofm 0-0 F", "b2-b3", "b3=DR", ["b3 slot:0", "slot:0 b3"]),
    "a space for a new megalith": (
        "S4/5/5/1F3/2S1F b3HE DRAD - wofm 0-0 F",
        "b2-b3",
        "e3=AD",
        ["e3 slot:1", "slot:1 e3"],
    ),
    "a copy": ("S4/5/5/1FF2/4F b3SH DRPS - wofm 0-0 F", "b2-b3", "DR:c2-c3", ["slot:0 c2 c3"]),
    "a copy without a choice": ("S4/5/5/1FF2/4F b3SH DRPS - wofm 0-0 F", "b2-b3", "PS:use", ["slot:1"]),
    "a copy of the Source": (
        "S4/5/5/1FF2/4F b3SH DRSS - wofm 0-0 F",
        "b2-b3",
        "SS:b3=DR",
        ["slot:1 b3 slot:0", "slot:1 slot:0 b3"],
    ),
    "stop": ("S4/5/5/1F3/4F b3MD,c3CS DRAD - wofm 0-0 F", "b2-b3 b3-c3 c3-b3", "stop", ["button:stop"]),
    "a transformation": ("5/3S1/1SF2/5/F1F2 - DRMD - wofm 1-0 S", "d4-d3", "Tc3", ["c3"]),
    "no transformation": ("5/3S1/1SF2/5/F1F2 - DRMD - wofm 1-0 S", "d4-d3", "pass", ["button:pass"]),
}


@pytest.mark.parametrize("name", PATHS)
def test_a_token_has_the_expected_paths(name: str) -> None:
    position, tokens, token, paths = PATHS[name]
    offered = {choice.token: choice for choice in choices(Board(position, tokens.split()))}
    assert sorted(" ".join(path) for path in offered[token].paths) == sorted(paths)


def test_there_are_no_choices_before_a_draw_or_after_the_end() -> None:
    drawing = Board("F1S1S/5/5/5/2F1F - DRMD (ADCS) wofm 0-0 F", ["a5-out", "=MD"])
    assert drawing.phase is Phase.DRAW
    assert choices(drawing) == []
    over = Board("5/5/4S/5/2SFS - ---- - wdfm 0-0 S", ["e3-d2"])
    assert choices(over) == []
