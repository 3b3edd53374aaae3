"""Accessibility: axe finds no violations with any theme or contrast, the board has labels, events are announced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visits
from tests.e2e.places import Place, go, places
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.table import Table, place
from tests.e2e.test_languages import PLACES
from tests.e2e.visit import DESKTOP, PHONE, Visitor
from tests.e2e.words import say, spoken

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
LOOKS: dict[str, dict[str, str]] = {
    "light": {"theme": "light", "contrast": "normal"},
    "dark": {"theme": "dark", "contrast": "normal"},
    "contrast": {"theme": "light", "contrast": "more"},
    "dark-contrast": {"theme": "dark", "contrast": "more"},
}
START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
CHAIN = "S1S1S/5/5/1F3/F3F b3MD,d3CD,a4CS DRAD (CGFCHPMMPSSASSSWTS) wofm 1-0 F"


@pytest.fixture(scope="module")
def all_places(server: Server) -> dict[str, Place]:
    return places(server)


STILL = """() => document.getAnimations().every(
    (each) => each.playState !== 'running' || each.effect?.getComputedTiming().iterations === Infinity)"""
"""Whether all finite animations have ended."""


COLOUR_RULES = """() => axe.getRules(['cat.color'])
    .filter((rule) => !rule.tags.includes('wcag2aaa')).map((rule) => rule.ruleId)"""
"""The rules about colours that axe applies by default."""


def violations(visitor: Visitor, *, colours_only: bool = False) -> list[str]:
    """The violations that axe finds on the current page, with all rules or only with those about colours."""
    page = visitor.page
    page.wait_for_function(STILL)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if colours_only:
        options["runOnly"] = {"type": "rule", "values": page.evaluate(COLOUR_RULES)}
    found: list[Any] = page.evaluate("async (options) => (await axe.run(document, options)).violations", options)
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: "
        + "; ".join(f"{node['target']} {node['failureSummary']}" for node in each["nodes"][:3])
        for each in found
    ]


def violations_in_all_looks(visitor: Visitor) -> list[str]:
    """The violations in each theme and contrast. Only colours differ between them, so the other rules run once."""
    wrong: list[str] = []
    for number, (look, settings) in enumerate(LOOKS.items()):
        visitor.choose(**settings)
        wrong += [f"{look}: {each}" for each in violations(visitor, colours_only=number > 0)]
    return wrong


@pytest.mark.proof
@pytest.mark.parametrize("name", PLACES)
def test_axe_finds_no_violations(visitor: Visitor, all_places: dict[str, Place], name: str) -> None:
    go(visitor, all_places[name])
    wrong = violations_in_all_looks(visitor)
    visitor.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    wrong += [f"phone: {violation}" for violation in violations(visitor)]
    assert not wrong, "\n".join(wrong)


def test_axe_finds_no_violations_in_dialogs_and_explanations(visits: Visits, server: Server) -> None:
    visitor = visits(size=DESKTOP)
    page = visitor.go(f"/game/{server.begin(START)}")
    table = Table(page)
    table.wait()
    table.pick("a1")
    assert not violations(visitor)
    page.get_by_role("button", name=say("play.help")).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert not violations(visitor)
    page.keyboard.press("Escape")
    place(page, "deck").click()
    assert not violations(visitor)
    place(page, "b3").click(force=True)
    expect(page.locator(".about .explain h2")).to_have_text("Chaos of the Giants")
    assert not violations(visitor)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    table.press("play.moves")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert not violations(visitor)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_violations_in_cards_to_choose_from(visits: Visits, server: Server, size: tuple[int, int]) -> None:
    visitor = visits(size=size)
    page = visitor.go(
        f"/game/{server.begin(START.replace('S1S1S', 'S1F1S', 1).replace('F1F1F', 'F3F', 1), ['c5-out'])}"
    )
    Table(page).wait()
    expect(page.get_by_role("group", name=say("cards.choose"))).to_be_visible()
    assert not violations(visitor)


def test_the_board_is_a_grid_of_labelled_cells(visitor: Visitor, server: Server) -> None:
    page = visitor.go(f"/game/{server.begin(START)}")
    grid = page.get_by_role("grid", name=say("play.label.field"))
    expect(grid.get_by_role("row")).to_have_count(5)
    expect(grid.get_by_role("gridcell")).to_have_count(25)
    for name in (
        spoken("a1", "forest"),
        "c3, empty",
        "b3, Chaos of the Giants",
        spoken("e5", "sea"),
    ):
        expect(grid.get_by_role("gridcell", name=name, exact=True)).to_have_count(1)
    expect(page.get_by_role("button", name="village: 2 shamans wait, score 0")).to_have_count(2)
    expect(page.get_by_role("button", name="Upcoming: Deer Rock")).to_have_count(1)
    assert all(cell.get_attribute("aria-label") for cell in grid.get_by_role("gridcell").all())


def test_events_are_announced(visitor: Visitor, server: Server) -> None:
    page = visitor.go(f"/game/{server.begin(CHAIN)}")
    table = Table(page)
    table.wait()
    log = page.get_by_role("log")
    table.play("b2 b3")
    expect(log).to_contain_text("b3")
    expect(page.get_by_role("status").filter(has_text="Menhir of the Dancers")).to_have_count(1)
    table.play("a4", "d3", "c1")
    for word in ("Cromlech of the Stars", "Cairn of Dawn", "c1"):
        expect(log).to_contain_text(word)


def test_the_computers_move_is_announced(visitor: Visitor, server: Server) -> None:
    page = visitor.go(f"/game/{server.begin(START, seats=AGAINST_COMPUTER)}")
    table = Table(page)
    table.wait()
    table.play("a1 a2")
    expect(page.get_by_role("log")).to_contain_text("Sea")


def test_reduced_motion_is_respected(visits: Visits, server: Server) -> None:
    visitor = visits(new_here=True)
    visitor.page.emulate_media(reduced_motion="reduce")
    page = visitor.go(f"/game/{server.begin(START)}")
    table = Table(page)
    table.wait()
    table.play("a1 a2")
    # The default speed depends on the system setting. The default is used, but not saved.
    assert "speed" not in visitor.settings()
    visitor.go("/settings")
    expect(page.get_by_role("radio", name="Instant")).to_be_checked()


def test_reduced_motion_stops_endless_animations(visits: Visits) -> None:
    visitor = visits(new_here=True)
    visitor.page.emulate_media(reduced_motion="reduce")
    page = visitor.go("/lobby?friend")
    page.get_by_role("button", name=say("online.new.go.friend")).click()
    expect(page.get_by_text(say("online.join.waiting"))).to_be_visible()
    running = "() => document.getAnimations().filter((each) => each.effect.getTiming().iterations === Infinity).length"
    assert page.evaluate(running) == 0


@pytest.mark.parametrize("size", [PHONE, PHONE[::-1], DESKTOP])
def test_sound_can_be_switched_on_at_every_screen_size(visits: Visits, server: Server, size: tuple[int, int]) -> None:
    visitor = visits(size=size)
    page = visitor.go(f"/game/{server.begin(START)}")
    Table(page).wait()
    page.get_by_role("button", name=say("play.sound.on")).locator("visible=true").click()
    expect(page.get_by_role("button", name=say("play.sound.off")).locator("visible=true")).to_have_count(1)
    assert visitor.settings()["sound"] is True


@pytest.mark.parametrize(("scheme", "theme"), [("dark", "dark"), ("light", "light")])
def test_the_pages_follow_the_systems_colour_scheme(visits: Visits, scheme: Any, theme: str) -> None:
    visitor = visits(new_here=True)
    visitor.page.emulate_media(color_scheme=scheme)
    page = visitor.go("/")
    assert page.evaluate("() => document.documentElement.dataset.theme") == theme


@pytest.mark.parametrize(("locale", "language"), [("fr-CH", "fr"), ("de", "de"), ("ru-RU", "ru"), ("ja", "en")])
def test_the_pages_use_the_browsers_language_until_another_is_chosen(
    visits: Visits, locale: str, language: str
) -> None:
    visitor = visits(new_here=True, locale=locale)
    page = visitor.go("/")
    assert page.evaluate("() => document.documentElement.lang") == language
    expect(page.get_by_text(say("common.home.lead", language))).to_be_visible()
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_text(say("common.home.lead", "fr"))).to_be_visible()
    page.reload()
    expect(page.get_by_text(say("common.home.lead", "fr"))).to_be_visible()
