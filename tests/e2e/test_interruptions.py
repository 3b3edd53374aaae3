"""Reloads, restarts and lost connections: no move is lost, and the page reconnects by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visits
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.table import Table
from tests.e2e.visit import Visitor
from tests.e2e.words import say, spoken

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
CHAIN = "S1S1S/5/5/1F3/F3F b3MD,d3CD,a4CS DRAD (CGFCHPMMPSSASSSWTS) wofm 1-0 F"
ABSENCE = r"ERR_CONNECTION|WebSocket|502|503"


def sit_down(visitor: Visitor, game: str) -> Table:
    visitor.go(f"/game/{game}")
    table = Table(visitor.page)
    table.wait()
    return table


def test_a_reload_in_the_middle_of_a_chain_keeps_the_decision(visitor: Visitor, server: Server) -> None:
    game = server.begin(CHAIN)
    table = sit_down(visitor, game)
    table.play("b2 b3", "a4")
    asked = (table.prompt(), table.marked())
    table.page.reload()
    table.wait()
    assert (table.prompt(), table.marked()) == asked
    table.play("d3", "c1")
    assert server.tokens(game) == ["b2-b3", "b3-a4", "a4-d3", "+c1"]


def test_a_reload_while_events_are_shown_keeps_the_move(visits: Visits, server: Server) -> None:
    game = server.begin(START, seats=AGAINST_COMPUTER)
    table = sit_down(visits(settings={"speed": "slow"}), game)
    table.pick("a1", "a2")
    while not server.tokens(game):
        table.page.wait_for_timeout(10)
    table.page.reload()
    table.wait()
    assert server.tokens(game)[0] == "a1-a2"
    assert "a2" in table.shamans("forest")


@pytest.mark.slow
def test_a_game_continues_after_the_server_is_killed_and_restarted(visits: Visits, own_server: Server) -> None:
    game = own_server.begin(START, seats=AGAINST_COMPUTER)
    visitor = visits(own_server)
    visitor.allow(ABSENCE)
    table = sit_down(visitor, game)
    table.play("a1 a2")
    played = own_server.tokens(game)
    own_server.kill()
    page = table.page
    expect(page.get_by_text(say("common.lost"))).to_be_visible()
    own_server.start()
    expect(page.get_by_text(say("common.lost"))).to_be_hidden(timeout=15_000)  # retries become less frequent
    assert own_server.tokens(game)[: len(played)] == played
    table.wait()
    table.pick("village:forest")
    (goal,) = table.marked()  # the computer's move determines which totem is marked
    table.play(goal)
    assert own_server.tokens(game)[len(played)] == f"+{goal}"


@pytest.mark.slow
def test_a_move_made_while_the_server_is_down_arrives_once(visits: Visits, own_server: Server) -> None:
    game = own_server.begin(START)
    visitor = visits(own_server)
    visitor.allow(ABSENCE)
    table = sit_down(visitor, game)
    own_server.kill()
    table.pick("a1", "a2")
    expect(table.page.get_by_text(say("common.lost"))).to_be_visible()
    own_server.start()
    table.wait()
    expect(table.page.locator('[data-pick="a2"]')).to_have_attribute("aria-label", spoken("a2", "forest"))
    assert own_server.tokens(game) == ["a1-a2"]


def test_two_windows_show_the_same_game(visits: Visits, server: Server) -> None:
    game = server.begin(START)
    here, there = sit_down(visits(), game), sit_down(visits(), game)
    here.play("a1 a2")
    expect(there.page.locator('[data-pick="a2"]')).to_have_attribute("aria-label", spoken("a2", "forest"))
    there.play("a5 b4")
    expect(here.page.locator('[data-pick="b4"]')).to_have_attribute("aria-label", spoken("b4", "sea"))
    assert server.tokens(game) == ["a1-a2", "a5-b4"]


BLOCKED_STORAGE = """for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });"""
BLOCKED_SOCKETS = """window.WebSocket = class extends EventTarget {
    static CONNECTING = 0; static OPEN = 1; readyState = 0;
    constructor(url) {
        super();
        this.url = url;
        setTimeout(() => { this.readyState = 3; this.onclose?.({ code: 1006, reason: "" }); }, 20);
    }
    close() { this.readyState = 3; }
};"""
STRICT_HISTORY = """const replace = history.replaceState.bind(history);
const calls = [];
history.replaceState = (...all) => {
    calls.push(Date.now());
    if (calls.filter((time) => time > Date.now() - 30000).length > 100) throw new DOMException("", "SecurityError");
    replace(...all);
};"""


def test_a_game_can_be_played_in_a_browser_that_blocks_storage(own_visitor: Visitor, server: Server) -> None:
    own_visitor.context.add_init_script(BLOCKED_STORAGE)
    game = server.begin(START)
    sit_down(own_visitor, game).play("a1 a2")
    assert server.tokens(game) == ["a1-a2"]


def test_a_game_can_be_played_on_a_network_that_blocks_sockets(own_visitor: Visitor, server: Server) -> None:
    own_visitor.context.add_init_script(BLOCKED_SOCKETS)
    game = server.begin(START, seats=AGAINST_COMPUTER)
    table = sit_down(own_visitor, game)
    expect(table.page.locator(".play")).to_have_attribute("data-connection", "limited")
    table.play("a1 a2")
    assert server.tokens(game)[0] == "a1-a2"
    table.pick("village:forest")  # possible only once the computer's move has been fetched over HTTP
    expect(table.page.get_by_text(say("common.lost"))).to_be_hidden()


def test_scrubbing_stays_within_safaris_history_limit(own_visitor: Visitor, server: Server) -> None:
    own_visitor.context.add_init_script(STRICT_HISTORY)
    table = sit_down(own_visitor, server.begin(START, ["a1-a2", "a5-b4", "e1-e2"]))
    for _ in range(60):
        table.page.keyboard.press("ArrowLeft")
        table.page.keyboard.press("ArrowRight")
    table.page.keyboard.press("Home")
    table.page.wait_for_url("**?step=0")
    expect(table.page.locator('[data-pick="a1"]')).to_have_attribute("aria-label", spoken("a1", "forest"))


def test_an_unknown_game_is_reported(visitor: Visitor) -> None:
    visitor.allow(r"404|4404|WebSocket")
    page = visitor.go("/game/nowhere")
    expect(page.get_by_text(say("common.problem.unknown-game"))).to_be_visible()
    expect(page.locator("main").get_by_role("link", name=say("play.missing.games"))).to_be_visible()
