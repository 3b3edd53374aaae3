"""The explorer on the analysis board, and the page that shows how the megaliths perform."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from cairn import Board, Variant, explorer
from tests.e2e.away import ABSENCE, wait_until_kept
from tests.e2e.builds import Site
from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.server import Server
from tests.e2e.test_access import violations
from tests.e2e.test_languages import SMALL
from tests.e2e.test_online import meet
from tests.e2e.visit import Visitor
from tests.e2e.words import LANGUAGES, say

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
AS_SEA = "S1S1S/5/5/5/F1F1F b3CG,d3CD PSAD (CSDRMDSA) bofm 0-0 S"
"""The same start after a half-turn and a mirror, with other upcoming megaliths."""
UNKNOWN = "S3S/2S2/5/1F2F/F3F e2PS,a3WC,c3FC,d4SA,b5MM DRSW (ADCSHETS) wdem 1-1 F"


def open_explorer(page: Page, language: str = "en") -> Locator:
    section = page.get_by_role("region", name=say("explorer.title", language))
    section.get_by_role("button", name=say("explorer.show", language)).click()
    return section


def filter_of(place: Page | Locator, key: str, language: str = "en") -> Locator:
    return place.get_by_role("combobox", name=say(key, language), exact=True)


def rows(section: Locator) -> list[tuple[str, int]]:
    """The tokens of the explorer with their numbers of games."""
    section.locator("table[aria-busy=false]").wait_for()
    found = section.locator("tbody tr").all()
    games = [int(row.locator("td").first.inner_text().replace(",", "")) for row in found]
    return [(row.get_by_role("button").inner_text(), count) for row, count in zip(found, games, strict=True)]


def expected(position: str, variant: Variant | None = None, *, any_megaliths: bool = False) -> list[tuple[str, int]]:
    explored = explorer.released().explore(Board(position), variant, any_megaliths=any_megaliths).tokens
    return [(str(each.token), each.games) for each in explored][:12]


def test_the_panel_shows_what_the_python_api_finds_and_plays_a_token(visitor: Visitor) -> None:
    page = visitor.go(f"/analysis?position={quote(START)}")
    section = open_explorer(page)
    assert dict(rows(section)) == dict(expected(START))
    filter_of(section, "explorer.variant").select_option("beginner")
    filter_of(section, "explorer.megaliths").select_option(label=say("explorer.megaliths.any"))
    total = sum(games for _, games in expected(START, Variant.BEGINNER, any_megaliths=True))
    expect(section.locator("caption")).to_have_text(re.compile(rf"^{total:,} games"))
    assert dict(rows(section)) == dict(expected(START, Variant.BEGINNER, any_megaliths=True))
    token = rows(section)[0][0]
    section.get_by_role("button", name=token, exact=True).click()
    expect(page.locator(".tree [aria-current]")).to_have_text(token)
    after = Board(START, [token]).turn_start
    total = sum(games for _, games in expected(after, Variant.BEGINNER, any_megaliths=True))
    expect(section.locator("caption")).to_have_text(re.compile(rf"^{total:,} game"))


def test_symmetric_positions_are_one(visitor: Visitor) -> None:
    page = visitor.go(f"/analysis?position={quote(START)}")
    ours = rows(open_explorer(page))
    page = visitor.go(f"/analysis?position={quote(AS_SEA)}")
    theirs = rows(open_explorer(page))
    assert [games for _, games in theirs] == [games for _, games in ours]
    assert {token for token, _ in theirs} <= {str(token) for token in Board(AS_SEA).legal_moves}


def test_an_unknown_position_is_said_to_be_unknown(visitor: Visitor) -> None:
    page = visitor.go(f"/analysis?position={quote(UNKNOWN)}")
    section = open_explorer(page)
    expect(section.get_by_text(say("explorer.unknown"))).to_be_visible()
    section.get_by_role("button", name=say("explorer.unknown.any")).click()
    expect(filter_of(section, "explorer.megaliths")).to_have_value("true")


def test_finished_games_of_the_server_are_explored(visits: Visits, own_server: Server) -> None:
    visitor = visits(own_server)
    page = visitor.go(f"/analysis?position={quote(START)}")
    section = open_explorer(page)
    filter_of(section, "explorer.source").select_option("players")
    expect(section.get_by_text(say("explorer.unknown"))).to_be_visible()
    expect(filter_of(section, "explorer.rating")).to_be_visible()
    game = own_server.ask("POST", "/games", {"seats": {"forest": {"kind": "person"}, "sea": {"kind": "person"}}})
    first = game["now"]["choices"][0]["token"]
    while game["now"]["outcome"] is None:
        token = game["now"]["choices"][0]["token"]
        body = {"revision": game["revision"], "tribe": game["now"]["decider"], "token": token}
        own_server.ask("POST", f"/games/{game['id']}/tokens", body)
        game = own_server.game(game["id"])
    own_server.rebuild_explorer()  # the server would do it within 40 seconds
    page = visitor.go(f"/analysis?position={quote(game['start'])}")
    section = page.get_by_role("region", name=say("explorer.title"))
    section.get_by_role("button", name=say("explorer.show")).click()
    filter_of(section, "explorer.source").select_option("players")
    assert rows(section) == [(first, 1)]
    page = visitor.go("/learn/megaliths/performance")
    filter_of(page, "explorer.source").select_option("players")
    expect(page.locator("main p[role=status]")).to_have_text("1 game")


def test_the_performance_of_the_megaliths_is_linked_from_the_gallery(visitor: Visitor) -> None:
    page = visitor.go("/learn/megaliths")
    page.get_by_role("link", name=say("explorer.performance.link")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(say("explorer.performance.title"))
    table = page.get_by_role("table", name=say("explorer.performance.megaliths"))
    expect(table.locator("tbody tr")).to_have_count(17)
    filter_of(page, "explorer.variant").select_option("beginner")
    expect(table.locator("tbody tr")).to_have_count(6)
    found = {tile.name: each for tile, each in explorer.released().megaliths(Variant.BEGINNER).items()}
    best = max(found.items(), key=lambda item: item[1].results.score)
    expect(table.locator("tbody th").first).to_have_text(best[0])
    expect(table.locator("tbody td").first).to_contain_text(f"{best[1].built:,} of {best[1].offered:,}")


def test_the_explorer_does_not_help_in_a_running_online_game(visits: Visits, server: Server) -> None:
    ada, bertil = visits(), visits()
    position = server.game(meet(ada, bertil))["now"]["position"]
    page = ada.go(f"/analysis?position={quote(position)}")
    expect(page.get_by_text(say("study.forbidden"))).to_be_visible()
    section = open_explorer(page)
    expect(section.get_by_text(say("explorer.forbidden"))).to_be_visible()
    expect(section.get_by_role("table")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_explorer_fits_a_small_phone_in_every_language(visits: Visits, language: str) -> None:
    visitor = visits(size=SMALL, touch=True, settings={"language": language})
    page = visitor.go(f"/analysis?position={quote(START)}")
    section = open_explorer(page, language)
    expect(section.locator("tbody tr").first).to_be_visible()
    wrong = faults(page) + violations(visitor)
    filter_of(section, "explorer.source", language).select_option("players")
    expect(filter_of(section, "explorer.rating", language)).to_be_visible()
    wrong += faults(page)
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.proof
def test_the_explorer_works_on_a_static_site_and_offline(visits: Visits, site: Site) -> None:
    visitor = visits(site, workers=True)
    visitor.allow(ABSENCE)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    site.stop()
    page.goto("about:blank")
    page = visitor.go(f"/#/analysis?position={quote(START)}")
    section = open_explorer(page)
    expect(filter_of(section, "explorer.source")).to_have_count(0)
    assert dict(rows(section)) == dict(expected(START))
    page.goto("about:blank")
    page = visitor.go("/#/learn/megaliths/performance")
    expect(page.get_by_role("table").first.locator("tbody tr")).to_have_count(17)
