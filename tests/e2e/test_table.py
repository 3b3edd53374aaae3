"""At the table: dragging, wrong taps, explanations, two players at one screen, and earlier positions."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visits
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.table import Finger, Table, place
from tests.e2e.visit import PHONE, Visitor
from tests.e2e.words import say, spoken

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
SANCTUARY = "S1F1S/5/5/1F3/F3F b3SA,d3CG,c5DR PSMD (ADCDCSFCHPMMSSSWTS) wofm 1-0 F"
CHAIN = "S1S1S/5/5/1F3/F3F b3MD,d3CD,a4CS DRAD (CGFCHPMMPSSASSSWTS) wofm 1-0 F"

MANY = (
    "c1-c2 +b5 c2-b1 c5-d5 b1-c2 a5-a4 a1-b2 d5-d4 b2-d2 d4-e3 c2-b2 e3-c1 "
    "e1-c3 c1-a3 c3-b4 +d5 d2-d1 a4-a2 b4-a5 a3-a4 d1-e2 a2-a3 b2-c1 d5-c5"
)


def sit_down(visitor: Visitor, game: str) -> Table:
    visitor.go(f"/game/{game}")
    table = Table(visitor.page)
    table.wait()
    return table


def middle(page: Page, pick: str) -> tuple[float, float]:
    box = place(page, pick).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page: Page, pick: str) -> None:
    """Click a place even if it cannot be picked. Playwright's own click would wait until it can be picked."""
    page.mouse.click(*middle(page, pick))


def drag(page: Page, start: str, end: str | tuple[float, float]) -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*(middle(page, end) if isinstance(end, str) else end), steps=8)
    page.mouse.up()


# Dragging


@pytest.mark.parametrize(("start", "end", "token"), [("a1", "a2", "a1-a2"), ("village:forest", "d1", "+d1")])
def test_a_shaman_can_be_dragged(visitor: Visitor, server: Server, start: str, end: str, token: str) -> None:
    game = server.begin(START)
    table = sit_down(visitor, game)
    drag(table.page, start, end)
    expect(table.page.locator(f'[data-pick="{end}"]')).to_have_attribute("aria-label", spoken(end, "forest"))
    assert server.tokens(game) == [token]


def test_a_shaman_can_be_dragged_off_the_field(visitor: Visitor, server: Server) -> None:
    game = server.begin("S1F1S/3S1/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    table = sit_down(visitor, game)
    drag(table.page, "c5", "village:sea")
    expect(table.page.locator(".supply .target")).to_have_count(2)
    assert server.tokens(game) == ["c5-out"]


def test_a_megalith_can_be_dragged(visitor: Visitor, server: Server) -> None:
    game = server.begin(SANCTUARY, ["b2-b3"])
    table = sit_down(visitor, game)
    drag(table.page, "c5", "c4")
    expect(table.page.locator('[data-pick="c4"]')).to_have_attribute("aria-label", "c4, Deer Rock")
    assert server.tokens(game) == ["b2-b3", "c5~c4"]


def test_a_drag_that_does_not_end_on_a_target_does_nothing(visitor: Visitor, server: Server) -> None:
    game = server.begin(START)
    table = sit_down(visitor, game)
    for end in ("c3", (5.0, 400.0)):
        drag(table.page, "a1", end)
        assert table.picked() == []
    assert server.tokens(game) == []
    table.play("a1 a2")  # the next click still works
    assert server.tokens(game) == ["a1-a2"]


# Picking


def test_a_choice_can_begin_with_a_tile_or_a_shaman(visitor: Visitor, server: Server) -> None:
    game = server.begin("S1S1S/5/5/1F3/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    table = sit_down(visitor, game)
    table.pick("tile:jump")
    assert table.marked() == ["a1"]
    table.pick("a1")
    assert table.marked() == ["c3"]
    table.page.keyboard.press("Escape")
    assert table.picked() == []
    table.pick("a1")
    assert table.marked() == ["a2", "b1", "c3"]
    table.pick("e1")  # changes the selection
    assert table.picked() == ["e1"]
    assert server.tokens(game) == []


def test_a_wrong_tap_does_nothing_and_says_why(visitor: Visitor, server: Server) -> None:
    game = server.begin(START)
    table = sit_down(visitor, game)
    for picks, pick, why in (
        ((), "a5", "That is a Sea shaman"),
        ((), "c3", "There is no shaman on c3."),
        (("a1",), "c3", "c3 is out of reach"),
    ):
        table.pick(*picks)
        click(table.page, pick)
        expect(table.page.locator(".prompt p")).to_contain_text(why)
        expect(table.page.get_by_role("status").filter(has_text=why)).to_have_count(1)  # for screen readers
    assert server.tokens(game) == []


def test_escape_closes_an_open_menu_before_it_cancels_a_pick(visitor: Visitor, server: Server) -> None:
    visitor.sign_up()
    table = sit_down(visitor, server.begin(START))
    table.pick("a1")
    opener = table.page.get_by_role("button", name=say("account.menu"))
    menu = table.page.locator(f"[popover]#{opener.get_attribute('popovertarget')}")
    opener.click()
    expect(menu).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    assert table.picked() == ["a1"]
    table.page.keyboard.press("Escape")
    assert table.picked() == []


def test_targets_and_explanations_are_announced(visitor: Visitor, server: Server) -> None:
    table = sit_down(visitor, server.begin(START))
    spoken_texts = table.page.locator(".play p[role=status]")
    table.pick("a1")
    expect(spoken_texts.filter(has_text="Move: a2, b1.")).to_have_count(1)
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("b")  # moves the keyboard focus to the board
    place(table.page, "b3").focus()
    expect(spoken_texts.filter(has_text="Banish an enemy shaman")).to_have_count(1)


def test_every_part_of_the_table_is_explained(visitor: Visitor, server: Server) -> None:
    table = sit_down(visitor, server.begin(START))
    about = table.page.locator(".about")
    for pick, words in (
        ("b3", ("Chaos of the Giants", "Banish an enemy shaman")),
        ("tile:jump", ("On the other side",)),
        ("slot:0", ("Deer Rock", "next to this stone")),
        ("village:sea", ("village", "2 shamans wait here")),
        ("a1", (spoken("a1", "forest"), "a2, b1")),
    ):
        place(table.page, pick).hover()
        for text in words:
            expect(about).to_contain_text(text)
    place(table.page, "deck").click()
    for name in ("Alley of Dusk", "Cromlech of the Stars", "Pillars of Spring", "Sanctuary of the Ages"):
        expect(about).to_contain_text(name)


def test_a_long_press_shows_an_explanation(visits: Visits, server: Server) -> None:
    visitor = visits(size=PHONE, touch=True)
    table = sit_down(visitor, server.begin(START))
    table = Table(table.page, Finger())
    x, y = middle(table.page, "b3")
    session = visitor.context.new_cdp_session(table.page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(table.page.locator(".about")).to_contain_text("Chaos of the Giants")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(table.page.locator(".about")).to_contain_text("Banish an enemy shaman")
    table.page.get_by_role("button", name=say("play.close"), exact=True).tap()
    expect(table.page.locator(".about")).to_be_hidden()
    table.play("a1 a2")


def test_a_shaman_can_be_dragged_by_touch(visits: Visits, server: Server) -> None:
    visitor = visits(size=PHONE, touch=True)
    game = server.begin(START)
    table = sit_down(visitor, game)
    session = visitor.context.new_cdp_session(table.page)
    (x, y), (to_x, to_y) = middle(table.page, "a1"), middle(table.page, "a2")
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 9):
        point = {"x": x + (to_x - x) * part / 8, "y": y + (to_y - y) * part / 8}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(table.page.locator('[data-pick="a2"]')).to_have_attribute("aria-label", spoken("a2", "forest"))
    assert server.tokens(game) == ["a1-a2"]


# Two players at one screen


def below(table: Table) -> str:
    """The tribe at the bottom, derived from the last space in reading order."""
    last = table.page.locator(".play [role=gridcell]").last.get_attribute("data-pick")
    return {"e1": "forest", "a5": "sea"}[last or ""]


def test_the_board_turns_between_turns(visits: Visits, server: Server) -> None:
    table = sit_down(visits(settings={"turnBoard": True}), server.begin(START))
    assert below(table) == "forest"
    table.play("a1 a2")
    assert below(table) == "sea"
    table.play("e5 d4")
    assert below(table) == "forest"


def test_the_board_stays_in_place_if_turning_is_switched_off(visits: Visits, server: Server) -> None:
    table = sit_down(visits(settings={"turnBoard": False}), server.begin(START))
    table.play("a1 a2")
    assert below(table) == "forest"
    table.press("play.flip")
    assert below(table) == "sea"
    table.page.keyboard.press("f")
    assert below(table) == "forest"


def test_sea_is_at_the_bottom_for_a_person_who_plays_sea(visitor: Visitor, server: Server) -> None:
    seats = {"forest": AGAINST_COMPUTER["sea"], "sea": AGAINST_COMPUTER["forest"]}
    table = sit_down(visitor, server.begin(START, seats=seats))
    assert below(table) == "sea"


# Animations, and looking back


def test_a_chain_is_shown_step_by_step(visits: Visits, server: Server) -> None:
    game = server.begin(CHAIN)
    table = sit_down(visits(settings={"speed": "quick"}), game)
    table.pick("b2", "b3")
    prompt = table.page.locator(".prompt p")
    expect(prompt).to_contain_text("b3")  # events are described while they are shown
    table.wait()
    expect(prompt).to_contain_text("Menhir of the Dancers")
    drawn = table.page.locator(".board [data-drawn]")  # the path of the turn stays marked
    assert [shape.get_attribute("data-drawn") for shape in drawn.all()] == ["arrow", "number", "number"]


CUT_OFF: Final = """() => {
    const row = document.querySelector('.side li:has([aria-current])').getBoundingClientRect();
    return row.bottom - document.querySelector('.side ol').getBoundingClientRect().bottom;
}"""
"""How much of the current turn is below the visible part of the list of moves."""


def test_the_current_turn_stays_in_view_while_its_sentence_grows(visits: Visits, server: Server) -> None:
    rich = "S3S/2F2/1S1S1/1F3/F3F b3DR,d3CD,b4MD,c4FC PSAD (CGCSHPMMSASSSWTS) wofm 1-1 S"
    table = sit_down(visits(size=(1440, 800)), server.begin(rich, ["b3-b4", "b4-b3"]))
    table.pick("b2", "c3")
    table.wait()
    table.page.wait_for_timeout(200)
    assert table.page.evaluate(CUT_OFF) <= 1


def test_a_tap_skips_the_animation(visits: Visits, server: Server) -> None:
    game = server.begin(START)
    table = sit_down(visits(settings={"speed": "slow", "turnBoard": False}), game)
    table.pick("a1", "a2")
    table.page.wait_for_timeout(200)
    click(table.page, "a5")  # Sea's shaman, while Forest's is still moving
    table.wait(2)
    assert table.picked() == ["a5"]


def test_a_player_can_look_back_and_return(visitor: Visitor, server: Server) -> None:
    game = server.begin(START, ["a1-a2", "a5-b4", "e1-e2"])
    table = sit_down(visitor, game)
    table.page.keyboard.press("ArrowLeft")
    table.page.keyboard.press("ArrowLeft")
    expect(table.page.locator('[data-pick="a5"]')).to_have_attribute("aria-label", spoken("a5", "sea"))
    table.page.wait_for_url("**?step=1")
    assert table.open() == []  # nothing can be played in an earlier position
    click(table.page, "e1")
    expect(table.page.locator(".prompt p")).to_have_text(say("play.refused.replay"))
    table.press("play.replay.live")
    table.wait()
    assert "b4" in table.shamans("sea")


def test_the_last_move_stays_visible_when_the_list_shrinks(visits: Visits, server: Server) -> None:
    """In an online game, the list shrinks when the chat and the actions load a moment later."""
    table = sit_down(visits(), server.begin(START, MANY.split()))
    last = table.page.locator('.play .side ol [aria-current="step"]')
    expect(last).to_be_in_viewport()
    for height in (620, 520):
        table.page.set_viewport_size({"width": 1440, "height": height})
        table.page.wait_for_function(
            """() => {
                const list = document.querySelector('.play .side ol');
                const [seen, last] = [list, list.querySelector('[aria-current="step"]')]
                    .map((each) => each.getBoundingClientRect());
                return last.top >= seen.top - 1 && last.bottom <= seen.bottom + 1;
            }"""
        )
