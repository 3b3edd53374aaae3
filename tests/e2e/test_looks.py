"""How the pages look: fonts, the menu of a small screen, phones in landscape, long names and the dark theme."""

from __future__ import annotations

import random
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from cairn import Game
from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.places import MIDDLE, START
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.table import Table, place
from tests.e2e.test_access import violations
from tests.e2e.visit import DESKTOP, PHONE, Visitor
from tests.e2e.words import LANGUAGES, say

SMALL = (360, 640)
LANDSCAPE = (844, 390)
LONG = "Wolfeschlegelsteinhausenbergerdorff" * 2


def box(locator: Locator) -> FloatRect:
    found = locator.bounding_box()
    assert found is not None
    return found


# Fonts


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_uses_its_own_fonts_and_downloads_only_what_its_language_needs(visits: Visits, language: str) -> None:
    visitor = visits(settings={"language": language})
    page = visitor.go("/new")
    assert page.evaluate("() => document.documentElement.dataset.fonts ?? 'own'") == "own"
    loaded = page.evaluate(
        """() => [...document.fonts].filter((each) => each.status === 'loaded')
            .map((each) => each.family.replaceAll('"', '')).sort()"""
    )
    assert loaded == ["Cairn Display", "Cairn Text"] if language != "ru" else ["Cairn Display"] * 2 + ["Cairn Text"] * 2
    files = {request.url for request in visitor.requests if request.url.endswith(".woff2")}
    assert len(files) == (4 if language == "ru" else 2)


def test_a_page_whose_fonts_do_not_arrive_is_shown_with_the_fonts_of_the_system(own_visitor: Visitor) -> None:
    own_visitor.allow("woff2|preload")
    own_visitor.page.route(re.compile(r"\.woff2$"), lambda route: route.abort())
    page = own_visitor.go("/new")
    assert page.evaluate("() => document.documentElement.dataset.fonts") == "system"
    assert "Cairn" not in page.evaluate("() => getComputedStyle(document.querySelector('h1')).fontFamily")


# The header


@pytest.mark.parametrize("size", [PHONE, SMALL, (320, 640), LANDSCAPE, (720, 450)])
def test_the_menu_of_a_small_screen_has_labels_and_the_languages(visits: Visits, size: tuple[int, int]) -> None:
    visitor = visits(size=size, touch=True)
    page = visitor.go("/settings")
    for name in ("Lobby", "My games", "Rules", "Settings", "Sign in"):
        expect(page.locator("header").get_by_role("link", name=name)).to_be_hidden()
    page.get_by_role("button", name="Menu").tap()
    for name in ("Lobby", "My games", "Rules", "Settings", "Sign in"):
        link = page.locator("header").get_by_role("link", name=name)
        expect(link).to_be_in_viewport(ratio=1)
        assert box(link)["height"] >= 40
    assert faults(page) == []
    assert violations(visitor) == []
    page.locator('header button:has([lang="de"])').tap()
    expect(page.get_by_role("heading", level=1)).to_have_text(say("common.title.settings", "de"))
    expect(page.locator("header .panel")).to_be_hidden()
    page.get_by_role("button", name="Menü").tap()
    page.locator("header").get_by_role("link", name="Regeln").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text(say("common.title.learn", "de"))
    expect(page.locator("header .panel")).to_be_hidden()


def test_the_menu_works_with_the_keyboard(visits: Visits) -> None:
    page = visits(size=PHONE).go("/settings")
    opener = page.get_by_role("button", name="Menu")
    opener.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("header").get_by_role("link", name="Lobby")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("header .panel")).to_be_hidden()
    expect(opener).to_be_focused()


def test_the_menu_contains_the_account(visits: Visits) -> None:
    visitor = visits(size=PHONE)
    name = visitor.sign_up()
    page = visitor.go("/settings")
    page.get_by_role("button", name="Menu").click()
    header = page.locator("header")
    expect(header.locator(".who")).to_have_text(name)
    expect(header.get_by_role("button", name="Sign out")).to_be_visible()
    header.get_by_role("link", name="My profile").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def test_a_wide_screen_has_no_menu_button(visitor: Visitor) -> None:
    page = visitor.go("/settings")
    expect(page.get_by_role("button", name="Menu")).to_be_hidden()
    expect(page.locator("header").get_by_role("link", name="My games")).to_be_visible()
    expect(page.locator('header button:has([lang="ru"])')).to_be_visible()


# The table


def test_a_phone_in_landscape_gives_the_board_its_whole_height(visits: Visits, server: Server) -> None:
    visitor = visits(size=LANDSCAPE, touch=True)
    visitor.go(f"/game/{server.begin(START, seats=AGAINST_COMPUTER)}")
    page = visitor.page
    board = box(page.locator("svg.board"))
    assert board["height"] >= 370
    assert box(place(page, "c3"))["width"] >= 48
    opponent = page.locator(".top p")
    expect(opponent).to_contain_text("Pebble")
    menu = box(page.get_by_role("button", name="Menu"))
    name = box(opponent)
    assert name["x"] + name["width"] <= menu["x"]
    assert faults(page) == []


@pytest.mark.matrix
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(390, 664), SMALL, LANDSCAPE], ids=["phone with bars", "small phone", "landscape"])
def test_every_tile_has_its_name(visits: Visits, server: Server, size: tuple[int, int], language: str) -> None:
    visitor = visits(size=size, touch=True, settings={"language": language})
    visitor.go(f"/game/{server.begin(START)}")
    captions = visitor.page.locator(".tiles .caption")
    expect(captions).to_have_count(4)
    for caption in captions.all():
        expect(caption).to_be_in_viewport(ratio=1)
        assert caption.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_the_links_to_the_record_leave_room_for_the_moves(visits: Visits, server: Server) -> None:
    visitor = visits(size=(1024, 768), settings={"language": "de"})
    visitor.go(f"/game/{server.begin(START)}")
    assert box(visitor.page.locator(".side .links"))["height"] <= 60


def long_game(position: str, turns: int) -> list[str]:
    """Legal tokens without powers, transformations and repetitions."""
    chance, game = random.Random(0), Game(position)
    for _ in range(turns):
        tokens = [str(token) for token in game.legal_moves]
        chance.shuffle(tokens)
        for token in tokens:
            game.push(token)
            if game.outcome is None and "out" not in token:
                break
            game.pop()
    return [str(token) for token in game.tokens]


def test_numbers_of_turns_stay_on_one_line(visitor: Visitor, server: Server) -> None:
    position = "S4/5/5/5/F4 - ---- - wofm 0-0 F"
    game = server.begin(position, long_game(position, 160))
    table = Table(visitor.go(f"/game/{game}"))
    table.wait()
    number = visitor.page.locator('[data-turn="100"] .number')
    number.scroll_into_view_if_needed()
    assert box(number)["height"] < 30


def test_long_names_fit_everywhere(visits: Visits, server: Server) -> None:
    seats = {"forest": {"kind": "person", "name": LONG[:60]}, "sea": {"kind": "person", "name": LONG[:59] + "x"}}
    game = server.begin(MIDDLE, [], seats)
    phone, desk = visits(size=PHONE, touch=True), visits(size=DESKTOP)
    for visitor in (phone, desk):
        for path in ("/", "/games", f"/game/{game}"):
            page = visitor.go(path)
            page.wait_for_load_state("networkidle")
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), path
            assert faults(page) == []
    panels = desk.page.locator(".side .player")
    expect(panels).to_have_count(2)
    for panel in panels.all():
        expect(panel.locator(".score")).to_be_in_viewport(ratio=1)


LIGHTNESS = """(property) => {
    const tile = document.querySelector('.tiles .tile');
    const [red, green, blue] = getComputedStyle(tile).getPropertyValue(property).match(/\\w\\w/g)
        .map((part) => parseInt(part, 16));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}"""


@pytest.mark.parametrize("colour", ["wood-face", "slate-face", "beginner-face", "cream"])
def test_the_tiles_do_not_glare_in_the_dark(visitor: Visitor, server: Server, colour: str) -> None:
    visitor.go(f"/game/{server.begin(START)}")
    visitor.choose(theme="dark")
    assert visitor.page.evaluate(LIGHTNESS, f"--art-{colour}") < 210


def test_an_empty_place_for_a_point_is_dark_in_high_contrast(visitor: Visitor, server: Server) -> None:
    visitor.go(f"/game/{server.begin(START)}")
    visitor.choose(contrast="more")
    colour = visitor.page.locator(".point:not(.scored)").first.evaluate(
        "(one) => getComputedStyle(one).getPropertyValue('--art-cream')"
    )
    assert colour == "#000"


# Set up a position


def test_the_tools_stay_open_after_an_edit_on_a_shared_link(visitor: Visitor) -> None:
    page = visitor.go(f"/position?p={quote(START)}")
    page.locator("summary", has_text="Change the position").click()
    page.get_by_role("button", name=re.compile("^Forest(?!\\W?s)")).first.click()
    place_c3 = page.get_by_role("gridcell", name=re.compile("^c3:"))
    place_c3.focus()
    page.keyboard.press("Enter")
    expect(place_c3).to_have_accessible_name(re.compile("Forest"))
    page.wait_for_url(re.compile("2F2"))
    expect(page.locator("details[open]")).to_have_count(1)


def test_text_that_is_no_position_has_no_link_and_one_error(visitor: Visitor) -> None:
    visitor.allow("422")
    page = visitor.go("/setup")
    page.get_by_label("The position as text").fill("garbage")
    expect(page.locator(".verdict.wrong")).to_be_visible()
    expect(page.get_by_role("button", name="Copy a link")).to_be_disabled()
    expect(page.locator("main li:has(strong)")).to_have_count(1)
    page.get_by_label("The position as text").fill(START)
    expect(page.get_by_role("button", name="Copy a link")).to_be_enabled()
