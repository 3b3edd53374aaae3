"""Undo of steps and turns, but never of a draw; and turns and draws that are held until they are confirmed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visits
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.table import Table
from tests.e2e.visit import Visitor
from tests.e2e.words import say, spoken

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
CHAIN = "S1S1S/5/5/1F3/F3F b3MD,d3CD,a4CS DRAD (CGFCHPMMPSSASSSWTS) wofm 1-0 F"
LEAVES = "S1F1S/3S1/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


def sit_down(visitor: Visitor, game: str) -> Table:
    visitor.go(f"/game/{game}")
    table = Table(visitor.page)
    table.wait()
    return table


def take_back(table: Table) -> None:
    """Press the undo button and wait until something can be picked again; the prompt may appear before that."""
    table.press("play.undo")
    table.wait()


def test_undo_goes_back_step_by_step_inside_a_chain(visitor: Visitor, server: Server) -> None:
    game = server.begin(CHAIN)
    table = sit_down(visitor, game)
    asked: list[tuple[str, list[str]]] = []
    for path in ("b2 b3", "a4", "d3"):
        asked.append((table.prompt(), table.marked()))
        table.play(path)
    for before in reversed(asked):
        take_back(table)
        assert (table.prompt(), table.marked()) == before
    assert server.tokens(game) == []
    expect(table.button("play.undo")).to_be_disabled()
    expect(table.button("play.undoTurn")).to_be_disabled()


@pytest.mark.parametrize("key", [None, "Shift+U"])
def test_a_whole_turn_can_be_undone(visitor: Visitor, server: Server, key: str | None) -> None:
    game = server.begin(CHAIN)
    table = sit_down(visitor, game)
    asked = table.prompt()
    table.play("b2 b3", "a4", "d3")
    if key:
        table.page.keyboard.press(key)
    else:
        table.press("play.undoTurn")
    expect(table.page.locator(".prompt p")).to_have_text(asked)
    assert server.tokens(game) == []


def test_two_players_at_one_screen_can_undo_the_previous_turn(visitor: Visitor, server: Server) -> None:
    game = server.begin(START)
    table = sit_down(visitor, game)
    table.play("a1 a2", "a5 b4")
    table.page.keyboard.press("u")
    expect(table.page.locator('[data-pick="a5"]')).to_have_attribute("aria-label", spoken("a5", "sea"))
    table.wait()
    assert server.tokens(game) == ["a1-a2"]
    take_back(table)
    expect(table.page.locator('[data-pick="a1"]')).to_have_attribute("aria-label", spoken("a1", "forest"))
    assert server.tokens(game) == []


def test_undo_never_goes_past_a_drawn_tile(visitor: Visitor, server: Server) -> None:
    game = server.begin(LEAVES)
    table = sit_down(visitor, game)
    table.play("c5 village:sea")
    expect(table.button("play.undo")).to_be_enabled()
    table.play("slot:0")
    assert server.tokens(game)[2].startswith("?")
    expect(table.button("play.undo")).to_be_disabled()
    expect(table.button("play.undoTurn")).to_be_disabled()
    why = re.compile("^A drawn megalith stays drawn")
    expect(table.button("play.undo")).to_have_attribute("title", why)
    table.button("play.undo").click(force=True)  # the disabled button says why
    expect(table.page.locator(".play p[role=status]").filter(has_text=why)).to_have_count(1)
    table.page.keyboard.press("u")  # the key does nothing either
    table.play("a5 b4")
    expect(table.button("play.undo")).to_be_enabled()
    take_back(table)
    expect(table.button("play.undo")).to_be_disabled()
    assert len(server.tokens(game)) == 3


def test_undo_also_takes_back_the_computers_move(visitor: Visitor, server: Server) -> None:
    game = server.begin(START, seats=AGAINST_COMPUTER)
    table = sit_down(visitor, game)
    asked = table.prompt()
    table.play("a1 a2")
    assert len(server.tokens(game)) >= 2
    take_back(table)
    expect(table.page.locator('[data-pick="a1"]')).to_have_attribute("aria-label", spoken("a1", "forest"))
    assert server.tokens(game) == []
    assert table.prompt() == asked


def test_a_turn_waits_until_it_is_confirmed(visits: Visits, server: Server) -> None:
    game = server.begin(START, seats=AGAINST_COMPUTER)
    table = sit_down(visits(settings={"confirmTurn": True}), game)
    table.play("a1 a2")
    expect(table.button("play.confirm")).to_be_visible()
    assert (server.tokens(game), server.game(game)["now"]["held"]) == (["a1-a2"], "forest")
    table.press("play.undo")
    expect(table.page.locator('[data-pick="a1"]')).to_have_attribute("aria-label", spoken("a1", "forest"))
    expect(table.button("play.confirm")).to_be_hidden()
    assert server.tokens(game) == []
    table.wait()
    table.play("e1 e2")
    table.press("play.confirm")
    expect(table.button("play.confirm")).to_be_hidden()
    table.wait()
    assert server.tokens(game)[0] == "e1-e2"
    assert len(server.tokens(game)) >= 2


def test_a_build_waits_until_it_is_confirmed(visits: Visits, server: Server) -> None:
    game = server.begin(LEAVES, seats=AGAINST_COMPUTER)
    table = sit_down(visits(settings={"confirmTurn": True}), game)
    asked = table.page.locator(".prompt p")
    table.play("c5 village:sea", "slot:0")
    expect(asked).to_have_text(say("play.prompt.heldDraw"))
    assert (server.tokens(game), server.game(game)["now"]["held"]) == (["c5-out", "=DR"], "forest")
    table.press("play.undo")
    expect(table.page.locator('[data-pick="slot:1"]')).to_have_attribute("aria-disabled", "false")
    table.play("slot:1")
    table.page.reload()
    expect(asked).to_have_text(say("play.prompt.heldDraw"))
    table.press("play.confirm")
    expect(table.button("play.confirm")).to_be_hidden()
    table.wait()
    tokens = server.tokens(game)
    assert (tokens[:2], tokens[2][0]) == (["c5-out", "=MD"], "?")
    assert len(tokens) > 3  # the computer has moved


def test_a_turn_can_be_confirmed_with_a_key(visits: Visits, server: Server) -> None:
    game = server.begin(START, seats=AGAINST_COMPUTER)
    table = sit_down(visits(settings={"confirmTurn": True}), game)
    table.play("a1 a2")
    table.page.keyboard.press("c")
    expect(table.button("play.confirm")).to_be_hidden()
    table.wait()
    assert len(server.tokens(game)) >= 2
