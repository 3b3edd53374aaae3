"""Rarely used pages: administration, password reset links, bot tokens, and a game that a player has left."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visits
from tests.e2e.server import Server
from tests.e2e.test_online import meet, press
from tests.e2e.visit import PASSWORD
from tests.e2e.words import say


@pytest.mark.slow
def test_an_administrator_handles_a_report_and_a_forgotten_password(visits: Visits, own_server: Server) -> None:
    admin, forest, sea = visits(own_server), visits(own_server), visits(own_server)
    for visitor in (admin, forest, sea):
        visitor.allow(r"ERR_|WebSocket|request failed|401|403")
    ruler, victim, rude = (visitor.sign_up() for visitor in (admin, forest, sea))
    own_server.make_admin(ruler)
    game = meet(forest, sea)
    press(forest.page, "online.report")
    forest.page.get_by_label(say("online.report.what")).fill("He said <i>boo</i>.")
    press(forest.page, "online.report.send")
    expect(forest.page.get_by_text(say("online.report.sent"))).to_be_visible()

    # Other players cannot see the report.
    expect(forest.go("/admin").get_by_text(say("account.problem.admin-needed"))).to_be_visible()

    # The administrator reads the report, mutes the player and closes the report.
    page = admin.go("/admin")
    report = page.locator("li", has_text="He said <i>boo</i>.")
    expect(report).to_contain_text(f"{victim} about {rude}")
    expect(report.get_by_role("link", name=say("account.admin.game"))).to_have_attribute("href", f"/game/{game}")
    report.get_by_role("button", name=say("account.admin.mute")).click()
    expect(report.get_by_role("button", name=say("account.admin.unmute"))).to_be_visible()
    sea.page.reload()
    expect(sea.page.get_by_role("log", name=say("online.chat")).first).to_be_visible()
    expect(sea.page.get_by_label(say("online.chat.write"))).to_have_count(0)
    report.get_by_role("button", name=say("account.admin.done")).click()
    expect(page.get_by_text(say("account.admin.none"))).to_be_visible()
    page.get_by_label(say("account.admin.finished")).check()
    expect(report).to_be_visible()

    # The administrator creates a reset link for a player who has forgotten the password.
    page.get_by_label(say("account.admin.name")).fill(victim)
    page.get_by_role("button", name=say("account.admin.go")).click()
    link = page.get_by_role("textbox", name=say("account.admin.reset")).input_value()
    forgetful = visits(own_server)
    choose_password(forgetful.page, link, "another horse")
    expect(forgetful.page.get_by_role("heading", name=victim)).to_be_visible()
    # The link works only once, and the old password no longer works.
    later = visits(own_server)
    later.allow(r"404|401")
    choose_password(later.page, link, "a third horse")
    expect(later.page.get_by_text(say("account.problem.unknown-reset"))).to_be_visible()
    for password, status in ((PASSWORD, 401), ("another horse", 200)):
        answer = httpx.post(f"{own_server.address}/api/session", json={"name": victim, "password": password})
        assert answer.status_code == status


def choose_password(page: Page, link: str, password: str) -> None:
    page.goto(link)
    page.get_by_label(say("account.password.new")).fill(password)
    page.get_by_role("button", name=say("account.password.go")).click()


def test_a_bot_token_is_shown_once_and_can_be_revoked(visits: Visits, server: Server) -> None:
    visitor = visits()
    bot = f"{visitor.sign_up()}-bot"
    page = visitor.go("/account")
    page.get_by_label(say("account.bots.name")).fill(bot)
    page.get_by_label(say("account.bots.label")).fill("at home")
    page.get_by_role("button", name=say("account.bots.make")).click()
    token = page.get_by_label(say("account.bots.token"), exact=True).input_value()
    me = httpx.get(f"{server.address}/api/me", headers={"Authorization": f"Bearer {token}"})
    assert (me.json()["player"]["name"], me.json()["player"]["kind"]) == (bot, "bot")

    # The token is shown only once. Later, the bot is listed without its token, and the token can be revoked.
    page.reload()
    listed = page.locator("li", has_text=bot)
    expect(listed).to_contain_text("at home")
    expect(page.get_by_label(say("account.bots.token"), exact=True)).to_have_count(0)
    listed.get_by_role("button").click()
    expect(listed).to_have_count(0)
    assert httpx.get(f"{server.address}/api/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401


@pytest.mark.slow
def test_a_game_that_the_opponent_has_left_can_be_claimed(visits: Visits, own_server: Server) -> None:
    forest, sea = visits(own_server), visits(own_server)
    forest.allow(r"ERR_|WebSocket|request failed")
    game = meet(forest, sea, clock=say("online.clock.none"))
    waiting, gone = (forest, sea) if own_server.game(game)["now"]["decider"] == "sea" else (sea, forest)
    waiting.allow(r"ERR_|WebSocket|request failed")
    gone.page.close()
    claim = waiting.page.get_by_role("button", name=say("online.claim")).locator("visible=true")
    expect(waiting.page.get_by_text(say("online.away")).first).to_be_visible()
    expect(claim).to_have_count(0)
    own_server.age(days=4)
    waiting.page.reload()
    claim.click()
    expect(waiting.page.locator("section.end h2")).to_have_text("You win!")
    assert own_server.game(game)["now"]["outcome"]["reason"] == "abandoned"
