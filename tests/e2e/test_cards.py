"""Everything explains itself where it is: cards, cards to choose from, signs on targets, refusals that teach."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.player import Newcomer
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.table import Finger, Mouse, Table, place
from tests.e2e.visit import DESKTOP, PHONE, Visitor
from tests.e2e.words import LANGUAGES

STONES: Final = "S3S/3F1/3S1/1F3/F3F b3TS,c3PS,d3CD DRMD (ADCGCSSA) wofm 1-1 F"
"""Forest on b2 can step onto the Tumulus on b3. The Pillars on c3 are two steps away, or a jump from a1."""
APART: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) woem 0-0 F"
"""The Jump tile shows an enemy, and none is near."""
LONG_DECK: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSFCHEHPMMPSSASHSSSWTSWC) wofm 0-0 F"
EXIT: Final = "4F/3F1/5/2S2/S4 b3DR,d3CD PSMD (ADCS) wofm 1-0 F"
TRANSFORM: Final = "S4/5/1FS2/3F1/F4 - PSMD (ADCS) wofm 0-0 F"
COPY: Final = "S4/5/5/1FF2/4F b3SH DRTS - wofm 0-0 F"
SMALL: Final = (360, 640)
LANDSCAPE: Final = (844, 390)
SIZES: Final = (PHONE, SMALL, LANDSCAPE, DESKTOP)

BOXES: Final = """() => {
    window.boxes = new Set();
    const look = () => {
        const board = document.querySelector('svg.board');
        if (board) {
            const { x, y, width, height } = board.getBoundingClientRect();
            window.boxes.add([x, y, width, height].map(Math.round).join(' '));
        }
        requestAnimationFrame(look);
    };
    look();
}"""
"""Records in every frame where the board is."""


def open_game(visitor: Visitor, game: str, touch: bool = False) -> Table:
    visitor.go(f"/game/{game}")
    table = Table(visitor.page, Finger() if touch else Mouse())
    table.wait()
    return table


def poke(table: Table, pick: str) -> None:
    """Tap or click something that cannot be picked."""
    target = place(table.page, pick)
    if isinstance(table.hand, Finger):
        target.tap(force=True)
    else:
        target.click(force=True)


def card(page: Page) -> Locator:
    return page.locator(".about .explain")


def covers(upper: Locator, lower: Locator) -> bool:
    """Whether one element overlaps another by more than a pixel."""
    a, b = upper.bounding_box(), lower.bounding_box()
    assert a is not None
    assert b is not None
    across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
    down = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
    return across > 1 and down > 1


# Cards


def test_a_tap_on_a_stone_opens_its_card(visits: Visits, server: Server) -> None:
    visitor = visits(size=PHONE, touch=True)
    table = open_game(visitor, server.begin(STONES), touch=True)
    page = table.page
    poke(table, "c3")
    expect(card(page)).to_be_visible()
    expect(card(page).get_by_role("heading")).to_have_text("Pillars of Spring")
    expect(card(page)).to_contain_text("Acts at once when a shaman arrives here.")
    expect(card(page)).to_contain_text("Can be reached from a1. The next turn would be yours, too.")
    expect(card(page)).to_contain_text("Rule P1")
    assert not covers(page.locator(".about"), page.locator("svg.board"))
    page.get_by_role("button", name="Close", exact=True).tap()
    expect(card(page)).to_be_hidden()


def test_a_tile_that_cannot_be_used_says_why(visits: Visits, server: Server) -> None:
    visitor = visits(size=PHONE, touch=True)
    table = open_game(visitor, server.begin(APART), touch=True)
    poke(table, "tile:jump")
    expect(card(table.page)).to_contain_text("None of your shamans can jump over an enemy now.")
    expect(card(table.page)).to_contain_text("You use one action tile a turn.")


def test_tiles_that_cannot_be_used_look_unusable(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(STONES))
    dimmed = table.page.locator(".tile.dimmed")
    expect(dimmed).to_have_count(1)
    expect(dimmed).to_have_attribute("data-pick", "tile:transformation")
    table.play("d4 e4")
    visitor.go(f"/game/{server.begin(EXIT, ['d4-out'])}")
    table.wait()
    expect(dimmed).to_have_count(4)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_tile_names_are_always_visible(visits: Visits, server: Server, size: tuple[int, int]) -> None:
    table = open_game(visits(size=size), server.begin(STONES))
    for name in ("Add", "Move", "Jump", "Transformation"):
        expect(table.page.locator(".caption", has_text=name)).to_be_visible()
    assert not faults(table.page)


def test_the_card_of_the_deck_can_be_scrolled_with_the_mouse(visits: Visits, server: Server) -> None:
    visitor = visits(size=(1024, 768))
    table = open_game(visitor, server.begin(LONG_DECK))
    page = table.page
    place(page, "deck").hover()
    expect(card(page)).to_be_visible()
    page.locator(".about").hover()
    expect(card(page)).to_be_visible()
    page.mouse.wheel(0, 2000)
    last = card(page).locator("li").last
    expect(last).to_be_in_viewport()
    edge, box = page.locator(".about").bounding_box(), last.bounding_box()
    assert edge is not None
    assert box is not None
    assert box["y"] + box["height"] <= edge["y"] + edge["height"]


def test_a_turn_number_of_three_digits_stays_on_one_line(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(STONES, ["b2-b1"]))
    number = table.page.locator("[data-turn='1'] .number")
    before = number.bounding_box()
    number.evaluate("element => element.textContent = '876'")
    after = number.bounding_box()
    assert before is not None
    assert after is not None
    assert after["height"] == before["height"]
    assert number.evaluate("element => element.scrollWidth <= element.clientWidth")


# Choosing a megalith


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_megaliths_to_build_stand_side_by_side_and_cover_nothing_of_the_board(
    visits: Visits, server: Server, size: tuple[int, int]
) -> None:
    touch = size != DESKTOP
    table = open_game(visits(size=size, touch=touch), server.begin(EXIT), touch)
    page = table.page
    before = page.locator("svg.board").bounding_box()
    table.pick("d4", "village:sea")
    options = page.get_by_role("group", name="Choose a megalith")
    expect(options.get_by_role("heading")).to_have_text(["Pillars of Spring", "Menhir of the Dancers"])
    expect(options).to_contain_text("The next turn is yours.")
    assert not covers(options, page.locator("svg.board"))
    assert page.locator("svg.board").bounding_box() == before
    assert not faults(page)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_have_count(1)
    table.hand.press(options.get_by_role("button", name="Build this one: Menhir of the Dancers"))
    expect(place(page, "d4")).to_have_attribute("aria-label", "d4, Menhir of the Dancers")


def test_the_shifting_stone_offers_powers_as_cards(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(COPY, ["b2-b3"]))
    page = table.page
    page.get_by_role("button", name="Use this power: Tumulus of Shadow").click()
    expect(page.locator(".strip")).to_contain_text("Tumulus of Shadow banishes the Forest shaman from b3")


# Consequences


def test_a_target_shows_its_tile_and_the_tile_shows_its_back(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(STONES))
    page = table.page
    assert page.locator("[data-back]").count() == 0
    table.pick("b2")
    expect(page.locator("[data-tag=a2] [data-sign=diagram-move-o]")).to_have_count(1)
    expect(page.locator(".tile [data-back]")).to_have_count(1)
    expect(page.locator('[data-pick="tile:move"] [data-back]')).to_have_attribute("data-back", "d")
    table.pick("a1")
    expect(page.locator("[data-tag=c3] [data-sign=diagram-jump-f]")).to_have_count(1)
    expect(page.locator('[data-pick="tile:jump"] [data-back]')).to_have_attribute("data-back", "e")


def test_a_forced_effect_is_told_before_and_after(visits: Visits, server: Server) -> None:
    visitor = visits(settings={"confirmTurn": True})
    table = open_game(visitor, server.begin(STONES))
    page = table.page
    table.pick("b2")
    assert "On b3, Tumulus of Shadow banishes it." in table.prompt()
    expect(page.locator('[data-tag=b3] [data-note="!"]')).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="On b3, Tumulus of Shadow banishes it.")).to_have_count(1)
    table.pick("b3")
    expect(table.button("play.confirm")).to_be_visible()
    assert "Tumulus of Shadow banishes the Forest shaman from b3." in table.prompt()


def test_leaving_the_field_shows_the_point(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(EXIT))
    table.pick("d4")
    expect(table.page.locator('[data-tag="village:sea"] [data-note="+1"]')).to_have_count(1)


def test_the_line_of_three_is_drawn_and_its_button_names_the_point(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(TRANSFORM, ["d2-d3"]))
    page = table.page
    band = page.locator("[data-drawn=band]")
    expect(band).to_have_count(1)
    for space in ("b3", "c3", "d3"):
        assert covers(band, place(page, space))
    page.get_by_role("button", name="Banish it and build: +1").click()
    expect(page.get_by_role("group", name="Choose a megalith")).to_be_visible()
    expect(band).to_have_count(1)  # as a part of the turn that the strip shows
    assert covers(band, place(page, "c3"))


def test_a_refusal_names_what_the_tiles_show(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(STONES))
    table.pick("b2")
    poke(table, "e4")
    expect(table.page.locator(".prompt p")).to_have_text(
        "e4 is out of reach: the Move tile shows “straight” now, the Jump tile “over a friend”."
    )


def test_a_target_is_spoken_with_its_tile_and_its_effect(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(STONES))
    page = table.page
    table.pick("b2")
    page.keyboard.press("Tab")
    place(page, "b3").focus()
    spoken = page.get_by_role("status").filter(has_text="Move leads here.")
    expect(spoken).to_contain_text("The tile then shows “diagonal” to your opponent.")
    expect(spoken).to_contain_text("On b3, Tumulus of Shadow banishes it.")


# One visual language


def test_everything_that_can_be_picked_has_a_ring_and_what_is_picked_a_filled_one(
    visitor: Visitor, server: Server
) -> None:
    table = open_game(visitor, server.begin(STONES))
    page = table.page
    rings = page.locator("[data-target] .line")
    expect(rings).to_have_count(4)
    table.pick("b2")
    expect(page.locator("[data-picked] .fill")).to_have_count(1)
    expect(page.locator("[data-target] .fill")).to_have_count(0)
    totem = page.locator("[data-target=b1] .line").bounding_box()
    space = place(page, "b1").bounding_box()
    assert totem is not None
    assert space is not None
    assert totem["width"] > 0.75 * space["width"]  # around the totem, not a dot on it


def test_open_points_are_dark_on_the_pale_ground_of_high_contrast(visits: Visits, server: Server) -> None:
    table = open_game(visits(settings={"contrast": "more"}), server.begin(STONES))
    points = table.page.locator(".board .point:not(.scored)")
    expect(points).to_have_count(4)
    cream = "element => getComputedStyle(element).getPropertyValue('--art-cream')"
    assert {point.evaluate(cream) for point in points.all()} == {"#000"}


@pytest.mark.proof
@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
def test_the_board_keeps_its_size_through_a_whole_game(visits: Visits, server: Server, size: tuple[int, int]) -> None:
    visitor = visits(size=size, touch=True, settings={"confirmTurn": True})
    table = open_game(visitor, server.begin(seats=AGAINST_COMPUTER, variant="beginner"), touch=True)
    table.page.evaluate(BOXES)
    Newcomer(table, "forest", 3).play()
    assert len(table.page.evaluate("() => [...window.boxes]")) == 1


@pytest.mark.matrix
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_cards_fit_in_every_language(visits: Visits, server: Server, size: tuple[int, int], language: str) -> None:
    touch = size != DESKTOP
    visitor = visits(size=size, touch=touch, settings={"language": language})
    table = open_game(visitor, server.begin(EXIT, ["d4-out"]), touch)
    assert not faults(table.page)
    visitor.go(f"/game/{server.begin(TRANSFORM, ['d2-d3'])}")
    table.wait()
    assert not faults(table.page)
    visitor.go(f"/game/{server.begin(STONES)}")
    table.wait()
    for subject in ("c3", "b3", "tile:transformation", "slot:0"):
        poke(table, subject)
        expect(card(table.page)).to_be_visible()
        assert not faults(table.page)
