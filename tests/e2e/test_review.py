"""The review of a game: from the end card, My games and a static site; better lines, retries and lessons."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from cairn import Game, Record, write_record
from cairn.engine.review import Decision, Judgement, Review, review_game
from cairn.server.game.choices import choices
from harness.reviews import played_game
from tests.e2e.away import Away
from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.server import Server
from tests.e2e.test_access import violations_in_all_looks
from tests.e2e.visit import PHONE, Visitor
from tests.e2e.words import LANGUAGES, say

SEED = 4


@functools.cache
def reviewed() -> tuple[Game, Review]:
    """A game with mistakes, and its review by the native core."""
    game = played_game(SEED, level=3)
    return game, review_game(game)


def begin(server: Server) -> str:
    game, _ = reviewed()
    return server.begin(game.start_text, [str(token) for token in game.tokens])


def finish(page: Page) -> None:
    """Wait until the review is complete."""
    expect(page.locator('.review[data-state="done"]')).to_be_visible(timeout=60_000)


def picks_for(decision: Decision, token: str) -> tuple[str, ...]:
    """The picks that lead to a token."""
    game, _ = reviewed()
    board = Game(game.start_text, game.tokens[: decision.index]).board
    return next(min(map(tuple, each.paths), key=len) for each in choices(board) if each.token == token)


def pick(page: Page, picks: tuple[str, ...]) -> None:
    for each in picks:
        if each.startswith("button:"):
            page.get_by_role("button", name=say(f"play.{each.removeprefix('button:')}"), exact=True).click()
        else:
            page.locator(f'.review [data-pick="{each}"]').click()


def signed(millionths: float) -> str:
    """A value as the page shows it, with a sign unless it is zero."""
    return f"{millionths / 1_000_000:+.3f}".replace("+0.000", "0.000").replace("-0.000", "0.000")


def first_turning_point() -> Decision:
    _, review = reviewed()
    return next(each for each in review.decisions if each.index == review.turning_points[0])


def test_the_review_is_one_press_from_the_end_card(visitor: Visitor, server: Server) -> None:
    game, review = reviewed()
    page = visitor.go(f"/game/{begin(server)}")
    page.locator("section.end").get_by_role("link", name=say("review.open"), exact=True).click()
    finish(page)
    # The browser computes the same review as Python.
    for value in (review.values[0], review.luck, review.search):
        expect(page.locator(".review table").first).to_contain_text(f"{abs(value) / 1_000_000:.3f}")
    for tribe, player in review.players.items():
        text = f"{player.inaccuracies}, {player.mistakes}, {player.blunders}"
        expect(page.locator(".review table").nth(1).get_by_text(text, exact=True).first, str(tribe)).to_be_visible()
    expect(page.locator(".turning-point")).to_have_count(len(review.turning_points))
    expect(page.get_by_role("slider").last).to_have_value(str(len(game.tokens)))
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(f'.review[data-cursor="{len(game.tokens) - 1}"]')).to_be_visible()


def test_every_figure_is_shown_beside_the_level_it_resembles(visitor: Visitor, server: Server) -> None:
    _, review = reviewed()
    page = visitor.go(f"/review/{begin(server)}")
    finish(page)
    figures = page.locator(".review table").nth(1)
    for column, player in enumerate(review.players.values()):
        for row, figure, level in (
            ("review.accuracy", f"{player.accuracy / 10_000:.0f}%", player.level_by_accuracy),
            ("review.loss", f"{player.mean_loss / 1_000_000:.3f}", player.level_by_loss),
        ):
            cell = figures.get_by_role("row", name=say(row)).get_by_role("cell").nth(column)
            expect(cell).to_have_text(f"{figure} like {say(f'games.level.{level}')}")
    draws = len(review.draws)
    for column, sign in enumerate((1, -1)):
        cell = figures.get_by_role("row", name=say("review.luck")).get_by_role("cell").nth(column)
        expect(cell).to_have_text(signed(sign * review.luck / draws))
    assert review.adjusted_result is not None
    adjusted = page.get_by_role("row", name=say("review.account.adjusted")).get_by_role("cell")
    expect(adjusted).to_have_text(f"{review.adjusted_result / 1_000_000:.3f}")
    # Each draw has its luck, and each mistake its loss, at their moments.
    draw = next(each for each in review.draws if len(each.values) > 1)
    page.get_by_role("slider").last.fill(str(draw.index + 1))
    expect(page.get_by_text(f"Luck of this draw for Forest: {signed(draw.luck)}")).to_be_visible()
    decision = first_turning_point()
    page.get_by_role("slider").last.fill(str(decision.index + 1))
    expect(page.locator(".told").get_by_text(f"{decision.loss / 1_000_000:.3f} lost")).to_be_visible()


def test_a_better_line_and_a_retry(visitor: Visitor, server: Server) -> None:
    decision = first_turning_point()
    page = visitor.go(f"/review/{begin(server)}")
    finish(page)
    point = page.locator(".turning-point").first
    point.get_by_role("button", name=say("review.better")).click()
    expect(page.locator(f'.review[data-mode="line"][data-cursor="{decision.index}"]')).to_be_visible()
    page.get_by_role("button", name=say("play.replay.next")).click()
    expect(page.locator(f'.review[data-cursor="{decision.index + 1}"]')).to_be_visible()
    page.get_by_role("button", name=say("review.back")).click()
    page.locator(".turning-point").first.get_by_role("button", name=say("review.retry")).click()
    # The played token is as bad as the review says, and the best one is the best.
    pick(page, picks_for(decision, str(decision.token)))
    expect(page.get_by_text(f"{decision.loss / 1_000_000:.3f}")).to_be_visible()
    pick(page, picks_for(decision, decision.better[0]))
    expect(page.get_by_text(say("review.try.best"))).to_be_visible()


def test_mistakes_are_retried_one_after_the_other(visitor: Visitor, server: Server) -> None:
    _, review = reviewed()
    tribe = first_turning_point().tribe
    mistakes = [each for each in review.of(tribe) if each.judgement in (Judgement.MISTAKE, Judgement.BLUNDER)]
    page = visitor.go(f"/review/{begin(server)}")
    finish(page)
    page.locator(".review section button").filter(has_text=f"({len(mistakes)})").first.click()
    for each in mistakes[:2]:
        expect(page.locator(f'.review[data-mode="retry"][data-cursor="{each.index}"]')).to_be_visible()
        if len(mistakes) > 1 and each is mistakes[0]:
            page.locator(".ways .button.main").click()


def test_a_review_can_be_cancelled_and_started_again(visits: Visits, server: Server) -> None:
    visitor = visits()
    page = visitor.go(f"/review/{begin(server)}")
    page.get_by_role("button", name=say("review.cancel"), exact=True).click()
    expect(page.get_by_text(say("review.cancelled"))).to_be_visible()
    page.get_by_role("button", name=say("review.start")).click()
    finish(page)


def test_a_running_game_is_not_reviewed(visitor: Visitor, server: Server) -> None:
    game, _ = reviewed()
    running = server.begin(game.start_text, [str(token) for token in game.tokens[:4]])
    page = visitor.go(f"/review/{running}")
    expect(page.get_by_text(say("review.unfinished"))).to_be_visible()


def test_axe_finds_no_violations_in_a_review(visitor: Visitor, server: Server) -> None:
    page = visitor.go(f"/review/{begin(server)}")
    finish(page)
    assert violations_in_all_looks(visitor) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_fits_a_phone_in_every_language(visits: Visits, server: Server, language: str) -> None:
    visitor = visits()
    visitor.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    visitor.go("/settings")
    visitor.choose(language=language)
    page = visitor.go(f"/review/{begin(server)}")
    finish(page)
    assert faults(page) == []


@pytest.mark.slow
@pytest.mark.proof
def test_a_game_on_a_static_site_is_reviewed(on_site: Away, tmp_path: Path) -> None:
    file = tmp_path / "game.cairn"
    file.write_text(write_record(Record(reviewed()[0])), encoding="utf-8")
    page = on_site.go("/games")
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_url("**/game/device-*")
    page.get_by_role("link", name=say("review.open"), exact=True).first.click()
    finish(page)
    expect(page.locator(".turning-point")).to_have_count(len(reviewed()[1].turning_points))
