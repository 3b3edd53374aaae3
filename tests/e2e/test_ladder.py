"""The ten opponents: the next level after a win, a rematch after a defeat, and the marks on beaten levels."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visits
from tests.e2e.places import WINS
from tests.e2e.server import Server
from tests.e2e.visit import DESKTOP, PHONE
from tests.e2e.words import say

LEVEL_2 = say("games.level.2")
LEVEL_3 = say("games.level.3")


def _named(key: str, name: str) -> str:
    return say(key).replace("{name}", name)


def _regular_game(server: Server, computer: str, level: int) -> str:
    """A regular game in which Forest can win at once. It comes from a record; other regular games are dealt."""
    headers = f'[{computer} "level {level}"]\n[Variant "beginner"]\n[Result "*"]\n[Position "{WINS}"]'
    return str(server.ask("POST", "/records", {"text": f"{headers}\n\n*\n"})["id"])


def _won(server: Server) -> str:
    """A regular game that a person who plays Forest has won against level 2."""
    game = _regular_game(server, "Sea", 2)
    for token in ("c5-out", "=MD"):
        revision = server.game(game)["revision"]
        server.ask("POST", f"/games/{game}/tokens", {"token": token, "tribe": "forest", "revision": revision})
    return game


def _begun(page: Page, server: Server, finished: str) -> Any:
    """The seats of the new game, once the page has opened it."""
    page.wait_for_url(lambda url: "/game/" in url and finished not in url)
    return server.game(page.url.rpartition("/")[2])["seats"]


def test_a_win_leads_to_the_next_level(own_server: Server, visits: Visits) -> None:
    game = _won(own_server)
    page = visits(own_server).go(f"/game/{game}")
    assert page.evaluate("() => document.documentElement.scrollHeight - window.innerHeight") <= 0
    buttons = page.locator("section.end .buttons")
    expect(page.get_by_role("button", name=say("play.record.copy"))).to_have_count(1)
    expect(buttons.locator(".main")).to_have_text(_named("play.end.next", LEVEL_3))
    expect(buttons.get_by_role("button", name=say("play.end.rematch"))).to_be_visible()
    expect(buttons.get_by_role("button", name=say("play.end.review"))).to_be_visible()
    buttons.locator(".main").click()
    seats = _begun(page, own_server, game)
    assert seats["forest"]["kind"] == "person"
    assert seats["sea"]["level"] == 3


def test_a_defeat_leads_to_a_rematch_with_the_same_tribes(own_server: Server, visits: Visits) -> None:
    game = _regular_game(own_server, "Forest", 10)  # the highest level does not miss the win
    page = visits(own_server).go(f"/game/{game}")
    expect(page.locator("section.end .buttons .main")).to_have_text(say("play.end.again"))
    page.locator("section.end .buttons .main").click()
    seats = _begun(page, own_server, game)
    assert seats["sea"]["kind"] == "person"
    assert seats["forest"]["level"] == 10


def test_a_beaten_level_is_marked_and_counted(own_server: Server, visits: Visits) -> None:
    _won(own_server)
    visitor = visits(own_server)
    page = visitor.go("/new")
    beaten = page.get_by_role("radio", name=re.compile(say("games.beaten")))
    expect(beaten).to_have_count(1)
    expect(beaten).to_have_accessible_name(re.compile(LEVEL_2))
    visitor.go("/games")
    expect(page.get_by_text(_named("games.ladder.next", LEVEL_3))).to_be_visible()
    page.get_by_role("link", name=say("games.stats.title")).click()
    expect(page.get_by_role("row", name=re.compile(LEVEL_2))).to_contain_text("1")
    page.get_by_role("link", name=_named("games.play-now", LEVEL_3)).click()
    expect(page.get_by_role("radio", name=re.compile(LEVEL_3))).to_be_checked()


@pytest.mark.parametrize("size", [PHONE, (360, 640), DESKTOP])
def test_the_table_names_the_opponent(server: Server, visits: Visits, size: tuple[int, int]) -> None:
    game = _won(server)
    page = visits(size=size).go(f"/game/{game}?step=0")
    names = page.locator(".play .top p, .play .players .name").filter(has_text=LEVEL_2)
    expect(names.filter(visible=True)).to_have_count(1)
    # The drawing comes from a separate file; without it, the portrait would be empty.
    portraits = page.locator(".play svg:has(> use[href$='#level-2'])").filter(visible=True)
    box = portraits.first.locator("use").evaluate("use => use.getBBox().height")
    assert box > 50


def test_new_games_without_a_move_do_not_pile_up(own_server: Server, visits: Visits) -> None:
    visitor = visits(own_server)
    for _ in range(3):
        own_server.begin(seats={"forest": {"kind": "person"}, "sea": {"kind": "person"}}, variant="beginner")
    page = visitor.go("/games")
    expect(page.get_by_role("article")).to_have_count(1)
