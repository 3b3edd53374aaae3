"""The player's own mistakes: found by reviews, practised on the board, learnt, and kept on this device."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from cairn import FOREST, Record, write_record
from cairn.engine.review import Decision, Judgement
from tests.e2e.away import Away
from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.test_access import violations_in_all_looks
from tests.e2e.test_review import finish, picks_for, reviewed
from tests.e2e.visit import PHONE, Visitor
from tests.e2e.words import LANGUAGES, say


def mistakes() -> list[Decision]:
    """Forest's mistakes, by the native core."""
    _, review = reviewed()
    return [each for each in review.of(FOREST) if each.judgement in (Judgement.MISTAKE, Judgement.BLUNDER)]


def begin(server: Server) -> str:
    game, _ = reviewed()
    return server.begin(game.start_text, [str(token) for token in game.tokens], AGAINST_COMPUTER)


def wait(page: Page, decision: Decision, number: int, of: int) -> None:
    """Wait until a mistake is on the board."""
    expect(page.locator(f'.mistakes[data-mode="retry"][data-index="{decision.index}"]')).to_be_visible()
    expect(page.get_by_text(f"Mistake {number} of {of}")).to_be_visible()


def pick(page: Page, decision: Decision, token: str) -> None:
    for each in picks_for(decision, token):
        if each.startswith("button:"):
            page.get_by_role("button", name=say(f"play.{each.removeprefix('button:')}"), exact=True).click()
        else:
            page.locator(f'.mistakes [data-pick="{each}"]').click()


def test_the_mistakes_of_a_reviewed_game_are_practised_until_they_are_learnt(
    visits: Visits, own_server: Server
) -> None:
    found = mistakes()
    assert len(found) >= 2, "the game must have two mistakes of Forest"
    visitor = visits(own_server)
    page = visitor.go(f"/review/{begin(own_server)}")
    finish(page)
    page.get_by_role("link", name=say("mistakes.title"), exact=True).click()
    wait(page, found[0], 1, len(found))  # only those of the player, not of the computer
    expect(page.get_by_text(f"turn {found[0].turn}: {found[0].loss / 1_000_000:.3f} lost")).to_be_visible()
    pick(page, found[0], found[0].better[0])
    expect(page.get_by_text(say("review.try.best"))).to_be_visible()
    expect(page.get_by_text("Learnt so far: 1.")).to_be_visible()
    page.get_by_role("button", name=say("mistakes.next")).click()
    wait(page, found[1], 2, len(found))
    # The move that was played is still a mistake. Finding the best one afterwards does not count.
    pick(page, found[1], str(found[1].token))
    expect(page.get_by_text(f"This loses {found[1].loss / 1_000_000:.3f}.")).to_be_visible()
    pick(page, found[1], found[1].better[0])
    expect(page.get_by_text(say("review.try.best"))).to_be_visible()
    expect(page.get_by_text("Learnt so far: 1.")).to_be_visible()
    page.reload()
    rest = [*found[2:], found[1]]  # a mistake that was tried before comes last
    wait(page, rest[0], 1, len(found) - 1)
    page.get_by_role("button", name=say("review.better")).click()
    expect(page.locator('.mistakes[data-mode="line"]')).to_be_visible()
    page.get_by_role("button", name=say("play.replay.next")).click()
    page.get_by_role("button", name=say("puzzles.again")).click()
    wait(page, rest[0], 1, len(found) - 1)
    # The review is kept too: it opens without a search.
    page.get_by_role("link", name=say("mistakes.review")).click()
    expect(page.locator('.review[data-state="done"]')).to_be_visible(timeout=3_000)


def test_without_mistakes_the_page_says_so(visits: Visits, own_server: Server) -> None:
    page = visits(own_server).go("/puzzles")
    page.get_by_role("link", name=say("mistakes.title")).click()
    expect(page.get_by_text(say("mistakes.none"))).to_be_visible()
    page.get_by_role("link", name=say("puzzles.all")).click()
    expect(page.get_by_role("heading", name=say("puzzles.themes"))).to_be_visible()


def test_a_search_through_games_can_be_cancelled(visits: Visits, own_server: Server) -> None:
    begin(own_server)
    page = visits(own_server).go("/puzzles/mistakes")
    find = page.get_by_role("button", name="Review your latest game")
    find.click()
    expect(page.get_by_text("Reviewing game 1 of 1")).to_be_visible()
    page.get_by_role("button", name=say("review.cancel")).click()
    expect(find).to_be_visible()


def test_mistakes_are_found_and_practised_without_a_server(on_site: Away, tmp_path: Path) -> None:
    file = tmp_path / "game.cairn"
    file.write_text(write_record(Record(reviewed()[0])), encoding="utf-8")
    page = on_site.go("/games")
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_url("**/game/device-*")
    page = on_site.go("/puzzles/mistakes")
    page.get_by_role("button", name="Review your latest game").click()
    expect(page.locator('.mistakes[data-mode="retry"]')).to_be_visible(timeout=60_000)
    first = page.locator(".mistakes").get_attribute("data-index")
    decision = next(each for each in reviewed()[1].decisions if each.index == int(first or -1))
    pick(page, decision, decision.better[0])
    expect(page.get_by_text(say("review.try.best"))).to_be_visible()
    expect(page.get_by_text("Learnt so far: 1.")).to_be_visible()  # shown only after it is stored
    on_site.go("/puzzles/mistakes")
    expect(page.get_by_text("Learnt so far: 1.")).to_be_visible()
    expect(page.locator('.mistakes[data-mode="retry"]')).to_be_visible()
    assert page.locator(".mistakes").get_attribute("data-index") != first


@pytest.mark.slow
def test_the_page_fits_a_phone_in_every_language_and_axe_finds_no_violations(
    visits: Visits, own_server: Server
) -> None:
    visitor = visits(own_server)
    page = visitor.go(f"/review/{begin(own_server)}")
    finish(page)
    page.get_by_role("link", name=say("mistakes.title"), exact=True).click()
    expect(page.locator('.mistakes[data-mode="retry"]')).to_be_visible()
    wrong = violations_in_all_looks(visitor)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    for language in LANGUAGES:
        wrong += fitting(visitor, language)
    assert not wrong, "\n".join(wrong)


def fitting(visitor: Visitor, language: str) -> list[str]:
    """What does not fit on a phone in a language."""
    visitor.go("/settings")
    visitor.choose(language=language)
    page = visitor.go("/puzzles/mistakes")
    expect(page.locator('.mistakes[data-mode="retry"]')).to_be_visible()
    return [f"{language}: {each}" for each in faults(page)]
