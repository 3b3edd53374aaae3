"""Setting up a position by hand: faults are reported, and a valid position can be played and shared."""

from __future__ import annotations

import re
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.e2e.server import Server
from tests.e2e.visit import Visitor
from tests.e2e.words import say

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


def space(page: Page, name: str) -> None:
    page.locator(f'[data-pick="{name}"]').click()


def tool(page: Page, name: str | re.Pattern[str]) -> None:
    page.locator(".toolbox").get_by_role("button", name=name).first.click()


def test_pieces_can_be_placed_moved_and_removed(visitor: Visitor) -> None:
    visitor.allow("422")  # the last position is not valid, and the page may check it before the test ends
    page = visitor.go("/setup")
    text = page.get_by_label(say("setup.text"))
    expect(text).to_have_value(START)
    space(page, "a1")  # the hand tool picks up the shaman
    space(page, "a3")
    expect(text).to_have_value("S1S1S/5/F4/5/2F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    tool(page, re.compile("^Sea"))
    space(page, "c3")
    expect(text).to_have_value("S1S1S/5/F1S2/5/2F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    tool(page, say("setup.erase"))
    space(page, "b3")
    expect(text).to_have_value("S1S1S/5/F1S2/5/2F1F d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    tool(page, re.compile("^Deer Rock"))
    space(page, "b3")
    expect(text).to_have_value(re.compile(r"b3DR,d3CD --MD"))


def test_faults_are_reported_until_they_are_corrected(visitor: Visitor) -> None:
    visitor.allow("422")
    page = visitor.go("/setup")
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("Forest")
    start = page.get_by_role("button", name=say("setup.play.computer"))
    expect(start).to_be_enabled()
    text = page.get_by_label(say("setup.text"))
    text.fill("S1S1S/5/5/5/F1F1F b3CG,d3CG DRMD (ADCSPSSA) wofm 0-5 F")
    expect(page.locator("#text-faults").get_by_role("listitem")).to_have_count(2)  # the duplicate tile and the score
    expect(start).to_be_disabled()
    expect(text).to_have_attribute("aria-invalid", "true")
    text.fill("nonsense")
    expect(page.locator("#text-faults").get_by_role("listitem")).to_have_count(1)
    text.fill(START)
    expect(start).to_be_enabled()


def test_a_sixth_shaman_is_rejected(visitor: Visitor) -> None:
    page = visitor.go("/setup")
    tool(page, re.compile("^Forest"))
    for name in ("a3", "c3", "e3"):
        space(page, name)
    expect(page.get_by_label(say("setup.text"))).to_have_value(re.compile("^S1S1S/5/F1F2/5/F1F1F "))
    expect(page.locator(".told")).to_contain_text("Forest")


def test_a_position_can_be_played(visitor: Visitor, server: Server) -> None:
    position = "S1F1S/3S1/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
    page = visitor.go(f"/setup?position={quote(position)}")
    page.get_by_role("button", name=say("games.new.two"), exact=True).click()
    page.wait_for_url(re.compile("/game/"))
    game = server.game(page.url.rpartition("/")[2])
    assert game["start"] == position
    assert {seat["kind"] for seat in game["seats"].values()} == {"person"}


def test_a_shared_link_shows_the_position(visitor: Visitor) -> None:
    page = visitor.go("/setup")
    page.get_by_role("button", name=say("setup.copy-link")).click()
    expect(page.get_by_text(say("setup.link-copied"))).to_be_visible()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert "/position?p=" in link
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text(say("setup.shared-title"))
    expect(page.locator('[data-pick="a5"]')).to_have_attribute("aria-label", re.compile("Sea"))
    expect(page.locator(".toolbox")).to_be_hidden()  # the tools appear only on request
    for text in ("Jump: over a friend", "Deer Rock", "Deck: 4"):
        expect(page.locator(".beside").get_by_text(text)).to_be_visible()


def test_a_reload_keeps_the_position(visitor: Visitor) -> None:
    page = visitor.go("/setup")
    space(page, "a1")
    space(page, "a3")
    page.wait_for_url(re.compile("F4"))
    page.reload()
    expect(page.get_by_label(say("setup.text"))).to_have_value(re.compile("^S1S1S/5/F4/5/2F1F "))
