"""The table in a terminal: complete, within 80 columns, and legible without colour or Unicode."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Final

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from cairn import terminal
from cairn.notation.position import read_position
from cairn.notation.tokens import read_token
from cairn.vocabulary import FOREST, SEA, TRIBES, Copy, Phase, Token, Tribe

DATA: Final = Path(__file__).parents[1] / "data"
START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
EXPERT: Final = "S1S1S/5/5/5/F1F1F b3SS,d3FC WCMD (ADCDCGCSDRHEHPMMPSSASHSW)TS boee 0-0 S"


def shown(drawing: RenderableType, width: int = 80) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None, no_color=True, legacy_windows=False)
    with console.capture() as capture:
        console.print(drawing)
    return capture.get()


def positions() -> list[str]:
    found = [START, EXPERT]
    for name in ("perft.jsonl", "powers.jsonl", "special.jsonl"):
        lines = (DATA / name).read_text(encoding="utf-8").splitlines()
        found += [json.loads(line)["position"] for line in lines]
    return list(dict.fromkeys(found))


def every_token() -> set[str]:
    """The legal tokens of all recorded games, and a few more, so that every kind of token is included."""
    found: set[str] = {"SH:b3/d3", "PS:use", "stop"}
    for line in (DATA / "games.jsonl").read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        found.update(game["start"]["legal"], *(ply["legal"] for ply in game["plies"]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("orientation", TRIBES)
def test_everything_is_shown_in_80_columns(orientation: Tribe, unicode: bool) -> None:
    for text in positions():
        setup = read_position(text)
        drawn = shown(terminal.board(setup, orientation=orientation, unicode=unicode))
        assert max(map(cell_len, drawn.splitlines())) <= terminal.WIDTH
        tiles = [*setup.megaliths.values(), *setup.upcoming, *setup.deck.unknown, *setup.deck.known]
        assert [tile for tile in tiles if tile and tile.code not in drawn] == []
        assert drawn.isascii() or unicode
        # Each tribe has five shamans, on the field or in the village.
        for glyph in ("♣F", "≈S") if unicode else ("^F", "~S"):
            assert drawn.count(glyph) == 5


def test_faces_scores_and_the_active_player_are_shown_in_words() -> None:
    drawn = shown(terminal.board(read_position("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 1-2 S")))
    for words in (
        "add: white (back: black)",
        "move: straight (back: diagonal)",
        "jump: friend (back: enemy)",
        "transform: middle (back: end)",
        "score 1",
        "score 2",
        "Deck: 4",
    ):
        assert words in drawn
    assert [line.split()[1] for line in drawn.splitlines() if "to play" in line] == ["Sea"]


def test_the_lines_of_the_field_do_not_dim_the_panel() -> None:
    console = Console(width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    segments = console.render(terminal.board(read_position(START)))
    styles = [segment.style for segment in segments if "(back:" in segment.text]
    assert len(styles) == 4
    assert not any(style and style.dim for style in styles)


def test_tiles_in_known_order_follow_tiles_in_unknown_order() -> None:
    drawn = shown(terminal.board(read_position(EXPERT)))
    assert "any order: AD CD CG CS DR HE HP MM" in drawn
    assert "then:      TS" in drawn


def test_the_viewers_tribe_is_at_the_bottom() -> None:
    setup = read_position(START)
    for tribe in (FOREST, SEA):
        lines = shown(terminal.board(setup, orientation=tribe)).splitlines()
        villages = [line for line in lines if "village" in line]
        assert tribe.value.capitalize() in villages[-1]
        letters = next(line for line in lines if "Tiles" in line).split()
        assert letters[:5] == sorted("abcde", reverse=tribe is SEA)


def test_last_tokens_are_marked_without_colour() -> None:
    setup = read_position("S1S1S/5/5/F4/2F1F b3CG,d3CD DRMD (ADCSPSSA) wdfm 0-0 S")
    drawn = shown(terminal.board(setup, last=[read_token("a1-a2"), read_token("xe5")], unicode=False))
    assert "[^F]" in drawn
    assert ".  ." in drawn
    assert "a1-a2 xe5" in drawn


def test_every_token_can_be_drawn_as_the_last_one() -> None:
    setup = read_position(START)
    for text in sorted(every_token())[::7]:
        terminal.board(setup, last=[read_token(text)])


def test_tokens_are_grouped_by_action_and_origin() -> None:
    legal = [read_token(text) for text in ("+b1", "a1-a2", "a1-b1", "c1-b1", "a5-out")]
    lines = [line.split("  ") for line in shown(terminal.tokens(legal)).splitlines()]
    assert [[part.strip() for part in line if part.strip()] for line in lines] == [
        ["Add a shaman", "+b1"],
        ["Move or jump from a1", "a1-a2", "a1-b1"],
        ["Move or jump from c1", "c1-b1"],
        ["Move or jump from a5", "a5-out"],
    ]


def test_all_legal_tokens_are_listed() -> None:
    texts = sorted(every_token())
    listed = shown(terminal.tokens([read_token(text) for text in texts])).split()
    assert set(texts) <= set(listed)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("+b1", "Add a shaman on b1"),
        ("a1-c3", "Move or jump from a1 to c3"),
        ("a5-out", "Take the shaman on a5 off the field"),
        ("=DR", "Build Deer Rock"),
        ("?AD", "Draw Alley of Dusk"),
        ("xc1", "Banish the shaman on c1"),
        ("b3~c4", "Move the megalith from b3 to c4"),
        ("b3/d3", "Swap b3 and d3"),
        ("flip-jump", "Flip the Jump tile"),
        ("b3=DR", "Put Deer Rock on b3"),
        ("DR:c3-c4", "Copy Deer Rock: move the shaman from c3 to c4"),
        ("PS:use", "Copy Pillars of Spring: use its power"),
        ("stop", "Stop here and do not use the power again"),
        ("Tc3", "Make the transformation on c3"),
        ("pass", "Pass without a transformation"),
    ],
)
def test_a_token_is_described_in_a_sentence(text: str, sentence: str) -> None:
    assert terminal.describe(read_token(text)) == sentence


@pytest.mark.parametrize(
    ("text", "phase", "sentence"),
    [
        ("a1-a2", Phase.ACTION, "Move from a1 to a2"),
        ("a1-b2", Phase.ACTION, "Move from a1 to b2"),
        ("a1-c3", Phase.ACTION, "Jump from a1 over b2 to c3"),
        ("e5-e3", Phase.ACTION, "Jump from e5 over e4 to e3"),
        ("c5-out", Phase.ACTION, "Leave the field from c5"),
        ("a1-c3", Phase.POWER, "Move the shaman from a1 to c3"),
        ("c5-out", Phase.POWER, "Take the shaman on c5 off the field"),
        ("+b1", Phase.ACTION, "Add a shaman on b1"),
    ],
)
def test_the_phase_determines_how_a_token_is_described(text: str, phase: Phase, sentence: str) -> None:
    assert terminal.describe(read_token(text), phase) == sentence


@pytest.mark.parametrize(
    ("position", "last", "legend"),
    [
        (START, [], "(w) (b) totems"),
        (START.replace("b3CG,d3CD", "b3CG"), [], "(w) (b) totems  ( ) stone circle"),
        (START, ["a1-a2"], "(w) (b) totems  [  ] reached  .  . left"),
        (START, ["xc1"], "(w) (b) totems  x banished"),
        (START, ["a1-a2", "b1-a1"], "(w) (b) totems  [  ] reached  .  . left"),
        (START, ["a1-a2", "a2-a1"], "(w) (b) totems  [  ] reached"),
        (START, ["pass"], "(w) (b) totems"),
    ],
)
def test_the_legend_lists_only_the_marks_on_the_board(position: str, last: list[str], legend: str) -> None:
    drawn = terminal.board(read_position(position), last=[read_token(text) for text in last], unicode=False)
    assert shown(drawn).splitlines()[-1].strip() == legend


def test_every_kind_of_token_has_a_description() -> None:
    tokens = [read_token(text) for text in every_token()]
    tokens += [token.choice for token in tokens if isinstance(token, Copy)]
    assert {type(token).__name__ for token in tokens} == {kind.__name__ for kind in Token.__subclasses__()}
    assert all(terminal.describe(token) for token in tokens)
