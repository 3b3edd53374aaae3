"""The analysis board: best lines, variations, draws, threats, records and links, and no help in running games."""

from __future__ import annotations

import re
from urllib.parse import quote

from playwright.sync_api import Page, Route, expect

from cairn import read_record
from tests.e2e.away import ABSENCE, wait_until_kept
from tests.e2e.conftest import Visits
from tests.e2e.server import Server
from tests.e2e.test_online import meet
from tests.e2e.visit import Visitor
from tests.e2e.words import say

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
WINS = "S1F1S/5/1S3/5/F3F e2PS,b3CG,d3CD,b4AD,d4DR SAMD CS wofm 2-1 F"
BUILDS = "S1F1S/5/1S3/5/F3F e2PS,b3CG,d3CD SAMD (ADCSDR) wofm 0-1 F"
"""A position in which Forest leaves the field, builds, and a tile is drawn."""


def analyse(visitor: Visitor, position: str) -> Page:
    return visitor.go(f"/analysis?position={quote(position)}")


def settle(page: Page) -> None:
    """Wait until the link has been written, which happens shortly after the last change."""
    before = ""
    while page.url != before:
        before = page.url
        page.wait_for_timeout(1_200)


def steps(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".tree button").all_inner_texts()][1:]


def test_the_best_lines_are_shown_with_forests_expected_result_and_can_be_played(visitor: Visitor) -> None:
    page = visitor.go("/")
    page.get_by_role("link", name=re.compile(f"^{say('study.title')}")).click()
    lines = page.get_by_role("list", name=say("study.lines")).get_by_role("listitem")
    expect(lines).to_have_count(3)
    expect(lines.first).to_contain_text(re.compile(r"\d+%"))
    meter = page.get_by_role("meter", name=say("study.bar"))
    expect(meter).to_have_attribute("aria-valuetext", re.compile(r"\d+%"))
    page.get_by_role("combobox", name=say("study.count")).select_option("1")
    expect(lines).to_have_count(1)
    lines.first.get_by_role("button").first.click()
    # The engine may find a better step before the click.
    expect(page.locator(".tree [aria-current]")).to_have_text(re.compile(r"[a-e][1-5]"))
    assert len(steps(page)) == 1
    page.get_by_role("button", name=say("study.engine.off")).click()
    expect(lines).to_have_count(0)


def test_a_proven_win_is_shown_as_such(visitor: Visitor) -> None:
    page = analyse(visitor, WINS)
    lines = page.get_by_role("list", name=say("study.lines")).get_by_role("listitem")
    expect(lines.first).to_contain_text("Forest wins")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "100")


def test_variations_marks_and_comments_survive_a_reload_and_are_part_of_the_record(visitor: Visitor) -> None:
    page = analyse(visitor, START)
    for pick in ("a1", "a2"):
        page.locator(f'[data-pick="{pick}"]').click()
    expect(page.locator(".tree [aria-current]")).to_have_text("a1-a2")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tree [aria-current]")).to_have_text(say("study.start"))
    for pick in ("c1", "c2"):
        page.locator(f'[data-pick="{pick}"]').click()
    expect(page.locator(".variation [aria-current]")).to_have_text("c1-c2")
    page.get_by_role("button", name=say("study.mark.2")).click()
    page.get_by_label(say("study.comment")).fill("too slow")
    expect(page).to_have_url(re.compile(r"/analysis#[\w-]{20,}"))
    settle(page)
    page.reload()
    expect(page.locator(".variation button")).to_have_text("c1-c2?")
    expect(page.locator(".variation .comment")).to_have_text("too slow")
    with page.expect_download() as saved:
        page.get_by_role("button", name=say("play.record.download")).click()
    text = saved.value.path().read_text("utf-8")
    assert "1 F a1-a2 {(c1-c2 $2 [too slow])}" in text
    record = read_record(text)
    assert [str(token) for token in record.game.tokens] == ["a1-a2"]  # older readers read the main line
    page.locator(".variation button").click()
    page.get_by_role("button", name=say("study.promote")).click()
    expect(page.locator(".variation button")).to_have_text("a1-a2")
    page.get_by_role("button", name=say("study.remove")).click()
    assert steps(page) == ["a1-a2"]


def test_at_a_draw_you_choose_the_tile_that_comes(visitor: Visitor) -> None:
    page = analyse(visitor, BUILDS)
    for pick in ("c5", "village:sea"):
        page.locator(f'[data-pick="{pick}"]').first.click()
    page.locator('[data-pick="slot:0"]').first.click()
    draws = page.get_by_role("group", name=say("study.draw"))
    expect(draws.get_by_role("button")).to_have_count(3)
    draws.get_by_role("button").nth(1).click()
    expect(page.locator(".tree [aria-current]")).to_have_text(re.compile(r"^\?[A-Z]{2}$"))
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowLeft")
    draws.get_by_role("button").first.click()
    expect(page.locator(".variation [aria-current]")).to_have_text(re.compile(r"^\?[A-Z]{2}$"))


def test_threats_show_what_the_opponent_would_do(visitor: Visitor) -> None:
    page = analyse(visitor, "S1S1S/5/5/F4/2F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F".replace("/F4/", "/4S/"))
    page.get_by_role("button", name=say("study.threats")).click()
    expect(page.get_by_role("button", name=say("study.threats"))).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".told")).to_contain_text("Sea")


def test_a_record_with_faults_is_refused_with_reasons_and_a_good_one_is_opened(visitor: Visitor) -> None:
    page = analyse(visitor, START)
    page.get_by_text(say("study.import")).click()
    text = page.get_by_label(say("study.import.text"))
    opens = page.get_by_role("button", name=say("study.import.open"), exact=True)
    text.fill("nonsense")
    opens.click()
    expect(page.locator("#import-faults").get_by_role("listitem")).not_to_have_count(0)
    text.fill(f'[Position "{START}"]\n\n1 F a1-a2 {{(c1-c2 [yes] c5-b4)}} {{(not a variation)}}\n2 S a5-b4\n*\n')
    opens.click()
    expect(page.locator(".tree button")).to_have_count(5)
    expect(page.locator(".comment")).to_have_text(["(not a variation)", "yes"])


def test_a_finished_game_opens_on_the_analysis_board(visitor: Visitor, server: Server) -> None:
    game = server.begin(WINS, ["c5-out", "=MD"])
    page = visitor.go(f"/game/{game}")
    page.get_by_role("link", name=say("study.title"), exact=True).click()
    expect(page.locator(".tree button")).to_have_count(3)
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("End")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "100")
    page = visitor.go(f"/setup?position={quote(START)}")
    page.get_by_role("link", name=say("study.title")).click()
    expect(page.locator(".tree")).to_be_visible()


def test_the_hand_made_evaluation_replaces_a_network_that_cannot_be_loaded(own_visitor: Visitor) -> None:
    own_visitor.allow("network|ERR_FAILED")
    own_visitor.page.route("**/*.bin", lambda route: route.abort())
    page = analyse(own_visitor, START)
    expect(page.get_by_text(say("study.no-network"))).to_be_visible()


def test_a_file_without_weights_does_not_count_as_the_network(own_visitor: Visitor) -> None:
    # Some static hosts answer a missing file with their start page.
    page_instead = {"status": 200, "content_type": "text/html", "body": "<!doctype html>"}
    own_visitor.page.route("**/*.bin", lambda route: route.fulfill(**page_instead))
    page = analyse(own_visitor, START)
    expect(page.get_by_text(say("study.no-network"))).to_be_visible()


def test_the_board_and_its_network_work_without_the_server(visits: Visits, own_server: Server) -> None:
    visitor = visits(own_server, workers=True)
    visitor.allow(ABSENCE)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    own_server.kill()
    page = analyse(visitor, START)
    lines = page.get_by_role("list", name=say("study.lines")).get_by_role("listitem")
    expect(lines).to_have_count(3)
    expect(page.get_by_text(say("study.no-network"))).to_have_count(0)


def test_the_engine_waits_until_the_running_games_are_known(own_visitor: Visitor) -> None:
    own_visitor.allow("503")
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=503)

    own_visitor.page.route("**/api/games?*", refuse)
    page = analyse(own_visitor, START)
    lines = page.get_by_role("list", name=say("study.lines")).get_by_role("listitem")
    expect(page.get_by_text(say("study.thinking"))).to_be_visible()
    page.wait_for_timeout(1_500)  # long enough for the engine's first lines
    expect(lines).to_have_count(0)
    assert len(refused) > 1
    page.unroute("**/api/games?*")
    expect(lines).to_have_count(3)


def test_the_engine_does_not_help_in_a_running_online_game(visits: Visits, server: Server) -> None:
    ada, bertil = visits(), visits()
    game = meet(ada, bertil)
    page = ada.go(f"/analysis?game={game}")
    expect(page.get_by_text(say("study.running"))).to_be_visible()
    position = server.game(game)["now"]["position"]
    page = analyse(ada, position)
    expect(page.get_by_text(say("study.forbidden"))).to_be_visible()
    expect(page.get_by_role("list", name=say("study.lines"))).to_have_count(0)


def test_a_line_that_leads_through_a_running_game_gets_no_help_either(visits: Visits, server: Server) -> None:
    ada, bertil = visits(), visits()
    game = meet(ada, bertil)
    now = server.game(game)["now"]
    page = analyse(ada, now["position"])
    expect(page.get_by_text(say("study.forbidden"))).to_be_visible()
    for pick in now["choices"][0]["paths"][0]:
        page.locator(f'[data-pick="{pick}"]').first.click()
    expect(page.locator(".tree [aria-current]")).to_have_text(now["choices"][0]["token"])
    expect(page.get_by_text(say("study.forbidden"))).to_be_visible()
    expect(page.get_by_role("list", name=say("study.lines"))).to_have_count(0)


def test_a_study_is_saved_on_the_device_found_in_my_games_and_changed(visitor: Visitor) -> None:
    page = analyse(visitor, START)
    for pick in ("a1", "a2"):
        page.locator(f'[data-pick="{pick}"]').click()
    expect(page.locator(".tree [aria-current]")).to_have_text("a1-a2")
    page.get_by_label(say("study.name")).fill("First steps")
    page.get_by_role("button", name=say("study.save"), exact=True).click()
    expect(page.get_by_text(say("study.saved"))).to_be_visible()
    expect(page.get_by_text(say("study.save.auto"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"/analysis\?study=\w+$"))
    expect(page.locator(".tree [aria-current]")).to_have_text("a1-a2")  # the study stays as it was
    # Every change is saved at once.
    page.get_by_role("button", name=say("study.mark.3")).click()
    page.wait_for_timeout(600)
    visitor.go("/games")
    page.get_by_role("link", name="First steps").click()
    expect(page.locator(".tree button")).to_have_text([say("study.start"), "a1-a2!!"])
    # A deleted study can be restored.
    visitor.go("/games")
    page.get_by_role("button", name=f"{say('games.delete')}: First steps").click()
    expect(page.get_by_role("link", name="First steps")).to_have_count(0)
    page.get_by_role("button", name=say("games.restore")).click()
    expect(page.get_by_role("link", name="First steps")).to_be_visible()
    page = visitor.go("/analysis?study=unknown")
    expect(page.get_by_text(say("study.missing"))).to_be_visible()


NO_WEBASSEMBLY = "delete globalThis.WebAssembly"


def test_the_server_analyses_for_a_browser_without_webassembly(own_visitor: Visitor, server: Server) -> None:
    own_visitor.context.add_init_script(NO_WEBASSEMBLY)
    page = analyse(own_visitor, BUILDS)
    expect(page.get_by_text(say("study.remote"), exact=True)).to_be_visible()
    lines = page.get_by_role("list", name=say("study.lines")).get_by_role("listitem")
    expect(lines).to_have_count(3)
    expect(lines.first).to_contain_text(re.compile(r"\d+%|Forest wins"))
    # What cannot work is not offered.
    expect(page.get_by_text(say("study.remote.save"))).to_be_visible()
    expect(page.get_by_role("button", name=say("study.link"))).to_have_count(0)
    expect(page.get_by_role("button", name=say("study.threats"))).to_be_disabled()
    for pick in ("c5", "village:sea"):
        page.locator(f'[data-pick="{pick}"]').first.click()
    page.locator('[data-pick="slot:0"]').first.click()
    draws = page.get_by_role("group", name=say("study.draw"))
    expect(draws.get_by_role("button")).to_have_count(3)
    draws.get_by_role("button").first.click()
    expect(page.locator(".tree [aria-current]")).to_have_text(re.compile(r"^\?[A-Z]{2}$"))
    # A finished game of the server opens too.
    game = server.begin(WINS, ["c5-out", "=MD"])
    page = own_visitor.go(f"/analysis?game={game}")
    expect(page.locator(".tree button")).to_have_count(3)
