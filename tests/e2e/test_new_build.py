"""A page opened before a deployment: the scripts that it has not fetched yet are gone from the server."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.visit import Visitor
from tests.e2e.words import say

SCRIPT = re.compile(r"/assets/MegalithsPage.*\.js")


def open_page(visitor: Visitor) -> tuple[Page, list[str]]:
    """Open a page that has not loaded the gallery's script; return the page and a list that collects its reloads."""
    visitor.allow("404|503|MegalithsPage|ERR_FAILED|dynamically imported")
    page = visitor.go("/learn")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if request.is_navigation_request() else None)
    return page, loaded


def deploy(page: Page) -> None:
    """Simulate a deployment: the server has a new build, and the old scripts are gone."""
    page.route("**/version.json", lambda route: route.fulfill(json={"build": "new"}))
    page.route(SCRIPT, lambda route: route.fulfill(status=404))


def go_to_megaliths(page: Page) -> None:
    page.get_by_role("link", name=say("common.title.megaliths")).first.click()


def test_a_page_whose_script_is_gone_is_reloaded_once(own_visitor: Visitor) -> None:
    page, loaded = open_page(own_visitor)
    deploy(page)
    with page.expect_event("load"):
        go_to_megaliths(page)
    # The script is still missing after the reload. The page shows the error only once it has decided not to reload
    # again, so a page that reloaded forever would fail this test.
    expect(page.get_by_role("heading", name=say("common.failed.title"))).to_be_visible()
    assert loaded == [f"{own_visitor.address}/learn/megaliths"]


def test_the_new_page_is_shown_after_the_reload(own_visitor: Visitor) -> None:
    page, loaded = open_page(own_visitor)
    deploy(page)
    page.on("request", lambda request: page.unroute(SCRIPT) if request.is_navigation_request() else None)
    go_to_megaliths(page)
    expect(page.get_by_role("heading", level=1, name=say("common.title.megaliths"))).to_be_visible()
    assert loaded == [f"{own_visitor.address}/learn/megaliths"]


def test_the_retry_button_reloads_the_page_if_there_is_no_new_build(own_visitor: Visitor) -> None:
    page, loaded = open_page(own_visitor)
    page.route(SCRIPT, lambda route: route.fulfill(status=503))
    go_to_megaliths(page)
    expect(page.get_by_role("heading", name=say("common.failed.title"))).to_be_visible()
    assert loaded == []
    page.unroute(SCRIPT)
    page.get_by_role("button", name=say("common.retry")).click()
    expect(page.get_by_role("heading", level=1, name=say("common.title.megaliths"))).to_be_visible()
    assert loaded == [f"{own_visitor.address}/learn/megaliths"]


def test_a_lost_connection_does_not_reload_the_page(own_visitor: Visitor) -> None:
    page, loaded = open_page(own_visitor)
    page.route("**/*", lambda route: route.abort())
    go_to_megaliths(page)
    expect(page.get_by_role("heading", name=say("common.failed.title"))).to_be_visible()
    # The connection banner above the page may have a second button with this name.
    retry = page.locator("main").get_by_role("button", name=say("common.retry"))
    with page.expect_event("requestfailed", lambda request: bool(SCRIPT.search(request.url))):
        retry.click()
    assert loaded == []
    page.unroute("**/*")
    retry.click()
    expect(page.get_by_role("heading", level=1, name=say("common.title.megaliths"))).to_be_visible()
