"""My games and their records: search, delete, restore, download, upload, paste and replay."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Visits
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.table import place
from tests.e2e.visit import Visitor
from tests.e2e.words import say, spoken

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
WINS = "S1F1S/5/1S3/5/F3F e2PS,b3CG,d3CD,b4AD,d4DR SAMD CS wofm 2-1 F"
PEOPLE = {"forest": {"kind": "person", "name": "Ada"}, "sea": {"kind": "person", "name": "Bertil"}}


@pytest.fixture
def my_games(own_server: Server, visits: Visits) -> Visitor:
    """The page My games, with three games."""
    people = own_server.game(own_server.begin(seats=PEOPLE, variant="expert", first="forest"))
    token = people["now"]["choices"][0]["token"]  # a game without a token is listed only if it is the newest
    own_server.ask(
        "POST", f"/games/{people['id']}/tokens", {"token": token, "tribe": "forest", "revision": people["revision"]}
    )
    own_server.begin(WINS, ["c5-out", "=MD"])
    own_server.begin(seats=AGAINST_COMPUTER, first="forest")
    visitor = visits(own_server)
    expect(visitor.go("/games").get_by_role("article")).to_have_count(3)
    return visitor


def cards(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("article")


# The list


def test_search_and_filters_narrow_the_list(my_games: Visitor) -> None:
    page = my_games.page
    search = page.get_by_role("searchbox")
    state, variant = page.get_by_role("combobox").all()
    search.fill("bertil")
    expect(cards(my_games)).to_have_count(1)
    expect(cards(my_games)).to_contain_text("Ada")
    search.fill("nobody of that name")
    expect(cards(my_games)).to_have_count(0)
    expect(page.get_by_text(say("games.none-found"))).to_be_visible()
    for seen, there in (
        ("You", "Pebble"),
        ("Pebble", "You"),
        ("Begin", "You"),
        ("exp", "Ada"),
        ("custom", "Forest won"),
    ):
        search.fill(seen)
        expect(cards(my_games)).to_have_count(1)
        expect(cards(my_games)).to_contain_text(there)
    search.fill("")
    expect(cards(my_games)).to_have_count(3)
    state.select_option("finished")
    expect(cards(my_games)).to_have_count(1)
    state.select_option("")
    variant.select_option("expert")
    expect(cards(my_games)).to_have_count(1)
    expect(cards(my_games)).to_contain_text("Bertil")


def test_a_deleted_game_can_be_restored(my_games: Visitor, own_server: Server) -> None:
    page = my_games.page
    mine = cards(my_games).filter(has_text="Bertil")
    mine.get_by_role("button", name=say("games.delete")).click()
    expect(cards(my_games)).to_have_count(2)
    assert own_server.ask("GET", "/games")["total"] == 2
    page.get_by_role("button", name=say("games.restore")).click()
    expect(cards(my_games)).to_have_count(3)
    assert own_server.ask("GET", "/games")["total"] == 3
    mine.get_by_role("button", name=say("games.delete")).click()
    cards(my_games).first.get_by_role("link", name=say("games.continue")).click()
    expect(page.get_by_role("button", name=say("games.restore"))).to_have_count(
        0
    )  # the button belonged to the list of games


def test_a_game_can_be_continued(my_games: Visitor) -> None:
    cards(my_games).filter(has_text="Bertil").get_by_role("link", name=say("games.continue")).click()
    expect(my_games.page.locator(".play [role=gridcell]")).to_have_count(25)


# Records


def download(page: Page, link: Locator) -> str:
    with page.expect_download() as downloading:
        link.click()
    return downloading.value.path().read_text(encoding="utf-8")


def test_a_downloaded_record_can_be_uploaded(my_games: Visitor, own_server: Server, tmp_path: Path) -> None:
    page = my_games.page
    text = download(page, cards(my_games).filter(has_text="Forest won").get_by_role("link", name=say("games.download")))
    assert "c5-out =MD" in text
    file = tmp_path / "one.cairn"
    file.write_text(text, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_url(re.compile("/game/"))
    imported = page.url.rpartition("/")[2].partition("?")[0]
    assert own_server.tokens(imported) == ["c5-out", "=MD"]
    assert own_server.game(imported)["now"]["outcome"]["winner"] == "forest"
    assert own_server.ask("GET", "/games")["total"] == 4


def test_a_pasted_record_becomes_a_game(visitor: Visitor, server: Server) -> None:
    text = server.record(server.begin(START, ["a1-a2"], PEOPLE))
    page = visitor.go("/games")
    page.get_by_label(say("games.import.text")).fill(text)
    page.get_by_role("button", name=say("games.import.open"), exact=True).click()
    page.wait_for_url(re.compile("/game/"))
    expect(place(page, "a2")).to_have_attribute("aria-label", spoken("a2", "forest"))
    expect(page.locator(".players")).to_contain_text("Ada")


def test_a_position_pasted_anywhere_on_the_page_is_set_up(visitor: Visitor) -> None:
    page = visitor.go("/games")
    page.evaluate("text => navigator.clipboard.writeText(text)", START)
    page.locator("h1").click()
    page.keyboard.press("Control+V")
    page.wait_for_url(re.compile("/setup"))
    expect(page.get_by_label(say("setup.text"))).to_have_value(START)


def test_a_bad_record_is_rejected_with_its_faults(visitor: Visitor) -> None:
    visitor.allow("422")
    page = visitor.go("/games")
    page.get_by_label(say("games.import.text")).fill(f'[Position "{START}"]\n\n1 F a1-e5\n*\n')
    page.get_by_role("button", name=say("games.import.open"), exact=True).click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("a1-e5")
    assert "/games" in page.url


def test_a_record_and_a_position_can_be_copied(visitor: Visitor, server: Server) -> None:
    game = server.begin(START, ["a1-a2"])
    page = visitor.go(f"/game/{game}")
    page.get_by_role("button", name=say("play.record.copy")).click()
    expect(page.get_by_text(say("play.record.copied"))).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == server.record(game)
    page.get_by_role("button", name=say("play.position.share")).click()
    expect(page.get_by_text(say("play.position.shared"))).to_be_visible()
    link = page.evaluate("() => navigator.clipboard.readText()")
    page.goto(link)
    expect(page.get_by_label(say("setup.text"))).to_have_value(server.game(game)["now"]["position"])
    expect(place_on(page, "a2")).to_have_attribute("aria-label", re.compile("Forest"))


def place_on(page: Page, space: str) -> Locator:
    return page.locator(f'[data-pick="{space}"]')


# Replay


def test_a_game_can_be_replayed_with_the_slider_and_keys(visitor: Visitor, server: Server) -> None:
    game = server.begin(WINS, ["c5-out", "=MD"])
    page = visitor.go(f"/game/{game}?step=0")
    at = page.get_by_role("slider").first
    expect(at).to_have_value("0")
    expect(place(page, "c5")).to_have_attribute("aria-label", spoken("c5", "forest"))
    page.keyboard.press("ArrowRight")
    expect(at).to_have_value("1")
    expect(place(page, "c5")).to_have_attribute("aria-label", "c5, empty")
    page.keyboard.press("End")
    expect(at).to_have_value("2")
    expect(place(page, "c5")).to_have_attribute("aria-label", "c5, Menhir of the Dancers")
    page.keyboard.press("Home")
    expect(at).to_have_value("0")
    at.fill("1")
    expect(place(page, "c5")).to_have_attribute("aria-label", "c5, empty")
    page.wait_for_url("**/game/*?step=1")
    page.reload()  # the step is part of the address
    expect(page.get_by_role("slider").first).to_have_value("1")


def test_a_game_can_be_replayed_from_the_list_of_moves(visitor: Visitor, server: Server) -> None:
    game = server.begin(START, ["a1-a2", "a5-b4", "c1-c2"])
    page = visitor.go(f"/game/{game}")
    moves = page.locator(".side").get_by_role("list", name=say("play.moves")).get_by_role("button")
    expect(moves).to_have_count(4)
    expect(moves.nth(1)).to_contain_text("Forest moves from a1 to a2")
    moves.nth(1).click()
    expect(place(page, "a2")).to_have_attribute("aria-label", spoken("a2", "forest"))
    expect(place(page, "b4")).to_have_attribute("aria-label", "b4, empty")
    moves.nth(0).click()
    expect(place(page, "a1")).to_have_attribute("aria-label", spoken("a1", "forest"))
