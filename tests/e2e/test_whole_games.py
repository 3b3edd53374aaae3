"""Whole games against the computer, from the home page to the end: by mouse, by keyboard alone, and by touch."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

import cairn
from tests.e2e.conftest import Visits
from tests.e2e.player import Newcomer
from tests.e2e.server import Server
from tests.e2e.table import Finger, Hand, Keys, Mouse, Table
from tests.e2e.visit import PHONE, Visitor
from tests.e2e.words import say


def _game(page: Page) -> str:
    page.wait_for_url(re.compile(r"/game/"))
    return page.url.rpartition("/")[2].partition("?")[0]


def _play(visitor: Visitor, server: Server, hand: Hand, seed: int) -> Table:
    """Play from the home page to the end, and check the result and the downloaded record."""
    page = visitor.go("/")
    hand.press(page.get_by_role("button", name=re.compile(rf"^{say('common.home.play')}\b")))
    game = _game(page)
    table = Table(page, hand)
    Newcomer(table, "forest", seed).play()

    view = server.game(game)
    outcome = view["now"]["outcome"]
    title = page.locator("section.end h2").inner_text()
    if outcome["winner"] is None:
        assert "draw" in title
    else:
        assert title == ("You win!" if outcome["winner"] == "forest" else "The computer wins")
    assert outcome["rule"] in page.locator("section.end p").inner_text()

    with page.expect_download() as downloading:
        hand.press(page.get_by_role("link", name=say("play.record.download")).locator("visible=true"))
    assert downloading.value.suggested_filename.endswith(".cairn")
    text = downloading.value.path().read_text(encoding="utf-8")
    assert text == server.record(game)
    record = cairn.read_record(text)
    assert [str(token) for token in record.game.tokens] == [step["token"] for step in view["steps"]]
    assert f'[Position "{view["start"]}"]' in text
    return table


@pytest.mark.slow
def test_a_whole_game_can_be_played_by_mouse(visits: Visits, server: Server) -> None:
    table = _play(visits(), server, Mouse(), 1)
    before = table.page.url
    table.press("play.end.rematch")
    table.page.wait_for_url(lambda url: url != before)
    table.wait()
    assert server.game(_game(table.page))["seats"]["forest"]["kind"] == "computer"  # sides are swapped
    assert table.page.locator("section.end").count() == 0


@pytest.mark.proof
def test_a_whole_game_can_be_played_by_keyboard_alone(visits: Visits, server: Server) -> None:
    _play(visits(settings={"confirmTurn": True}), server, Keys(), 2)


@pytest.mark.proof
def test_a_whole_game_can_be_played_by_touch_on_a_phone(visits: Visits, server: Server) -> None:
    # Turns have to be confirmed, as is the default on phones.
    visitor = visits(size=PHONE, touch=True, settings={"confirmTurn": True})
    _play(visitor, server, Finger(), 3)
