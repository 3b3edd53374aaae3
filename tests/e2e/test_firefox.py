"""Five ways through the game in Firefox: a whole game, a lesson, an online game, a reload, another language."""

from __future__ import annotations

from typing import Final

import pytest

from cairn import Game
from cairn.engine import NativeEngine
from harness.bidi import Page
from tests.e2e.conftest import FirefoxPages
from tests.e2e.firefox_table import FirefoxTable
from tests.e2e.player import LONGEST_GAME, Newcomer
from tests.e2e.server import Server
from tests.e2e.test_interruptions import CHAIN
from tests.e2e.test_tutorial import paths
from tests.e2e.words import LANGUAGES, say

pytestmark = [pytest.mark.slow, pytest.mark.proof]

NUMBER_OF_EVENTS: Final = "() => Number(document.querySelector('.play')?.dataset.revision)"


def game_of(page: Page) -> str:
    """Wait until the page shows a game, and return its id."""
    page.wait("() => document.querySelector('.play [role=grid]') && location.pathname.startsWith('/game/')")
    return str(page.call("() => location.pathname.split('/').at(-1)"))


def test_a_whole_game_against_the_computer_can_be_played(firefox_pages: FirefoxPages, server: Server) -> None:
    page = firefox_pages()
    page.go(f"{server.address}/")
    page.click("main button.main")
    game = game_of(page)
    Newcomer(FirefoxTable(page), "forest", 1).play()
    winner = server.game(game)["now"]["outcome"]["winner"]
    title = {"forest": "You win!", "sea": "The computer wins", None: "A draw"}[winner]
    page.wait_for("section.end h2", title)


def test_a_lesson_can_be_played_and_counts_as_completed(firefox_pages: FirefoxPages, server: Server) -> None:
    page = firefox_pages()
    page.go(f"{server.address}/tutorial?lesson=jump")
    table = FirefoxTable(page)
    for number, path in enumerate(paths("jump")):
        table.wait()
        # A pick that has no alternative is made for the player.
        table.pick(*(pick for pick in path if pick not in table.picked()))
        page.wait_for(f'.lesson[data-step="{number + 1}"][data-caught-up="true"]')
    page.wait_for('.lesson[data-finished="true"]')
    # The focus is on the link to the next lesson.
    page.wait("(next) => document.activeElement.textContent.includes(next)", say("learn.tutorial.next"))
    page.press("Enter")
    page.wait_for('.lesson:not([data-lesson="jump"])')
    page.reload()
    page.wait_for(".side li .completed")


def test_two_players_play_an_online_game_to_the_end(firefox_pages: FirefoxPages, server: Server) -> None:
    forest, sea = firefox_pages(), firefox_pages()
    forest.go(f"{server.address}/lobby?friend")
    forest.click("label", say("games.tribe.forest"))
    forest.click("button", say("online.new.go.friend"))
    link = forest.wait("() => document.querySelector('input[readonly]')?.value")
    sea.go(link)
    sea.click("button", say("online.join.accept"))
    game = game_of(sea)
    assert game_of(forest) == game  # without any action by Forest

    pages = {"forest": forest, "sea": sea}
    # Forest plays much better than Sea, so that the game is short.
    advice = {"forest": NativeEngine(level=6, seed=1), "sea": NativeEngine(level=1, seed=1)}
    for _ in range(LONGEST_GAME):
        view = server.game(game)
        if view["now"]["outcome"] is not None:
            break
        tribe = view["now"]["decider"]
        token = str(advice[tribe].play(Game(view["start"], server.tokens(game))).token)
        picks = next(choice["paths"][0] for choice in view["now"]["choices"] if choice["token"] == token)
        before = forest.call(NUMBER_OF_EVENTS)
        FirefoxTable(pages[tribe]).pick(*picks)
        for page in pages.values():
            page.wait(f"(before) => ({NUMBER_OF_EVENTS})() > before", before)
    for page in pages.values():
        page.wait_for("section.end h2")


def test_a_reload_in_the_middle_of_a_turn_keeps_the_decision(firefox_pages: FirefoxPages, server: Server) -> None:
    game = server.begin(CHAIN)
    page = firefox_pages()
    page.go(f"{server.address}/game/{game}")
    table = FirefoxTable(page)
    table.wait()
    table.play("b2 b3", "a4")
    asked = (table.prompt(), table.marked())
    page.reload()
    table.wait()
    assert (table.prompt(), table.marked()) == asked
    table.play("d3", "c1")
    assert server.tokens(game) == ["b2-b3", "b3-a4", "a4-d3", "+c1"]


def test_the_language_can_be_changed_and_is_kept(firefox_pages: FirefoxPages, server: Server) -> None:
    page = firefox_pages()
    page.go(f"{server.address}/")
    for code in (*LANGUAGES[1:], LANGUAGES[0]):
        page.click(f'.languages button:has([lang="{code}"])')
        page.wait("(code) => document.documentElement.lang === code", code)
        page.wait("(text) => document.body.textContent.includes(text)", say("common.home.lead", code))
        page.reload()
        page.wait("(text) => document.body.textContent.includes(text)", say("common.home.lead", code))
