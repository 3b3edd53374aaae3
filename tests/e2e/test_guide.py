"""A guided first game: one-time tips, hints, threats, and the show of a victory."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.away import Away
from tests.e2e.conftest import Visits
from tests.e2e.places import WINS
from tests.e2e.server import AGAINST_COMPUTER, PERSON, Server
from tests.e2e.table import Table, place
from tests.e2e.test_access import violations
from tests.e2e.visit import DESKTOP, PHONE, Visitor
from tests.e2e.words import LANGUAGES, say

SMALL: Final = (360, 640)
LANDSCAPE: Final = (844, 390)
START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
EXIT: Final = "S1F2/5/5/5/F4 - PSMD (ADCS) wofm 1-0 F"
"""Forest on c5 can leave the field."""
LINE: Final = "S4/5/1FS2/3F1/F4 - PSMD (ADCS) wofm 0-0 F"
"""Forest can transform c3 after d2-d3."""
THREATENED: Final = "5/2F2/5/1SF2/F2S1 b3DR,c5CD PSMD (ADCS) wofm 1-1 F"
PILLARS: Final = "S1S1S/5/5/1F3/F3F b3PS,d3CD DRMD (ADCGCSSA) wofm 0-0 F"
"""Sea on d1 can leave the field, and can transform c2 after d1-d2."""
EARLY: Final = ["goal", "tiles"]
ALL: Final = [*EARLY, "strip", "flip", "stone", "exit", "line"]

NEEDED: Final = ".prompt, .strip, .tiles button, .help button, .play [data-target], .play [aria-selected=true]"
MARKS: Final = ".play [data-drawn=number], .play [data-drawn] .head, .play [data-drawn=band]"
COVERED: Final = """(selector) => {
    const note = document.querySelector('.tip');
    if (!note.checkVisibility({ visibilityProperty: true })) return [];
    const tip = note.getBoundingClientRect();
    return [...document.querySelectorAll(selector)].filter((each) => {
        const box = each.getBoundingClientRect();
        return Math.min(tip.right, box.right) - Math.max(tip.left, box.left) > 0.5
            && Math.min(tip.bottom, box.bottom) - Math.max(tip.top, box.top) > 0.5;
    }).map((each) => each.dataset.target ?? each.dataset.pick ?? each.className);
}"""
"""What the tip covers, of all elements that match a selector."""


def against(level: int) -> Mapping[str, Any]:
    return {"forest": PERSON, "sea": {"kind": "computer", "level": level}}


def guided(visits: Visits, told: list[str], **options: Any) -> Visitor:
    """A visitor who has been told only some of the tips."""
    visitor = visits(**options)
    text = json.dumps(json.dumps(told))
    visitor.page.add_init_script(
        f"if (!localStorage.getItem('cairn.tips')) localStorage.setItem('cairn.tips', {text});"
    )
    return visitor


def open_game(visitor: Visitor, game: str) -> Table:
    visitor.go(f"/game/{game}")
    table = Table(visitor.page)
    table.wait()
    return table


def tip(page: Page, name: str) -> None:
    expect(page.locator(f".tip.placed[data-tip={name}]")).to_be_visible()


def told(page: Page) -> list[str]:
    return list(json.loads(page.evaluate("() => localStorage.getItem('cairn.tips')") or "[]"))


# Tips


@pytest.mark.parametrize("size", [PHONE, SMALL, LANDSCAPE, DESKTOP], ids=["phone", "small phone", "landscape", "desk"])
def test_a_first_game_from_the_home_page_begins_with_a_tip_that_covers_nothing(
    visits: Visits, size: tuple[int, int]
) -> None:
    visitor = visits(new_here=True, size=size, touch=size != DESKTOP, locale="en")
    page = visitor.go("/")
    page.get_by_role("button", name=re.compile("Pebble")).click()
    tip(page, "goal")
    expect(page.locator(".notice")).to_have_count(0)
    assert page.evaluate(COVERED, NEEDED) == []


@pytest.mark.matrix
@pytest.mark.parametrize("size", [PHONE, SMALL, LANDSCAPE, DESKTOP], ids=["phone", "small phone", "landscape", "desk"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "position", "known"),
    [
        ("goal", START, []),
        ("tiles", START, ["goal"]),
        ("stone", "S1S1S/5/5/1F3/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F", EARLY),
        ("exit", EXIT, ["goal"]),
    ],
)
def test_no_tip_covers_what_the_player_needs(
    visits: Visits, server: Server, size: tuple[int, int], language: str, name: str, position: str, known: list[str]
) -> None:
    visitor = guided(visits, known, size=size, touch=size != DESKTOP, settings={"language": language})
    visitor.go(f"/game/{server.begin(position, seats=AGAINST_COMPUTER)}")
    page = visitor.page
    tip(page, name)
    assert page.evaluate(COVERED, NEEDED) == []
    box = page.locator(".tip").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size[0]
    assert box["y"] + box["height"] <= size[1]
    target = place(page, page.evaluate("() => document.querySelector('.play [data-target]').dataset.target"))
    if size == DESKTOP:
        target.click()
    else:
        target.tap()
    expect(target).to_have_attribute("aria-selected", "true")
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    assert page.evaluate(COVERED, NEEDED) == []


def test_a_tip_is_closed_with_one_click_and_does_not_come_again(visits: Visits, server: Server) -> None:
    visitor = guided(visits, [])
    game = server.begin(START, seats=AGAINST_COMPUTER)
    page = open_game(visitor, game).page
    tip(page, "goal")
    page.get_by_role("button", name=say("guide.tip.ok")).click()
    tip(page, "tiles")
    assert told(page) == ["goal"]
    page.reload()
    tip(page, "tiles")
    page.get_by_role("button", name=say("guide.tip.ok")).click()
    expect(page.locator(".tip")).to_have_count(0)
    assert told(page) == EARLY


def test_escape_closes_a_tip(visits: Visits, server: Server) -> None:
    page = open_game(guided(visits, ["goal"]), server.begin(START, seats=AGAINST_COMPUTER)).page
    tip(page, "tiles")
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_have_count(0)


def test_a_hint_replaces_a_refusal_and_the_step_of_a_turn(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(START, ["c1-c2", "c5-d4"], seats=AGAINST_COMPUTER))
    page = table.page
    page.locator(".strip [data-step]").first.click()
    expect(page.locator(".prompt p")).to_contain_text("Sea moves from c5 to d4")
    expect(page.locator(".player.forest")).to_have_class(re.compile("decides"))
    table.pick("c2")
    place(page, "a4").click(force=True)
    expect(page.locator(".prompt")).to_contain_text("a4 is out of reach")
    page.keyboard.press("h")
    expect(page.locator(".prompt p")).to_contain_text("Try this")


def test_the_prompt_promises_the_next_turn_only_once(visits: Visits, server: Server) -> None:
    """Pillars of Spring give one more turn. At the end of that turn, the prompt no longer promises another."""
    visitor = visits(settings={"confirmTurn": True})
    table = open_game(visitor, server.begin(PILLARS, seats=AGAINST_COMPUTER))
    table.pick("b2", "b3")
    prompt = table.page.locator(".prompt")
    expect(prompt).to_contain_text("Pillars of Spring give Forest the next turn")
    table.page.get_by_role("button", name=say("play.confirm")).click()
    table.pick("a1", "b2")
    expect(prompt).to_contain_text("Confirm your turn")
    expect(prompt).not_to_contain_text("Pillars of Spring")


def test_a_tip_is_gone_when_the_player_moves_on(visits: Visits, server: Server) -> None:
    table = open_game(guided(visits, ["goal"]), server.begin(START, seats=AGAINST_COMPUTER))
    page = table.page
    tip(page, "tiles")
    table.pick("a1", "a2")
    tip(page, "strip")  # after the computer's turn
    assert told(page) == EARLY
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_have_count(0)
    table.wait()
    assert told(page) == [*EARLY, "strip"]


def test_tips_come_with_the_exit_and_the_line(visits: Visits, server: Server) -> None:
    visitor = guided(visits, ["goal"])
    table = open_game(visitor, server.begin(EXIT, seats=AGAINST_COMPUTER))
    tip(table.page, "exit")
    table = open_game(visitor, server.begin(LINE, seats=AGAINST_COMPUTER))
    tip(table.page, "tiles")
    table.pick("d2", "d3")
    tip(table.page, "line")
    expect(table.page.locator(".tip")).to_contain_text("build here and score a point")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desk"])
def test_a_tip_covers_no_mark_of_the_turn(visits: Visits, server: Server, size: tuple[int, int]) -> None:
    visitor = guided(visits, EARLY, size=size, touch=size != DESKTOP)
    visitor.go(f"/game/{server.begin(LINE, ['d2-d3'], AGAINST_COMPUTER)}")
    tip(visitor.page, "line")
    assert visitor.page.evaluate(COVERED, MARKS) == []


def test_all_tips_can_be_switched_off(visits: Visits, server: Server) -> None:
    visitor = guided(visits, [])
    page = open_game(visitor, server.begin(START, seats=AGAINST_COMPUTER)).page
    page.get_by_role("button", name=say("guide.tip.off")).click()
    expect(page.locator(".tip")).to_have_count(0)
    assert sorted(told(page)) == sorted(ALL)


def test_a_tip_is_announced_and_accessible(visits: Visits, server: Server) -> None:
    visitor = guided(visits, [])
    page = open_game(visitor, server.begin(START, seats=AGAINST_COMPUTER)).page
    tip(page, "goal")
    expect(page.get_by_role("status").filter(has_text=say("guide.tip.goal"))).to_have_count(1)
    assert violations(visitor) == []


# Hints


def test_a_hint_shows_a_good_move_and_says_why(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(WINS, seats=against(3)))
    page = table.page
    page.get_by_role("button", name=say("guide.hint")).click()
    sentence = "Try this: Forest steps off the field from c5. It wins the game."
    expect(page.locator(".prompt p")).to_have_text(sentence)
    expect(page.get_by_role("status").filter(has_text=sentence)).to_have_count(1)
    expect(page.locator(".board .good[data-drawn=arrow]")).to_have_count(1)
    assert violations(visitor) == []
    table.pick("c5")  # the question comes back, the arrow stays
    expect(page.locator(".prompt p")).to_contain_text("Where to from c5?")
    expect(page.locator(".board .good[data-drawn=arrow]")).to_have_count(1)
    table.pick("village:sea")
    table.wait()
    expect(page.locator(".board .good[data-drawn=arrow]")).to_have_count(0)


def test_a_hint_by_key_in_the_middle_of_a_turn(visitor: Visitor, server: Server) -> None:
    table = open_game(visitor, server.begin(LINE, seats=AGAINST_COMPUTER))
    table.pick("d2", "d3")
    page = table.page
    expect(page.locator(".prompt p")).to_contain_text("Banish the enemy on c3")
    page.keyboard.press("h")
    expect(page.locator(".prompt p")).to_contain_text("Try this: Forest makes a transformation")
    expect(page.locator(".prompt p")).to_contain_text("You build and score a point.")
    expect(page.locator(".board .good[data-drawn=circle]")).to_have_count(1)


def test_there_is_no_help_above_level_3_or_between_two_people(visitor: Visitor, server: Server) -> None:
    page = open_game(visitor, server.begin(START, seats=against(4))).page
    expect(page.locator(".help")).to_have_count(0)
    page = open_game(visitor, server.begin(START)).page
    expect(page.locator(".help")).to_have_count(0)
    page = open_game(visitor, server.begin(START, seats=against(3))).page
    expect(page.locator(".help button")).to_have_count(2)


def test_a_game_on_this_device_has_the_same_help(on_site: Away) -> None:
    page = on_site.go("/")
    page.get_by_role("button", name=re.compile("Pebble")).click()
    table = on_site.table()
    expect(table.page.get_by_role("button", name=say("guide.hint"))).to_be_enabled()
    page.get_by_role("button", name=say("guide.hint")).click()
    expect(page.locator(".prompt p")).to_contain_text("Try this: Forest")
    page.get_by_role("button", name=say("guide.threats")).click()
    expect(page.locator(".prompt p")).to_contain_text("cannot score next turn")


# Threats


def test_threats_are_marked_listed_and_spoken(visitor: Visitor, server: Server) -> None:
    game = server.begin(THREATENED, seats=AGAINST_COMPUTER)
    page = open_game(visitor, game).page
    page.get_by_role("button", name=say("guide.threats")).click()
    sentence = (
        "With the tiles as they are now, Sea could score: by leaving the field from d1; by a transformation on c2."
    )
    expect(page.locator(".prompt p")).to_have_text(sentence)
    expect(page.get_by_role("status").filter(has_text=sentence)).to_have_count(1)
    expect(page.locator(".board [data-drawn=threat]")).to_have_count(2)
    expect(page.get_by_role("button", name="Threats: 2")).to_have_attribute("aria-pressed", "true")
    assert violations(visitor) == []
    page.reload()  # the choice is kept
    expect(page.locator(".board [data-drawn=threat]")).to_have_count(2)
    page.keyboard.press("t")
    expect(page.locator(".board [data-drawn=threat]")).to_have_count(0)


def test_a_turn_that_waits_for_confirmation_shows_what_comes_next(visits: Visits, server: Server) -> None:
    visitor = visits(settings={"confirmTurn": True})
    table = open_game(visitor, server.begin(THREATENED, seats=AGAINST_COMPUTER))
    page = table.page
    table.pick("c4", "d4")
    expect(page.get_by_role("button", name=say("play.confirm"))).to_be_visible()
    page.get_by_role("button", name=say("guide.threats")).click()
    expect(page.locator(".prompt p")).to_contain_text("Next turn Sea could score: by leaving the field from d1")


# Victory


def win(table: Table) -> None:
    table.pick("c5", "village:sea")
    table.wait()
    table.pick("slot:0")


def moving(visits: Visits, **options: Any) -> Visitor:
    return visits(settings={"speed": "quick"}, **options)


@pytest.mark.parametrize("by", ["tap", "Enter", "Escape", "u"])
def test_a_victory_is_shown_and_can_be_skipped(visits: Visits, server: Server, by: str) -> None:
    visitor = moving(visits)
    table = open_game(visitor, server.begin(WINS, seats=AGAINST_COMPUTER))
    page = table.page
    win(table)
    shown = page.locator(".victory")
    expect(shown).to_contain_text("Pebble is beaten.")
    expect(shown.locator(".stone")).to_have_count(3)
    expect(page.locator("section.end")).to_have_count(0)
    page.keyboard.press("Control")  # keys of the browser do not skip it
    expect(shown).to_be_visible()
    if by == "tap":
        page.mouse.click(20, 400)
    else:
        page.keyboard.press(by)  # even if the key means something during the game
    expect(shown).to_have_count(0)
    expect(page.locator("section.end")).to_contain_text("You win!")
    page.reload()
    expect(page.locator("section.end")).to_be_visible()
    expect(shown).to_have_count(0)


def test_a_victory_ends_by_itself(visits: Visits, server: Server) -> None:
    table = open_game(moving(visits), server.begin(WINS, seats=AGAINST_COMPUTER))
    win(table)
    expect(table.page.locator(".victory")).to_be_visible()
    expect(table.page.locator("section.end")).to_be_visible()


def test_a_victory_is_still_with_reduced_motion(visits: Visits, server: Server) -> None:
    visitor = visits()
    visitor.page.emulate_media(reduced_motion="reduce")
    table = open_game(visitor, server.begin(WINS, seats=AGAINST_COMPUTER))
    page = table.page
    win(table)
    expect(page.locator(".victory")).to_be_visible()
    running = page.evaluate(
        """() => [...document.querySelectorAll('.victory *')].flatMap((each) => each.getAnimations())
            .filter((each) => each.playState === 'running').length"""
    )
    assert running == 0
    assert violations(visitor) == []
