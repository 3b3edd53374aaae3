"""A game on this device that is open in two tabs: one tab writes, and the other follows."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from harness.wasm.stored_games import STORED
from tests.e2e.away import Away, standing
from tests.e2e.table import Table, place
from tests.e2e.words import say, spoken

pytestmark = [pytest.mark.slow, pytest.mark.proof]


def test_one_tab_plays_and_the_other_follows_and_takes_over(on_site: Away) -> None:
    first = on_site.begin()
    first.play("a1 a2")
    other = on_site.visitor.context.new_page()
    other.goto(first.page.url)
    second = Table(other)
    expect(other.get_by_text(say("play.device.following"))).to_be_visible()
    expect(place(other, "a2")).to_have_attribute("aria-label", spoken("a2", "forest"))
    assert second.marked() == []
    first.play("a5 b4")
    expect(place(other, "b4")).to_have_attribute("aria-label", spoken("b4", "sea"))
    first.page.close()
    second.wait()
    expect(other.get_by_text(say("play.device.following"))).to_be_hidden()
    second.play("a2 a3")
    (game,) = other.evaluate(STORED)
    assert standing(game) == ["a1-a2", "a5-b4", "a2-a3"]


def test_a_following_tab_can_take_over_on_request(on_site: Away) -> None:
    first = on_site.begin()
    first.play("a1 a2")
    other = on_site.visitor.context.new_page()
    other.goto(first.page.url)
    other.get_by_role("button", name=say("play.device.take")).click()
    second = Table(other)
    second.play("a5 b4")
    expect(first.page.get_by_text(say("play.device.following"))).to_be_visible()
    expect(place(first.page, "b4")).to_have_attribute("aria-label", spoken("b4", "sea"))
    other.close()
    first.play("a2 a3")
    assert [standing(game) for game in on_site.stored()] == [["a1-a2", "a5-b4", "a2-a3"]]


SLOW_STEAL: Final = """(() => {
    const request = LockManager.prototype.request;
    LockManager.prototype.request = async function (name, options, run) {
        if (options.steal) await new Promise((resolve) => (window.steal = resolve));
        return request.call(this, name, options, run);
    };
})()"""
"""Keeps a tab from taking over until the test calls ``steal``."""


def test_a_tab_that_was_asked_twice_to_take_over_lets_another_tab_take_over_later(on_site: Away) -> None:
    first = on_site.begin()
    other = on_site.visitor.context.new_page()
    other.add_init_script(SLOW_STEAL)
    other.goto(first.page.url)
    take = other.get_by_role("button", name=say("play.device.take"))
    take.click()
    other.wait_for_function("() => window.steal")
    take.click()
    other.evaluate("() => window.steal()")
    Table(other).play("a1 a2")
    first.page.get_by_role("button", name=say("play.device.take")).click()
    expect(other.get_by_text(say("play.device.following"))).to_be_visible()
    first.play("a5 b4")
    assert [standing(game) for game in on_site.stored()] == [["a1-a2", "a5-b4"]]


def test_the_move_of_the_slower_tab_is_refused_if_the_browser_has_no_locks(on_site: Away) -> None:
    on_site.visitor.context.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined });"
        "BroadcastChannel.prototype.postMessage = () => undefined"
    )
    first = on_site.begin()
    other = on_site.visitor.context.new_page()
    other.goto(first.page.url)
    second = Table(other)
    second.play("a1 a2")
    first.pick("c1", "c2")
    expect(place(first.page, "a2")).to_have_attribute("aria-label", spoken("a2", "forest"))
    assert [standing(game) for game in on_site.stored()] == [["a1-a2"]]


def test_a_tab_reports_that_its_game_was_deleted_in_another_tab(on_site: Away) -> None:
    first = on_site.begin()
    other = on_site.visitor.context.new_page()
    other.goto(first.page.url.partition("#")[0] + "#/games")
    other.get_by_role("button", name=say("games.delete")).click()
    expect(first.page.get_by_text(say("common.problem.unknown-device-game"))).to_be_visible()
    other.get_by_role("button", name=say("games.restore")).click()
    expect(other.get_by_role("article")).to_have_count(1)
    first.page.reload()
    first.wait()
