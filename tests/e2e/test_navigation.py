"""Navigation: going back or reloading restores the page as the visitor left it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.server import Server
from tests.e2e.visit import Visitor
from tests.e2e.words import say


def scroll_to(page: Page, top: int) -> None:
    """Scroll, and wait until the page has handled the event."""
    page.evaluate("top => window.scrollTo(0, top)", top)
    page.wait_for_function("top => Math.abs(window.scrollY - top) < 2", arg=top)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def wait_until_scrolled(page: Page, top: int) -> None:
    page.wait_for_function("top => Math.abs(window.scrollY - top) < 2", arg=top, timeout=5000)


def test_back_and_reload_restore_the_scroll_position(visitor: Visitor) -> None:
    page = visitor.go("/learn")
    expect(page.get_by_role("heading", level=2).first).to_be_visible()
    scroll_to(page, 1400)
    page.get_by_role("link", name=say("common.nav.settings")).dispatch_event("click")
    expect(page.get_by_role("heading", level=1, name=say("common.title.settings"))).to_be_visible()
    wait_until_scrolled(page, 0)
    page.go_back()
    wait_until_scrolled(page, 1400)
    page.reload()
    wait_until_scrolled(page, 1400)


@pytest.mark.parametrize("leave", ["back", "reload"])
def test_game_filters_survive_back_and_reload(visitor: Visitor, server: Server, leave: str) -> None:
    server.begin("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    page = visitor.go("/games")
    page.get_by_role("combobox", name=say("games.state")).select_option("finished")
    page.get_by_role("searchbox", name=say("games.search")).fill("Anna")
    page.wait_for_url("**/games?search=Anna&state=finished")
    if leave == "back":
        page.get_by_role("link", name=say("common.nav.settings")).click()
        page.wait_for_url("**/settings")
        page.go_back()
    else:
        page.reload()
    expect(page.get_by_role("combobox", name=say("games.state"))).to_have_value("finished")
    expect(page.get_by_role("searchbox", name=say("games.search"))).to_have_value("Anna")
