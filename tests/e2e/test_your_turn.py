"""Being called: the tab's title and icon, the bar with the running games, rematches, quick games and replay links."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.away import Away
from tests.e2e.builds import Site
from tests.e2e.conftest import Visits
from tests.e2e.places import WINS
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.test_access import violations
from tests.e2e.test_online import Pair, begin, game_of, press
from tests.e2e.visit import Visitor
from tests.e2e.words import say

ICON: Final = "() => document.querySelector('link[rel=icon]').href.split('/').at(-1)"


def look_again(page: Page) -> None:
    """Make the page ask for news now, as when its tab is shown again, instead of in a few seconds."""
    page.locator("nav.bar, main").first.wait_for()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def expect_called(page: Page, *, called: bool) -> None:
    title = re.compile(r"^Your turn · ")
    if called:
        expect(page).to_have_title(title)
    else:
        expect(page).not_to_have_title(title)
    assert page.evaluate(ICON) == ("icon-turn.svg" if called else "icon.svg")


def test_the_title_and_the_icon_of_the_tab_say_whose_turn_it_is(visits: Visits, server: Server) -> None:
    forest, sea, game = begin(visits)
    pair = Pair(forest, sea, server, game)
    first = pair.asked()
    assert first is not None
    other = "sea" if first == "forest" else "forest"
    for tribe in (first, other):
        expect_called(pair.tables[tribe].page, called=tribe == first)
    while pair.asked() == first:
        pair.decide(first)
    for tribe in (first, other):
        expect_called(pair.tables[tribe].page, called=tribe == other)
    page = pair.tables[other].page
    page.get_by_role("link", name=say("common.nav.learn"), exact=True).click()
    expect(page.get_by_role("heading", level=1, name=say("common.title.learn"))).to_be_visible()
    expect_called(page, called=True)  # the bar says so now


def test_two_people_at_one_screen_are_not_called(visitor: Visitor, server: Server) -> None:
    page = visitor.go(f"/game/{server.begin()}")
    Table(page).wait()
    expect_called(page, called=False)


def test_every_page_shows_the_running_games_and_whose_turn_it_is(visits: Visits, server: Server) -> None:
    forest, sea, game = begin(visits)
    pair = Pair(forest, sea, server, game)
    first = pair.asked()
    waiting = sea if first == "forest" else forest
    page = waiting.page
    page.get_by_role("link", name=say("common.nav.learn"), exact=True).click()
    bar = page.get_by_role("navigation", name=say("alerts.bar"))
    link = bar.get_by_role("link")
    expect(link).to_contain_text("Waiting for Forest" if first == "forest" else "Waiting for Sea")
    expect_called(page, called=False)
    other = pair.tables[first or ""].page
    for _ in range(20):
        if server.game(game)["now"]["decider"] != first:
            break
        before = server.game(game)["revision"]
        pair.send(first or "")
        other.wait_for_function("seen => Number(document.querySelector('.play').dataset.revision) > seen", arg=before)
    look_again(page)
    expect(link).to_contain_text(say("games.your-turn"))
    expect_called(page, called=True)
    expect(page.get_by_role("region", name=say("common.notices"))).to_contain_text("It is your turn against")
    assert violations(waiting) == []
    link.click()
    assert game_of(page) == game
    expect(bar).to_have_count(0)  # nothing else is running


def test_a_rematch_offer_reaches_a_player_who_has_left_the_game(visits: Visits) -> None:
    forest, sea, game = begin(visits)
    press(sea.page, "online.resign")
    press(sea.page, "online.resign.yes")
    forest.page.locator("section.end").wait_for()
    forest.page.get_by_role("link", name=say("common.nav.learn"), exact=True).click()
    press(sea.page, "play.end.rematch")
    expect(sea.page.get_by_text(say("online.rematch.own")).first).to_be_attached()
    look_again(forest.page)
    notices = forest.page.get_by_role("region", name=say("common.notices"))
    expect(notices).to_contain_text("offers you a rematch")
    forest.page.get_by_role("link", name=say("common.nav.games"), exact=True).click()
    expect(notices).to_contain_text("offers you a rematch")  # it stays until it is answered
    notices.get_by_role("button", name=say("online.offer.accept"), exact=True).click()
    assert game_of(forest.page) != game
    sea.page.wait_for_url(forest.page.url)


def test_a_player_elsewhere_learns_that_the_rematch_was_declined(visits: Visits) -> None:
    forest, sea, _ = begin(visits)
    press(sea.page, "online.resign")
    press(sea.page, "online.resign.yes")
    for visitor in (forest, sea):
        visitor.page.locator("section.end").wait_for()
    press(sea.page, "play.end.rematch")
    expect(forest.page.get_by_text(say("online.rematch.other")).first).to_be_attached()
    sea.page.get_by_role("link", name=say("common.nav.learn"), exact=True).click()
    expect(sea.page.get_by_role("heading", level=1, name=say("common.title.learn"))).to_be_visible()
    press(forest.page, "online.offer.decline")
    expect(sea.page.get_by_role("region", name=say("common.notices"))).to_contain_text(
        "Your rematch offer was declined."
    )


def test_one_click_finds_a_game_with_anybody(own_server: Server, visits: Visits) -> None:
    ann, ben = visits(own_server), visits(own_server)
    ann.go("/").get_by_role("button", name=re.compile(f"^{say('alerts.quick')}")).click()
    cancel = ann.page.get_by_role("button", name=re.compile(f"{say('alerts.quick.cancel')}$")).first
    cancel.click()
    expect(ann.page.get_by_role("button", name=re.compile(f"^{say('alerts.quick')}"))).to_be_enabled()
    assert own_server.ask("GET", "/lobby")["challenges"] == []

    ann.page.get_by_role("button", name=re.compile(f"^{say('alerts.quick')}")).click()
    expect(cancel).to_be_visible()
    ann.page.get_by_role("link", name=say("common.nav.learn"), exact=True).click()  # the search goes on
    bar = ann.page.get_by_role("navigation", name=say("alerts.bar"))
    expect(bar.get_by_role("button", name=say("alerts.quick.cancel"))).to_be_visible()
    ben.go("/lobby").get_by_role("button", name=say("alerts.quick"), exact=True).click()
    assert game_of(ben.page) == game_of(ann.page)
    view = own_server.game(game_of(ann.page))
    assert (view["variant"], view["rated"]) == ("beginner", False)
    assert view["now"]["clock"]["control"] == {"kind": "real-time", "initial": 600_000, "increment": 10_000}


def test_a_search_that_is_left_is_withdrawn(own_server: Server, visits: Visits) -> None:
    visitor = visits(own_server)
    page = visitor.go("/lobby")
    page.get_by_role("button", name=say("alerts.quick"), exact=True).click()
    expect(page.get_by_role("button", name=re.compile(f"{say('alerts.quick.cancel')}$")).first).to_be_visible()
    assert len(own_server.ask("GET", "/lobby")["challenges"]) == 1
    visitor.go("/learn")
    for _ in range(100):
        if not own_server.ask("GET", "/lobby")["challenges"]:
            return
        page.wait_for_timeout(50)
    raise AssertionError("the challenge is still open")


def copied(page: Page) -> str:
    """Copy the replay link of a finished game and return it."""
    page.get_by_role("button", name=say("alerts.replay.copy"), exact=True).locator("visible=true").click()
    expect(page.get_by_role("region", name=say("common.notices"))).to_contain_text(say("alerts.replay.copied"))
    return str(page.evaluate("() => navigator.clipboard.readText()"))


def expect_replay(page: Page) -> None:
    """The page plays the game by itself, and its end says who won, but not "you"."""
    expect(page.locator("section.end h2")).to_have_text("Forest wins", timeout=30_000)
    page.locator("section.end").get_by_role("button", name=say("play.close"), exact=True).click()
    page.get_by_role("button", name=say("alerts.replay.play"), exact=True).locator("visible=true").click()
    expect(
        page.get_by_role("button", name=say("alerts.replay.pause"), exact=True).locator("visible=true")
    ).to_be_visible()
    assert Table(page).open() == []


def test_a_link_replays_a_game_on_the_server(visits: Visits, server: Server) -> None:
    game = server.begin(WINS, ["c5-out", "=MD"])
    link = copied(visits().go(f"/game/{game}"))
    assert link.endswith(f"/game/{game}?replay")
    page = visits().page
    page.goto(link)
    expect(page.get_by_role("slider", name=say("play.replay.slider")).locator("visible=true")).to_have_value("1")
    expect(page.locator("section.end")).to_be_visible()


def test_a_link_contains_a_game_on_this_device_and_replays_it_anywhere(visits: Visits, site: Site) -> None:
    away = Away(visits(site), "/#")
    table = away.begin(WINS)
    table.pick("c5", "village:sea")
    table.pick("slot:0")
    away.page.locator("section.end").wait_for()
    link = copied(away.page)
    other = visits(site)
    other.page.goto(link)
    expect_replay(other.page)
    # A link that was cut off says so.
    other.page.goto("about:blank")
    other.page.goto(link[:-20])
    expect(other.page.get_by_text(say("common.problem.broken-link"))).to_be_visible()
