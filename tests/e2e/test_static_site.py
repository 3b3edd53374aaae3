"""The static site on a plain file server: pages that need no server work, and the others say that they need one.

Games on the site are tested in test_device_games.py.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.away import ABSENCE, wait_until_kept
from tests.e2e.builds import Site, deploy_next_build
from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.test_access import LOOKS, violations
from tests.e2e.test_offline import expect_build
from tests.e2e.visit import DESKTOP, PHONE, Visitor
from tests.e2e.words import LANGUAGES, say

pytestmark = [pytest.mark.slow, pytest.mark.proof]

OWN_PAGES = {
    "/",
    "/learn",
    "/learn/megaliths",
    "/learn/megaliths/performance",
    "/tutorial",
    "/puzzles",
    "/puzzles/daily",
    "/puzzles/next",
    "/puzzles/mistakes",
    "/settings",
    "/new",
    "/games",
    "/games/statistics",
    "/setup",
    "/analysis",
}
"""The pages that need no server."""


def load(visitor: Visitor, fragment: str) -> Page:
    """Load a page directly, as a bookmark does. Changing only the fragment would not load the page."""
    visitor.page.goto("about:blank")
    return visitor.go(f"/{fragment}")


def see_the_pages(visitor: Visitor, language: str) -> None:
    """Load the home page, the rules and the gallery, and use a live board."""
    page = load(visitor, "")
    expect(page.get_by_text(say("common.home.none", language))).to_be_visible()
    page = load(visitor, "#/learn")
    expect(page.get_by_role("heading", level=1, name=say("common.title.learn", language))).to_be_visible()
    page = load(visitor, "#/learn/megaliths#DR")
    expect(page.get_by_role("heading", level=1, name=say("common.title.megaliths", language))).to_be_visible()
    page.get_by_role("button", name=say("learn.board.next", language)).click()
    expect(page.locator("article .count [aria-hidden]")).to_contain_text("1")


def test_pages_work_from_a_folder_of_a_plain_file_server(visits: Visits, site: Site) -> None:
    visitor = visits(site)
    see_the_pages(visitor, "en")
    assert [each.url for each in visitor.requests if not each.url.startswith(f"{site.address}/")] == []


def test_links_lead_through_the_site_and_back(visits: Visits, site: Site) -> None:
    visitor = visits(site)
    page = visitor.go("/")
    page.get_by_role("link", name=say("common.nav.learn"), exact=True).click()
    expect(page).to_have_url(f"{site.address}/#/learn")
    page.locator("nav.index").get_by_role("link").nth(3).click()
    expect(page).to_have_url(f"{site.address}/#/learn#add")
    expect(page.locator("#add-title")).to_be_focused()
    page.get_by_role("link", name=say("learn.galleryLink")).first.click()
    expect(page.get_by_role("heading", level=1, name=say("common.title.megaliths"))).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=1, name=say("common.title.megaliths"))).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1, name=say("common.title.learn"), exact=True)).to_be_visible()
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    expect(page.get_by_role("heading", level=1, name=say("common.title.learn"), exact=True)).to_be_visible()
    # A link that is opened in another tab leads to the same place.
    link = page.get_by_role("link", name=say("common.nav.settings"))
    assert link.evaluate("(link) => link.href") == f"{site.address}/#/settings"


def test_nothing_is_offered_that_needs_a_server(visits: Visits, site: Site) -> None:
    visitor = visits(site)
    for fragment in (
        "",
        "#/learn",
        "#/learn/megaliths",
        "#/tutorial",
        "#/puzzles",
        "#/puzzles/daily",
        "#/puzzles/mistakes",
        "#/settings",
        "#/lobby",
        "#/nowhere",
        "#/new",
        "#/games",
        "#/games/statistics",
        "#/setup",
        "#/analysis",
    ):
        page = load(visitor, fragment)
        links = page.locator("a[href]").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
        pages = {link.split("#")[1].partition("?")[0] for link in links if link.startswith("#/")}
        assert pages <= OWN_PAGES, fragment
        assert [link for link in links if not link.startswith("#")] == [], fragment
    assert [each.url for each in visitor.requests if "/api" in each.url] == []


@pytest.mark.parametrize("page_name", ["lobby", "account", "game/abc", "player/anna"])
def test_pages_that_need_a_server_say_so(visits: Visits, site: Site, page_name: str) -> None:
    visitor = visits(site)
    page = visitor.go(f"/#/{page_name}")
    expect(page.get_by_text(say("common.server.none"))).to_be_visible()
    assert [each.url for each in visitor.requests if "/api" in each.url] == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_notes_fit_in_every_language(visits: Visits, site: Site, size: tuple[int, int]) -> None:
    visitor = visits(site, size=size)
    wrong = []
    for language in LANGUAGES:
        page = visitor.go("/")
        visitor.choose(language=language)
        page.reload()
        for fragment, note in (("", "common.home.none"), ("#/lobby", "common.server.none")):
            page = load(visitor, fragment)
            expect(page.get_by_text(say(note, language))).to_be_visible()
            wrong += [f"{language} {fragment}: {fault}" for fault in faults(page)]
    for look, settings in LOOKS.items():
        visitor.choose(**settings)
        wrong += [f"{look}: {violation}" for violation in violations(visitor)]
    assert wrong == []


def test_the_site_opens_without_a_connection_after_a_visit(visits: Visits, site: Site) -> None:
    visitor = visits(site, workers=True)
    visitor.allow(ABSENCE)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    page.get_by_role("button", name="Русский").click()
    wait_until_kept(page, "en", "ru")
    site.stop()
    see_the_pages(visitor, "ru")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1, name=say("common.title.megaliths"))).to_be_visible()


def test_a_new_build_of_the_site_is_offered(visits: Visits, site: Site) -> None:
    visitor = visits(site, workers=True)
    page = visitor.go("/#/learn")
    wait_until_kept(page, "en")
    new = deploy_next_build(site.folder)
    # Without this call, the browser would check for a new service worker only once a day or when a page is opened.
    page.evaluate("async () => (await navigator.serviceWorker.ready).update()")
    expect(page.get_by_text(say("common.update.text"))).to_be_visible()
    wrong = []
    for look, settings in LOOKS.items():
        visitor.choose(**settings)
        wrong += [f"{look}: {fault}" for fault in (*faults(page), *violations(visitor))]
    assert wrong == []
    page.get_by_role("button", name=say("common.update.load")).click()
    expect_build(page, new)
    expect(page.get_by_role("heading", level=1, name=say("common.title.learn"))).to_be_visible()
    expect(page.get_by_text(say("common.update.text"))).to_be_hidden()
