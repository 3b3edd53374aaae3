"""The installed application: it opens without a connection, and a new build is offered but never forced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.away import ABSENCE, wait_until_kept
from tests.e2e.builds import build_id, deploy_next_build
from tests.e2e.conftest import Visits
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.visit import Visitor
from tests.e2e.words import say

pytestmark = [pytest.mark.slow, pytest.mark.proof]

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"

FILES = """async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map((request) => new URL(request.url).pathname);
}"""
"""The paths of all files that the service worker has cached."""


def kept_files(page: Page) -> list[str]:
    return list(page.evaluate(FILES))


def expect_build(page: Page, build: str) -> None:
    """Wait until the page comes from this build; the page may reload itself first."""
    expect(page.locator('meta[name="cairn-build"]')).to_have_attribute("content", build, timeout=20_000)


def see_the_pages(visitor: Visitor, language: str) -> None:
    """Open the home page, the rules and the gallery, and use a live board."""
    page = visitor.go("/")
    expect(page.get_by_text(say("common.home.lead", language))).to_be_visible()
    page = visitor.go("/learn")
    expect(page.get_by_role("heading", level=1, name=say("common.title.learn", language))).to_be_visible()
    page = visitor.go("/learn/megaliths#DR")
    expect(page.get_by_role("heading", level=1, name=say("common.title.megaliths", language))).to_be_visible()
    page.get_by_role("button", name=say("learn.board.next", language)).click()
    expect(page.locator("article .count [aria-hidden]")).to_contain_text("1")


def test_the_pages_open_without_the_server_after_a_visit(visits: Visits, own_server: Server) -> None:
    visitor = visits(own_server, workers=True)
    visitor.allow(ABSENCE)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    kept = kept_files(page)
    assert not [path for path in kept if "/language-de-" in path]
    assert [path for path in kept if path.endswith(".wasm")]
    page.get_by_role("button", name="Deutsch").click()
    wait_until_kept(page, "en", "de")
    own_server.kill()
    see_the_pages(visitor, "de")
    page = visitor.go("/settings")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1, name=say("common.title.settings"))).to_be_visible()
    see_the_pages(visitor, "en")


def test_the_pages_open_although_the_server_accepts_connections_without_answering(
    visits: Visits, own_server: Server
) -> None:
    visitor = visits(own_server, workers=True)
    visitor.allow(ABSENCE)
    wait_until_kept(visitor.go("/"), "en")
    own_server.freeze()
    page = visitor.go("/learn")
    expect(page.get_by_role("heading", level=1, name=say("common.title.learn"))).to_be_visible()


def test_the_api_is_never_cached(visits: Visits, own_server: Server) -> None:
    visitor = visits(own_server, workers=True)
    wait_until_kept(visitor.go("/"), "en")
    page = visitor.go("/games")
    Table(visitor.go(f"/game/{own_server.begin(START)}")).wait()
    kept = kept_files(page)
    assert "/" in kept
    assert [path for path in kept if path.startswith("/api") or path == "/version.json"] == []


def test_a_page_that_needs_the_server_says_so_and_opens_once_the_server_is_back(
    visits: Visits, own_server: Server
) -> None:
    visitor = visits(own_server, workers=True)
    visitor.allow(ABSENCE)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    own_server.kill()
    page = visitor.go("/lobby")
    expect(page.get_by_text(say("common.server.away"))).to_be_visible()
    expect(page.locator("main form")).to_have_count(0)
    own_server.start()
    expect(page.locator("main form")).to_be_visible(timeout=20_000)  # retries become less frequent


def test_a_new_build_is_offered_and_never_forced_during_a_game(visits: Visits, deployed: Server, pages: Path) -> None:
    visitor = visits(deployed, workers=True)
    visitor.allow(ABSENCE)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    table = Table(visitor.go(f"/game/{deployed.begin(START)}"))
    table.wait()
    old = build_id(pages)
    deployed.kill()
    new = deploy_next_build(pages)
    deployed.start()
    expect(page.get_by_text(say("common.lost"))).to_be_hidden(timeout=20_000)
    table.play("a1 a2")
    expect_build(page, old)
    expect(page.get_by_text(say("common.update.text"))).to_be_hidden()
    page.get_by_role("link", name=say("common.nav.games")).click()
    expect(page.get_by_text(say("common.update.text"))).to_be_visible()
    expect_build(page, old)
    page.get_by_role("button", name=say("common.update.load")).click()
    expect_build(page, new)
    expect(page.get_by_role("heading", level=1, name=say("common.title.games"))).to_be_visible()
    expect(page.get_by_text(say("common.update.text"))).to_be_hidden()
    # The new build is cached in the same language as the old build, and works without the server.
    wait_until_kept(page, "en", build=new)
    deployed.kill()
    see_the_pages(visitor, "en")
    expect_build(page, new)


def test_an_open_page_finds_its_old_scripts_after_a_deployment(visits: Visits, deployed: Server, pages: Path) -> None:
    visitor = visits(deployed, workers=True)
    page = visitor.go("/learn")
    wait_until_kept(page, "en")
    old, new = build_id(pages), deploy_next_build(pages)
    page.evaluate("async () => (await navigator.serviceWorker.ready).update()")
    wait_until_kept(page, "en", build=new)
    # Clear the browser's own cache, because it also contains the scripts.
    visitor.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.get_by_role("link", name=say("common.nav.settings")).click()
    expect(page.get_by_role("heading", level=1, name=say("common.title.settings"))).to_be_visible()
    expect_build(page, old)


INSTALL = """async () => {
    const registration = await navigator.serviceWorker.ready;
    const found = new Promise((resolve) => (registration.onupdatefound = () => resolve(registration.installing)));
    await registration.update();
    const worker = await found;
    while (['parsed', 'installing'].includes(worker.state)) {
        await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
    }
    return [worker.state, await caches.keys()];
}"""
"""Makes the browser check for a new service worker. Returns the worker's final state and the names of all caches."""


def test_an_incomplete_deployment_leaves_no_cache(visits: Visits, deployed: Server, pages: Path) -> None:
    visitor = visits(deployed, workers=True)
    visitor.allow("404")
    page = visitor.go("/learn")
    wait_until_kept(page, "en")
    old = build_id(pages)
    deploy_next_build(pages)
    next((pages / "assets").glob("*.wasm")).unlink()
    state, caches = page.evaluate(INSTALL)
    assert state == "redundant"
    assert [name.rpartition(" ")[2] for name in caches] == [old]


def test_a_cached_page_is_replaced_as_soon_as_a_newer_server_answers(
    visits: Visits, deployed: Server, pages: Path
) -> None:
    visitor = visits(deployed, workers=True)
    visitor.allow(ABSENCE)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    old = build_id(pages)
    deployed.kill()
    page = visitor.go("/lobby")
    expect_build(page, old)
    new = deploy_next_build(pages)
    deployed.start()
    expect(page.locator("main form")).to_be_visible(timeout=20_000)
    expect_build(page, new)


def test_a_reachable_server_always_sends_its_own_pages(visits: Visits, deployed: Server, pages: Path) -> None:
    visitor = visits(deployed, workers=True)
    wait_until_kept(visitor.go("/"), "en")
    new = deploy_next_build(pages)
    expect_build(visitor.go("/learn"), new)


def test_chromium_finds_nothing_that_prevents_installation(visits: Visits, own_server: Server) -> None:
    visitor = visits(own_server, workers=True)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    session = visitor.context.new_cdp_session(page)
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Playwright opens private windows, from which nothing can be installed.
    assert [each for each in found if each["errorId"] != "in-incognito"] == []
    answer = session.send("Page.getAppManifest")
    assert answer["errors"] == []
    icons = json.loads(answer["data"])["icons"]
    assert {icon.get("purpose", "any") for icon in icons} == {"any", "maskable"}
    for icon in icons:
        response = visitor.context.request.get(f"{own_server.address}/{icon['src']}")
        assert (response.status, response.headers["content-type"]) == (200, icon["type"])
