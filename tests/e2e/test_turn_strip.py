"""The strip for the last turn: its numbered steps stay visible, can be shown again, and do not move the board."""

from __future__ import annotations

import itertools
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.table import Table, place
from tests.e2e.visit import PHONE, Visitor
from tests.e2e.words import LANGUAGES, spoken

EXIT: Final = "4F/3F1/5/2S2/S4 b3DR,d3CD PSMD (ADCS) wofm 1-0 F"
"""Forest on d4 can jump over e5 past the corner."""
RICH: Final = "S3S/2F2/1S1S1/1F3/F3F b3DR,d3CD,b4MD,c4FC PSAD (CGCSHPMMSASSSWTS) wofm 1-1 S"
RICH_TURN: Final = ["b3-b4", "b4-b3", "b2-c3", "Tc3", "=PS", "?SS"]
TRANSFORM: Final = "S4/5/1FS2/3F1/F4 - PSMD (ADCS) wofm 0-0 F"
"""Forest can transform c3 after d2-d3."""
SMALL: Final = (360, 640)


WATCH: Final = """() => {
    window.seen = { path: [], boxes: new Set() };
    const look = () => {
        const leaving = document.querySelector('[data-leaving]');
        const board = document.querySelector('svg.board');
        if (board) {
            const { x, y, width, height } = board.getBoundingClientRect();
            window.seen.boxes.add([x, y, width, height].join(' '));
        }
        if (leaving) {
            const { x, y, width, height } = leaving.getBoundingClientRect();
            window.seen.path.push([x + width / 2, y + height / 2]);
        }
        requestAnimationFrame(look);
    };
    look();
}"""
"""Records, in every frame, the position of the board and of a shaman that is leaving the field."""


REWOUND: Final = """() => {
    window.rewound = false;
    const cell = document.querySelector('.play [data-pick="b2"]');
    new MutationObserver(() => { window.rewound ||= cell.getAttribute('aria-label').includes('Forest'); })
        .observe(cell, { attributes: true });
}"""
"""Records whether the board shows a Forest shaman on b2, where one stood only before ``RICH_TURN``."""


def open_game(visitor: Visitor, game: str) -> Table:
    visitor.go(f"/game/{game}")
    table = Table(visitor.page)
    table.wait()
    return table


def steps(page: Page) -> Locator:
    return page.locator(".strip [data-step]")


def middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def watched(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("() => ({ path: window.seen.path, boxes: [...window.seen.boxes] })")
    return found


# Leaving the field


def test_a_shaman_leaves_in_its_true_direction_and_then_appears_in_its_village(visits: Visits, server: Server) -> None:
    visitor = visits(settings={"speed": "normal", "turnBoard": False})
    table = open_game(visitor, server.begin(EXIT))
    page = table.page
    page.evaluate(WATCH)
    table.pick("d4", "village:sea")
    table.wait()
    over, edge = middle(place(page, "e5")), place(page, "e5").bounding_box()
    assert edge is not None
    path = watched(page)["path"]
    assert path, "no frame shows the shaman on its way"
    assert max(x for x, _ in path) > over[0]
    assert min(y for _, y in path) < edge["y"]  # beyond the edge of the field
    xs = [x for x, _ in path]
    assert all(later >= earlier - 1 for earlier, later in itertools.pairwise(xs))  # never backwards
    expect(page.locator(".strip")).to_contain_text("over e5")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1440


def test_the_sentence_names_the_space_that_a_leaving_shaman_jumps_over(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(EXIT, ["d4-out"]))
    expect(steps(table.page).first).to_have_accessible_name("1 Forest jumps from d4 over e5 and off the field.")


# The strip


def test_the_opponents_turn_stays_until_the_next_turn(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(RICH, RICH_TURN))
    page = table.page
    assert steps(page).locator(".number").all_text_contents() == ["1", "2", "3", "4", "5"]
    expect(steps(page).nth(2)).to_have_accessible_name("3 Deer Rock moves a Forest shaman from b2 to c3.")
    numbers = page.locator(".board [data-drawn=number]")
    assert numbers.all_text_contents() == ["1", "2", "3", "4", "5"]
    expect(page.get_by_role("region", name="Sea\u2019s turn")).to_be_visible()
    table.pick("a1")
    expect(steps(page)).to_have_count(5)
    table.pick("a2" if "a2" in table.marked() else table.marked()[0])
    table.wait()
    expect(page.get_by_role("region", name="Forest\u2019s turn")).to_be_visible()
    page.get_by_role("button", name="Sea\u2019s turn: show its steps").click()
    expect(steps(page)).to_have_count(5)
    assert numbers.all_text_contents() == ["1", "2", "3", "4", "5"]


def test_the_computers_turn_stays(visitor: Visitor, server: Server) -> None:
    game = server.begin("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F", seats=AGAINST_COMPUTER)
    table = open_game(visitor, game)
    table.pick("a1", "a2")
    page = table.page
    expect(page.get_by_role("region", name="Sea\u2019s turn")).to_be_visible()
    table.wait()
    assert steps(page).count() > 0
    expect(page.get_by_role("region", name="Sea\u2019s turn")).to_be_visible()


@pytest.mark.parametrize("by", ["button", "key"])
def test_the_whole_turn_is_shown_again(visits: Visits, server: Server, by: str) -> None:
    visitor = visits(settings={"speed": "quick"})
    table = open_game(visitor, server.begin(RICH, RICH_TURN))
    page = table.page
    page.evaluate(
        """() => {
            window.shown = [];
            new MutationObserver(() => {
                const step = document.querySelector('.strip [aria-pressed="true"]')?.dataset.step;
                if (step && window.shown.at(-1) !== step) window.shown.push(step);
            }).observe(document.querySelector('.strip'), { attributes: true, subtree: true });
        }"""
    )
    page.evaluate(REWOUND)
    if by == "key":
        page.keyboard.press("r")
    else:
        page.get_by_role("button", name="Sea\u2019s turn: show it again").click()
    page.wait_for_function("() => window.shown.length === 5")
    assert page.evaluate("() => window.rewound")
    assert page.evaluate("() => window.shown") == ["1", "2", "3", "4", "5"]
    expect(page.locator('.strip [aria-pressed="true"]')).to_have_count(0)
    expect(place(page, "b2")).to_have_attribute("aria-label", "b2, empty")
    table.wait()
    table.pick("a1")
    assert table.picked() == ["a1"]


def test_a_step_is_shown_again_and_its_sentence_stays_until_the_player_acts(visits: Visits, server: Server) -> None:
    visitor = visits(settings={"speed": "quick"})
    table = open_game(visitor, server.begin(RICH, RICH_TURN))
    page = table.page
    page.evaluate(REWOUND)
    steps(page).nth(2).click()
    page.wait_for_function("() => window.rewound")
    expect(place(page, "b2")).to_have_attribute("aria-label", "b2, empty")
    table.wait()
    assert table.prompt() == "Deer Rock moves a Forest shaman from b2 to c3."
    table.pick("a1")
    expect(page.locator(".prompt p")).to_contain_text("Where")


def test_a_tap_during_a_rerun_only_ends_it(visits: Visits, server: Server) -> None:
    visitor = visits(settings={"speed": "slow"})
    table = open_game(visitor, server.begin(RICH, RICH_TURN))
    page = table.page
    page.keyboard.press("r")
    expect(place(page, "b2")).to_have_attribute("aria-label", spoken("b2", "forest"))
    page.mouse.click(*middle(place(page, "b2")))
    expect(place(page, "b2")).to_have_attribute("aria-label", "b2, empty")
    assert table.picked() == []
    expect(page.locator(".prompt.refused")).to_have_count(0)


# The layout


@pytest.mark.matrix
@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small phone"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_keeps_its_place_during_a_turn(
    visits: Visits, server: Server, size: tuple[int, int], language: str
) -> None:
    visitor = visits(
        size=size, touch=True, settings={"speed": "quick", "confirmTurn": True, "language": language, "sound": False}
    )
    visitor.go(f"/game/{server.begin(TRANSFORM)}")
    page = visitor.page
    expect(place(page, "d2")).to_have_attribute("aria-disabled", "false")
    page.evaluate(WATCH)
    for pick in ("d2", "d3"):
        place(page, pick).tap()
    expect(page.locator('.board [data-target="c3"]')).to_have_count(1)
    assert faults(page) == []
    buttons = page.locator(".prompt .buttons")
    inside, outside = buttons.bounding_box(), page.locator(".prompt").bounding_box()
    assert inside is not None
    assert outside is not None
    assert outside["y"] <= inside["y"]
    assert inside["y"] + inside["height"] <= outside["y"] + outside["height"]
    place(page, "c3").tap()
    page.locator('.play [data-option="slot:0"]').tap()
    expect(page.locator('.play[data-caught-up="true"] .prompt .button.main')).to_be_visible()
    assert len(watched(page)["boxes"]) == 1


@pytest.mark.parametrize("size", [PHONE, SMALL, (1440, 900)])
def test_the_strip_covers_nothing(visits: Visits, server: Server, size: tuple[int, int]) -> None:
    table = open_game(visits(size=size), server.begin(RICH, RICH_TURN))
    assert faults(table.page) == []
    boxes = {name: table.page.locator(name).bounding_box() for name in ("svg.board", ".strip", ".prompt", ".tiles")}
    strip = boxes.pop(".strip")
    assert strip is not None
    for name, box in boxes.items():
        assert box is not None
        across = min(strip["x"] + strip["width"], box["x"] + box["width"]) - max(strip["x"], box["x"])
        down = min(strip["y"] + strip["height"], box["y"] + box["height"]) - max(strip["y"], box["y"])
        assert across <= 0 or down <= 0, name


STRIP_LIST: Final = """() => {
    const list = document.querySelector('.strip ol');
    const end = list.getBoundingClientRect().right + 0.5;
    const inside = [...list.querySelectorAll('.short')].filter((each) => each.getBoundingClientRect().right <= end);
    return { inside: inside.length, all: list.children.length, more: list.matches('.more') };
}"""


@pytest.mark.matrix
@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small phone"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_steps_of_a_turn_that_scores_are_visible_on_a_phone(
    visits: Visits, server: Server, size: tuple[int, int], language: str
) -> None:
    visitor = visits(size=size, touch=True, settings={"language": language})
    game = server.begin(TRANSFORM, ["d2-d3", "Tc3", "=PS", "?AD"])
    page = visitor.go(f"/game/{game}")
    expect(steps(page)).to_have_count(3)
    expect(steps(page).last).to_contain_text("c3 +1")
    assert page.evaluate(STRIP_LIST) == {"inside": 3, "all": 3, "more": False}


def test_the_strip_shows_that_there_are_more_steps_than_fit(visits: Visits, server: Server) -> None:
    visitor = visits(size=PHONE, touch=True)
    page = visitor.go(f"/game/{server.begin(RICH, RICH_TURN)}")
    expect(steps(page)).to_have_count(5)
    seen = page.evaluate(STRIP_LIST)
    assert seen["inside"] < 5
    assert seen["more"]
    page.evaluate("() => { const list = document.querySelector('.strip ol'); list.scrollLeft = list.scrollWidth; }")
    expect(page.locator(".strip ol.more")).to_have_count(0)
    expect(page.locator(".strip ol.before")).to_have_count(1)


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small phone"])
def test_the_newest_step_is_in_view_while_the_turn_grows(visits: Visits, server: Server, size: tuple[int, int]) -> None:
    game = server.begin(RICH, RICH_TURN[:4])
    table = open_game(visits(size=size, touch=True), game)
    expect(steps(table.page)).to_have_count(4)
    step, strip = steps(table.page).last.bounding_box(), table.page.locator(".strip ol").bounding_box()
    assert step is not None
    assert strip is not None
    assert step["x"] + step["width"] <= strip["x"] + strip["width"] + 1


# Clicks and drags


def test_a_double_click_on_a_destination_plays_once_and_is_not_refused(visitor: Visitor, server: Server) -> None:
    game = server.begin("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    table = open_game(visitor, game)
    page = table.page
    page.evaluate(
        """() => {
            window.refused = 0;
            new MutationObserver(() => { window.refused += document.querySelectorAll('.prompt.refused').length; })
                .observe(document.querySelector('.play'), { attributes: true, childList: true, subtree: true });
        }"""
    )
    table.pick("a1")
    page.mouse.dblclick(*middle(place(page, "a2")))
    expect(place(page, "a2")).to_have_attribute("aria-label", spoken("a2", "forest"))
    table.wait()
    assert server.tokens(game) == ["a1-a2"]
    assert table.picked() == []
    assert page.evaluate("() => window.refused") == 0


def test_a_dragged_shaman_stays_visible_beyond_the_board(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"))
    page = table.page
    page.mouse.move(*middle(place(page, "a1")))
    page.mouse.down()
    page.mouse.move(200, 700, steps=6)
    box = page.locator("svg.board").bounding_box()
    assert box is not None
    assert box["x"] > 260  # the pointer is beyond the board
    hit = page.evaluate(
        """() => {
            const piece = document.querySelector('.pieces .held');
            const { x, y, width, height } = piece.getBoundingClientRect();
            const svg = document.querySelector('svg.board');
            return { at: [x + width / 2, y + height / 2], overflow: getComputedStyle(svg).overflow };
        }"""
    )
    assert hit["overflow"] == "visible"
    assert hit["at"] == pytest.approx([200, 700], abs=20)
    page.mouse.up()
    assert table.picked() == []
