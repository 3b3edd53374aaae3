"""The tutorial: every lesson can be played, wrong tries are taken back, and progress is saved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from cairn.server.messages.views import line
from tests.e2e.away import ABSENCE, wait_until_kept
from tests.e2e.builds import Site
from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.table import Keys, Mouse, Table, place
from tests.e2e.test_access import violations, violations_in_all_looks
from tests.e2e.test_languages import SMALL
from tests.e2e.visit import Visitor
from tests.e2e.words import LANGUAGES, say

LESSONS: Final[dict[str, dict[str, Any]]] = {
    lesson["id"]: lesson
    for lesson in json.loads(
        (Path(__file__).parents[2] / "web" / "src" / "app" / "tutorial" / "lessons.json").read_text(encoding="utf-8")
    )
}
BOARD: Final = """() => {
    const { x, y, width, height } = document.querySelector('.play [role="grid"]').getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
}"""


def paths(lesson: str) -> Iterator[list[str]]:
    """For each step of a lesson, the picks of its best token."""
    tokens: list[str] = []
    for step in LESSONS[lesson]["steps"]:
        choices = line(LESSONS[lesson]["position"], tokens).now.choices
        yield list(next(choice.paths[0] for choice in choices if choice.token == step["best"]))
        tokens += [step["best"], *step.get("then", [])]


def play_steps(table: Table, lesson: str) -> Iterator[int]:
    """Play the steps of a lesson with their best tokens. Yields before each step and after the last one."""
    expect(table.page.locator(f'.lesson[data-lesson="{lesson}"][data-step="0"]')).to_be_attached()
    for number, path in enumerate(paths(lesson)):
        table.wait()
        yield number
        # A pick that has no alternative is made for the player.
        table.pick(*(pick for pick in path if pick not in table.picked()))
        expect(table.page.locator(f'.lesson[data-step="{number + 1}"][data-caught-up="true"]')).to_be_attached()
    yield len(LESSONS[lesson]["steps"])


def complete(table: Table, lesson: str) -> None:
    for _ in play_steps(table, lesson):
        pass
    expect(table.page.locator('.lesson[data-finished="true"]')).to_be_attached()


def next_lesson(page: Page, language: str = "en") -> Any:
    return page.get_by_role("link", name=say("learn.tutorial.next", language))


def completed(page: Page) -> list[str]:
    """The titles of the lessons that are marked as completed."""
    return page.locator(".side li:has(.completed) span:not(.mark, .hidden-text)").all_inner_texts()


def test_a_newcomer_plays_a_lesson_by_mouse(visits: Visits) -> None:
    page = visits(new_here=True).go("/")
    page.get_by_role("link", name=say("common.title.tutorial")).click()
    table = Table(page, Mouse())
    # The second click is already a pick on the board.
    table.pick("c1")
    assert table.picked() == ["c1"]
    table.pick("c2")
    expect(page.locator('.lesson[data-step="1"][data-caught-up="true"]')).to_be_attached()
    assert "diagonal" in table.prompt()
    table.wait()
    table.pick("c2", "d3")
    expect(next_lesson(page)).to_be_focused()
    assert completed(page) == ["Move"]
    next_lesson(page).click()
    expect(page.locator(".lesson")).to_have_attribute("data-lesson", "add")
    expect(page).to_have_url(re.compile(r"/tutorial\?lesson=add$"))


def test_a_lesson_is_played_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.go("/tutorial?lesson=transform")
    table = Table(page, Keys())
    complete(table, "transform")
    expect(next_lesson(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".lesson")).to_have_attribute("data-lesson", "flips")
    # The link is gone, so the focus is on the board, ready to play.
    expect(page.locator('.play [role="gridcell"]:focus')).to_have_count(1)
    complete(table, "flips")
    expect(next_lesson(page)).to_be_focused()


@pytest.mark.slow
@pytest.mark.proof
def test_all_lessons_can_be_reached_and_played_by_keyboard_alone(visits: Visits) -> None:
    """From the home page to the first game, as somebody without a mouse would go through the tutorial."""
    page = visits(new_here=True).go("/")
    table = Table(page, Keys())
    table.hand.press(page.get_by_role("link", name=say("common.title.tutorial")))
    for number, lesson in enumerate(LESSONS):
        complete(table, lesson)
        if number + 1 < len(LESSONS):
            expect(next_lesson(page)).to_be_focused()
            page.keyboard.press("Enter")
    table.hand.press(page.locator("section.done button"))
    expect(page).to_have_url(re.compile("/game/"))
    table.wait()


def test_progress_is_kept_and_the_next_lesson_is_suggested(visitor: Visitor) -> None:
    page = visitor.go("/tutorial?lesson=move")
    table = Table(page)
    complete(table, "move")
    page.locator(".side").get_by_role("link", name="Jump").click()
    complete(table, "jump")
    page.reload()
    expect(page.locator(".lesson")).to_have_attribute("data-lesson", "jump")
    table.wait()  # the list of lessons appears with the board
    assert completed(page) == ["Move", "Jump"]
    visitor.go("/tutorial")
    expect(page.locator(".lesson")).to_have_attribute("data-lesson", "add")
    table.wait()
    visitor.go("/")
    # For a visitor who has begun the tutorial, the home page lists it among the other cards.
    expect(page.locator("nav.ways").get_by_role("link").first).to_contain_text(say("common.title.tutorial"))


def test_a_wrong_try_is_answered_and_taken_back(visitor: Visitor) -> None:
    page = visitor.go("/tutorial?lesson=add")
    table = Table(page)
    table.wait()
    expect(page.locator("[data-target], .target[data-pick]")).to_have_count(1)
    table.pick("a1", "a2")
    expect(page.locator(".prompt p")).to_have_text("That is allowed, too. But this time, add a shaman.")
    table.wait()
    assert table.shamans("forest") == ["a1", "c1", "e1"]
    expect(page.locator(".lesson")).to_have_attribute("data-step", "0")
    # As in a game, an illegal pick is refused.
    place(page, "c3").click(force=True)
    expect(page.locator(".prompt.refused")).to_be_visible()
    complete(table, "add")


def test_a_lesson_can_be_started_again(visitor: Visitor) -> None:
    page = visitor.go("/tutorial?lesson=chain")
    table = Table(page)
    table.wait()
    table.play("b2 b3")
    page.get_by_role("button", name=say("learn.tutorial.restart")).click()
    expect(page.locator(".lesson")).to_have_attribute("data-step", "0")
    table.wait()
    assert table.shamans("forest") == ["b2", "d2"]
    complete(table, "chain")


def test_moves_are_shown_one_after_another_with_animation(visits: Visits) -> None:
    page = visits(settings={"speed": "quick"}).go("/tutorial?lesson=add")
    table = Table(page)
    table.wait()
    table.pick("a1", "a2")
    expect(page.locator(".prompt p")).to_have_text("That is allowed, too. But this time, add a shaman.")
    table.wait()
    assert table.shamans("forest") == ["a1", "c1", "e1"]
    complete(table, "add")
    expect(next_lesson(page)).to_be_focused()


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_lessons_fit_on_a_small_phone_and_lead_to_a_game(visits: Visits, language: str) -> None:
    """The board keeps its place and size through a whole lesson."""
    visitor = visits(size=SMALL, touch=True, settings={"language": language})
    page = visitor.go("/tutorial")
    table = Table(page)
    wrong: list[str] = []
    for lesson in LESSONS:
        boards = []
        expect(page.locator(".about .explain")).to_have_count(0)  # no card covers the first message
        for step in play_steps(table, lesson):
            boards.append(page.evaluate(BOARD))
            wrong += [f"{lesson} {step}: {fault}" for fault in faults(page)]
            if len({*map(tuple, boards)}) > 1:
                wrong.append(f"{lesson} {step}: the board has moved: {boards[-2:]}")
        expect(page.locator('.lesson[data-finished="true"]')).to_be_attached()
        if lesson != list(LESSONS)[-1]:
            next_lesson(page, language).click()
    wrong += violations(visitor)
    assert not wrong, "\n".join(wrong)
    page.locator("section.done button").click()
    expect(page).to_have_url(re.compile("/game/"))
    table.wait()
    id_ = page.url.rsplit("/", 1)[1].partition("?")[0]
    game = visitor.context.request.get(f"{visitor.address}/api/games/{id_}").json()
    assert game["variant"] == "beginner"
    assert game["seats"]["sea"] | {"name": None} == {"kind": "computer", "level": 1, "name": None}


def test_axe_finds_no_violations_at_the_end_of_a_lesson_and_in_the_list(visitor: Visitor) -> None:
    page = visitor.go("/tutorial?lesson=move")
    complete(Table(page), "move")
    wrong = violations_in_all_looks(visitor)
    page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
    page.get_by_role("button", name=say("learn.tutorial.lessons")).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    wrong += violations(visitor)
    assert not wrong, "\n".join(wrong)
    page.get_by_role("dialog").get_by_role("link", name="A first plan").click()
    expect(page.locator(".lesson")).to_have_attribute("data-lesson", "plan")


@pytest.mark.slow
def test_lessons_work_on_a_static_site_without_a_connection(visits: Visits, site: Site) -> None:
    visitor = visits(site, workers=True)
    visitor.allow(ABSENCE)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    site.stop()
    page.goto("about:blank")
    page = visitor.go("/#/tutorial")
    table = Table(page)
    complete(table, "move")
    next_lesson(page).click()
    complete(table, "add")
    page.reload()
    expect(page.locator(".side li .completed")).to_have_count(2)


def test_lessons_work_if_storage_is_blocked(own_visitor: Visitor) -> None:
    own_visitor.context.add_init_script("""Object.defineProperty(window, 'localStorage', { get() {
        throw new DOMException('blocked', 'SecurityError');
    } })""")
    page = own_visitor.go("/tutorial")
    table = Table(page)
    complete(table, "move")
    next_lesson(page).click()
    complete(table, "add")
    assert completed(page) == ["Move", "Add"]


def test_a_lesson_can_be_retried_if_a_script_of_the_core_could_not_be_loaded(own_visitor: Visitor) -> None:
    own_visitor.allow("404|ERR_FAILED")
    page = own_visitor.page
    page.route("**/core.worker*", lambda route: route.fulfill(status=404))
    own_visitor.go("/tutorial?lesson=move")
    expect(page.get_by_text(say("common.problem.core-missing"))).to_be_visible()
    page.unroute("**/core.worker*")
    page.locator("main").get_by_role("button", name=say("common.retry")).click()
    complete(Table(page), "move")
