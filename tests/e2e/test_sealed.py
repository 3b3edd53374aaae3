"""Games with sealed draws in the browser: each draw needs a link from both players' browsers."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from cairn import fairness
from cairn.record import read_record
from tests.e2e.conftest import Visits
from tests.e2e.player import LONGEST_GAME
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.test_access import violations
from tests.e2e.test_interruptions import BLOCKED_STORAGE
from tests.e2e.test_online import Pair, accept, game_of, press
from tests.e2e.visit import Visitor
from tests.e2e.words import say

ROOTS: Final = (
    """() => Object.fromEntries(Object.entries(localStorage).filter(([key]) => key.startsWith('cairn.root.')))"""
)
FORGET_ROOTS: Final = """() => Object.keys(localStorage).filter((key) => key.startsWith('cairn.root.'))
    .forEach((key) => localStorage.removeItem(key))"""
ROOTS_ENDED: Final = """() => Object.entries(localStorage).filter(([key]) => key.startsWith('cairn.root.'))
    .every(([, text]) => JSON.parse(text).ended)"""
"""Whether the browser knows that all games with sealed draws are over. Only then may it delete their secrets."""
RESTORE: Final = "(kept) => Object.entries(kept).forEach(([key, text]) => localStorage.setItem(key, text))"


def offer(visitor: Visitor, against: str) -> Page:
    """Fill in the form for a game with sealed draws in which the challenger plays Forest."""
    page = visitor.go("/lobby")
    page.get_by_label(say(f"online.new.{against}")).check()
    page.get_by_role("radio", name="10 min + 10 s", exact=True).check(force=True)
    page.get_by_role("radio", name=say("games.tribe.forest"), exact=True).check(force=True)
    seal = page.get_by_role("switch", name=say("online.sealed"))
    expect(seal).not_to_be_checked()
    seal.check()
    expect(page.get_by_text(say("online.sealed.line"))).to_be_visible()
    return page


def meet_sealed(forest: Visitor, sea: Visitor) -> str:
    """Use a link to start a game with sealed draws, and wait until both pages show it. Return the game's id."""
    page = offer(forest, "friend")
    press(page, "online.new.go.friend")
    link = page.get_by_label(say("online.join.link"))
    link.wait_for()
    sea.page.goto(link.input_value())
    expect(sea.page.get_by_text(say("online.sealed.line"))).to_be_visible()
    game = accept(sea, link.input_value())
    assert game_of(page) == game
    return game


def draws(server: Server, game: str) -> int:
    return sum(token.startswith("?") for token in server.tokens(game))


def play_until_draws(pair: Pair, server: Server, game: str, wanted: int) -> None:
    """Play until ``wanted`` tiles have been drawn. Winning takes three megaliths, so there are at least two."""
    for _ in range(LONGEST_GAME):
        tribe = pair.asked()
        if draws(server, game) >= wanted:
            return
        assert tribe is not None
        pair.decide(tribe)
    raise AssertionError(f"fewer than {wanted} draws within {LONGEST_GAME} decisions")


def play_until_draw_waits(pair: Pair, server: Server, game: str) -> None:
    """Play until a draw is waiting for a link that is not revealed."""
    for _ in range(LONGEST_GAME):
        tribe = pair.asked()
        assert tribe is not None
        pair.decide(tribe)
        if server.game(game)["now"]["phase"] == "draw":
            return
    raise AssertionError(f"no draw was due within {LONGEST_GAME} decisions")


def resign(page: Page) -> None:
    press(page, "online.resign")
    press(page, "online.resign.yes")


def verdict(server: Server, game: str) -> fairness.Verdict:
    return fairness.overall(fairness.verify(read_record(server.record(game))))


def scripts(visitor: Visitor, name: str) -> list[str]:
    """The scripts with this name that the pages have loaded."""
    return [each.url for each in visitor.requests if re.search(rf"/{name}-[^/]*\.js$", each.url)]


@pytest.mark.slow
def test_a_game_with_sealed_draws_is_played_across_reloads_and_verified(visits: Visits, server: Server) -> None:
    forest, sea = visits(), visits()
    game = meet_sealed(forest, sea)
    pair = Pair(forest, sea, server, game)
    assert pair.asked() is not None  # both browsers have revealed their link for the start
    assert not sea.page.evaluate(ROOTS_ENDED)
    assert server.game(game)["proof"]["version"] == fairness.SEALED_VERSION
    play_until_draws(pair, server, game, 1)
    for visitor in (forest, sea):
        visitor.page.reload()
        visitor.page.locator(".play .seats").wait_for()
    play_until_draws(pair, server, game, 2)
    resign(sea.page)
    for visitor in (forest, sea):
        badge = visitor.page.locator("details.right").first
        badge.locator("summary").click()
        expect(badge).to_contain_text(say("online.fair.right"))
        expect(badge).to_contain_text("Each of your secrets was used for the draw")
        expect(badge).to_contain_text("2 tiles drawn, all of them right")
        visitor.page.wait_for_function(ROOTS_ENDED)
    assert verdict(server, game) is fairness.Verdict.RIGHT


@pytest.mark.slow
def test_a_draw_waits_for_a_missing_secret_and_the_pages_say_so(visits: Visits, own_server: Server) -> None:
    forest, sea = visits(own_server), visits(own_server)
    game = meet_sealed(forest, sea)
    pair = Pair(forest, sea, own_server, game)
    assert pair.asked() is not None
    roots = sea.page.evaluate(ROOTS)
    assert len(roots) == 1
    sea.page.evaluate(FORGET_ROOTS)
    sea.page.reload()
    note = sea.page.locator(".note").filter(has_text=say("online.sealed.missing"))
    expect(note).to_be_visible()
    play_until_draw_waits(pair, own_server, game)
    expect(forest.page.locator(".prompt")).to_contain_text("The draw is waiting for the other player")
    expect(sea.page.locator(".prompt")).to_contain_text("The draw is waiting for your browser")
    assert own_server.game(game)["now"]["owed"] == ["sea"]
    # Once the secret has been restored, the browser reveals its link as soon as it reconnects.
    for visitor in (forest, sea):
        visitor.allow("ERR_|WebSocket|request failed")
    own_server.kill()
    sea.page.evaluate(RESTORE, roots)
    own_server.start()
    expect(note).to_have_count(0)
    assert pair.asked() is not None
    assert draws(own_server, game) == 1


@pytest.mark.slow
def test_two_tabs_of_a_player_who_confirms_turns_reveal_the_same_links(visits: Visits, server: Server) -> None:
    forest, sea = visits(settings={"confirmTurn": True}), visits()
    game = meet_sealed(forest, sea)
    tabs = [visitor.context.new_page() for visitor in (forest, sea)]
    for tab, visitor in zip(tabs, (forest, sea), strict=True):
        tab.goto(visitor.page.url)
        tab.locator(".play .seats").wait_for()
    pair = Pair(forest, sea, server, game)
    table = Table(forest.page)
    for _ in range(LONGEST_GAME):
        confirm = table.button("play.confirm")
        if server.game(game)["now"]["held"]:
            confirm.click()
            expect(confirm).to_have_count(0)
            continue
        tribe = pair.asked()
        if draws(server, game) >= 2:
            break
        assert tribe is not None
        pair.decide(tribe)
    for page in (forest.page, sea.page, *tabs):
        expect(page.get_by_role("region", name=say("common.notices")).get_by_role("button")).to_have_count(0)
    resign(tabs[0])
    for page in (forest.page, sea.page, *tabs):
        expect(page.locator("details.right").first).to_contain_text(say("online.fair.right"))
    assert verdict(server, game) is fairness.Verdict.RIGHT


def test_sealed_draws_are_refused_if_the_browser_cannot_store_the_secret(visits: Visits) -> None:
    maker, taker, blocked = visits(), visits(), visits()
    for each in (taker, blocked):
        each.context.add_init_script(BLOCKED_STORAGE)
    press(offer(blocked, "friend"), "online.new.go.friend")
    expect(blocked.page.get_by_text(say("online.problem.sealed-storage"))).to_be_visible()
    assert not [each for each in blocked.requests if each.method == "POST" and each.url.endswith("/challenges")]
    page = offer(maker, "friend")
    press(page, "online.new.go.friend")
    link = page.get_by_label(say("online.join.link"))
    link.wait_for()
    taker.page.goto(link.input_value())
    press(taker.page, "online.join.accept")
    expect(taker.page.get_by_text(say("online.problem.sealed-storage"))).to_be_visible()
    assert not [each for each in taker.requests if each.url.endswith("/accept")]


def test_a_sealed_game_is_accepted_in_the_lobby_and_played_again(visits: Visits, server: Server) -> None:
    forest, sea = visits(), visits()
    page = offer(forest, "lobby")
    assert violations(forest) == []
    press(page, "online.new.go.lobby")
    expect(page.get_by_text(say("online.join.waiting"))).to_be_visible()
    sea.go("/lobby")
    item = sea.page.get_by_role("listitem").filter(has_text=say("online.sealed.line"))
    item.get_by_role("button", name=say("online.join.play")).click()
    assert game_of(sea.page) == game_of(page)
    for visitor in (forest, sea):
        visitor.page.wait_for_function("() => document.querySelector('.play [data-pick^=\"slot:\"]')")
    before = page.url
    resign(sea.page)
    expect(page.locator("section.end")).to_contain_text(say("online.sealed.line"))
    press(page, "play.end.rematch")
    expect(sea.page.locator("section.end")).to_contain_text(say("online.sealed.line"))
    press(sea.page, "online.offer.accept")
    for visitor in (forest, sea):
        visitor.page.wait_for_url(lambda url: "/game/" in url and url != before)
    rematch = game_of(page)
    expect(page.locator(".prompt")).not_to_contain_text(re.compile("drawn|waiting"))
    view = server.game(rematch)
    assert view["proof"]["version"] == fairness.SEALED_VERSION
    assert view["start"] != fairness.UNKNOWN_START


def test_the_form_offers_sealed_draws_only_with_a_clock_and_another_player(visits: Visits) -> None:
    visitor = visits()
    page = visitor.go("/lobby")
    seal = page.get_by_role("switch", name=say("online.sealed"))
    page.get_by_label(say("online.new.lobby")).check()
    expect(seal).not_to_be_checked()
    page.get_by_role("radio", name=say("online.clock.none"), exact=True).check(force=True)
    expect(seal).to_have_count(0)
    page.get_by_role("radio", name="10 min + 10 s", exact=True).check(force=True)
    expect(seal).to_have_count(1)
    page.get_by_label(say("games.new.computer")).check()
    expect(seal).to_have_count(0)
    # The code for hash chains is loaded only when it is needed.
    page.get_by_label(say("online.new.friend")).check()
    page.get_by_role("radio", name="10 min + 10 s", exact=True).check(force=True)
    assert not scripts(visitor, "anchor")
    seal.check()
    press(page, "online.new.go.friend")
    expect(page.get_by_text(say("online.join.waiting"))).to_be_visible()
    assert scripts(visitor, "anchor")
