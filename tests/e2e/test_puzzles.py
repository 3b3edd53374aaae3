"""Puzzles: solved on the board against the longest defence, refuted, hinted at, and kept on this device."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from cairn import puzzles
from cairn._native import core
from cairn.puzzles import Goal, Puzzle
from cairn.server.messages.views import line
from cairn.vocabulary import TRIBES, Phase
from tests.e2e.away import ABSENCE, Away, wait_until_kept
from tests.e2e.builds import Site
from tests.e2e.conftest import Visits
from tests.e2e.looks import faults
from tests.e2e.server import Server
from tests.e2e.table import Keys, Table
from tests.e2e.test_access import violations, violations_in_all_looks
from tests.e2e.test_languages import SMALL
from tests.e2e.visit import Visitor
from tests.e2e.words import LANGUAGES, say

STORE: Final = "cairn.puzzles"


def puzzle_with(goal: Goal, turns: int, *, inside_turn: bool = False) -> Puzzle:
    """The first puzzle of this kind; with ``inside_turn``, one that begins in the middle of the enemy's turn."""
    return next(
        puzzle
        for puzzle in puzzles.released()
        if (puzzle.goal, puzzle.turns) == (goal, turns) and (puzzle.decider is not puzzle.board.active) == inside_turn
    )


class Solver:
    """Plays a puzzle on the page. It knows which tokens win, and how the page defends."""

    def __init__(self, page: Page, puzzle: Puzzle, table: Table | None = None) -> None:
        self.page: Final = page
        self.puzzle: Final = puzzle
        self.table: Final = table or Table(page)
        self.tokens: Final = list(puzzle.tokens)
        self._turns = puzzle.turns

    def judged(self) -> dict[str, int]:
        board = self.puzzle.board.copy()
        for token in self.tokens[len(self.puzzle.tokens) :]:
            board.push(token)
        if board.is_over or not self._turns:
            return {}
        judged = core.Solver(16).turns_by_token(board, TRIBES.index(self.puzzle.attacker), self._turns, 0)
        return {str(token): turns or 0 for token, turns in judged}

    def play(self, token: str) -> None:
        """Make the player's decision by its picks, without those that the page makes itself."""
        choices = line(self.puzzle.position, self.tokens).now.choices
        self.table.wait()
        path = next(choice.paths[0] for choice in choices if choice.token == token)
        self.table.pick(*(pick for pick in path if pick not in self.table.picked()))
        self.follow(token)

    def follow(self, token: str) -> None:
        board = self.puzzle.board.copy()
        for each in (*self.tokens[len(self.puzzle.tokens) :], token):
            board.push(each)
        self._turns -= board.phase is Phase.ACTION
        self.tokens.append(token)

    def solve(self) -> None:
        """Win against the longest defence, with the last winning token wherever there are several."""
        while judged := self.judged():
            now = line(self.puzzle.position, self.tokens).now
            if now.decider == self.puzzle.decider.value:
                winning = [token for token, turns in judged.items() if turns]
                self.play(winning[-1])
            else:
                self.follow(max(judged, key=lambda token: judged[token]))
        self.expect("solved")

    def expect(self, state: str) -> None:
        expect(self.page.locator(f'.puzzle[data-state="{state}"][data-caught-up="true"]')).to_be_attached()


def stored(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate("(name) => localStorage.getItem(name)", STORE) or "{}")
    return found


def button(page: Page, name: str) -> Any:
    return page.locator(".puzzle").get_by_role("button", name=name, exact=True)


def test_a_puzzle_is_solved_against_the_longest_defence(visitor: Visitor) -> None:
    puzzle = puzzle_with(Goal.WIN, 3)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    tribe, enemy = puzzle.decider.value.title(), puzzle.decider.enemy.value.title()
    expect(page.locator(".goal")).to_have_text(f"{tribe} to decide: win within 3 turns, whatever {enemy} does.")
    Solver(page, puzzle).solve()
    expect(page.locator(".prompt p")).to_have_text(f"Solved! {tribe} wins, whatever {enemy} does.")
    assert stored(page)["tried"] == {puzzle.id: True}
    following = page.get_by_role("link", name="Next puzzle")
    expect(following).to_be_focused()
    following.click()
    expect(page.locator(f'.puzzle:not([data-puzzle="{puzzle.id}"])')).to_be_attached()
    expect(page).to_have_url(re.compile(r"/puzzles/[0-9a-f]{8}$"))


@pytest.mark.parametrize("turns", [1, 2])
def test_shorter_wins_are_solved_too(visitor: Visitor, turns: int) -> None:
    puzzle = puzzle_with(Goal.WIN, turns)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    Solver(page, puzzle).solve()


def test_a_decision_inside_the_enemys_turn_is_a_puzzle(visitor: Visitor) -> None:
    puzzle = puzzle_with(Goal.WIN, 2, inside_turn=True)
    Solver(visitor.go(f"/puzzles/{puzzle.id}"), puzzle).solve()


def test_a_puzzle_is_solved_by_keyboard_alone(visitor: Visitor) -> None:
    puzzle = puzzle_with(Goal.WIN, 3)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    Solver(page, puzzle, Table(page, Keys())).solve()
    expect(page.get_by_role("link", name="Next puzzle")).to_be_focused()


def test_a_wrong_try_is_refuted_and_can_be_repeated(visitor: Visitor) -> None:
    puzzle = puzzle_with(Goal.WIN, 3)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    wrong = Solver(page, puzzle)
    choices = line(puzzle.position, puzzle.tokens).now.choices
    # The decision ends the player's turn, so the enemy answers at once.
    token = next(
        choice.token
        for choice in choices
        if choice.token != puzzle.solution[0]
        and line(puzzle.position, [*puzzle.tokens, choice.token]).now.decider == puzzle.decider.enemy.value
    )
    wrong.play(token)
    wrong.expect("refuted")
    expect(page.locator(".prompt p")).to_have_text(re.compile("no longer forced|wins|has not won"))
    assert stored(page)["tried"] == {puzzle.id: False}
    button(page, "Try again").click()
    expect(page.locator('.puzzle[data-state="open"][data-count="0"]')).to_be_attached()
    Solver(page, puzzle).solve()
    assert stored(page)["tried"] == {puzzle.id: False}  # only the first attempt counts


def test_a_hint_marks_one_pick_and_the_solution_can_be_shown(visitor: Visitor) -> None:
    puzzle = puzzle_with(Goal.WIN, 3)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    table = Table(page)
    table.wait()
    assert len(table.marked()) > 1
    button(page, "Hint").click()
    expect(page.locator("[data-target], .target[data-pick]")).to_have_count(1)
    path = next(
        choice.paths
        for choice in line(puzzle.position, puzzle.tokens).now.choices
        if choice.token == puzzle.solution[0]
    )
    assert table.marked()[0] in {each[0] for each in path}
    button(page, "Solution").click()
    expect(page.locator('.puzzle[data-state="shown"][data-caught-up="true"]')).to_be_attached()
    expect(page.locator(".prompt p")).to_have_text("This is the solution.")
    assert stored(page)["tried"] == {puzzle.id: False}


def test_the_only_defence_is_accepted_and_others_lose(visitor: Visitor) -> None:
    puzzle = puzzle_with(Goal.DEFEND, 2)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    solver = Solver(page, puzzle)
    wrong = next(
        token
        for token in solver.judged()
        if token != puzzle.solution[0]
        and line(puzzle.position, [*puzzle.tokens, token]).now.decider == puzzle.decider.enemy.value
    )
    solver.play(wrong)
    solver.expect("refuted")
    expect(page.locator(".prompt p")).to_have_text(f"{puzzle.decider.enemy.value.title()} wins.")
    button(page, "Try again").click()
    expect(page.locator('.puzzle[data-state="open"][data-count="0"]')).to_be_attached()
    again = Solver(page, puzzle)
    again.play(puzzle.solution[0])
    while line(puzzle.position, again.tokens).now.decider == puzzle.decider.value:
        again.play(next(token for token, turns in again.judged().items() if turns == 0))
    again.expect("solved")


def test_the_best_chance_is_told_exactly(visitor: Visitor) -> None:
    puzzle = puzzle_with(Goal.ODDS, 3)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    solver = Solver(page, puzzle)
    solver.play(puzzle.solution[0])
    solver.expect("solved")
    expect(page.locator(".prompt p")).to_contain_text(f"chance of {puzzle.chance} (")


def test_the_puzzle_of_the_day_is_the_same_for_everybody_and_counts_for_the_streak(visits: Visits) -> None:
    first, second = visits(), visits()
    ids = []
    for visitor in (first, second):
        visitor.page.clock.install(time="2026-11-18T12:00:00Z")
        page = visitor.go("/puzzles/daily")
        ids.append(page.locator(".puzzle").get_attribute("data-puzzle"))
    assert ids[0] == ids[1]
    button(second.page, "Solution").click()
    assert "day" not in stored(second.page) or not stored(second.page)["day"]
    page = first.page
    puzzle = next(each for each in puzzles.released() if each.id == ids[0])
    if puzzle.goal is Goal.WIN:
        Solver(page, puzzle).solve()
        assert (stored(page)["day"], stored(page)["streak"]) == ("2026-11-18", 1)
        first.go("/puzzles")
        expect(page.get_by_role("link", name="Streak: 1 day")).to_be_visible()


def test_a_theme_leads_to_a_puzzle_with_it_and_to_the_next_one(visitor: Visitor) -> None:
    page = visitor.go("/puzzles")
    page.get_by_role("link", name=re.compile("^Chain")).click()
    expect(page.locator(".puzzle")).to_be_attached()
    expect(page).to_have_url(re.compile(r"\?theme=chain$"))
    id_ = page.locator(".puzzle").get_attribute("data-puzzle")
    assert any(puzzle.id == id_ and puzzles.Theme.CHAIN in puzzle.themes for puzzle in puzzles.released())


def test_an_unknown_puzzle_is_reported(visitor: Visitor) -> None:
    page = visitor.go("/puzzles/00000000")
    expect(page.get_by_text("There is no such puzzle.")).to_be_visible()
    page.get_by_role("link", name="All puzzles").click()
    expect(page.get_by_role("heading", name="By theme")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_puzzles_fit_on_a_small_phone(visits: Visits, language: str) -> None:
    visitor = visits(size=SMALL, touch=True, settings={"language": language})
    page = visitor.go("/puzzles")
    expect(page.locator("main h2")).to_be_visible()
    wrong = faults(page) + violations(visitor)
    puzzle = puzzle_with(Goal.WIN, 3)
    visitor.go(f"/puzzles/{puzzle.id}")
    solver = Solver(page, puzzle)
    solver.table.wait()
    wrong += faults(page)
    solver.solve()
    wrong += faults(page) + violations(visitor)
    assert not wrong, "\n".join(wrong)


def test_axe_finds_no_violations(visitor: Visitor) -> None:
    page = visitor.go("/puzzles")
    expect(page.get_by_role("heading", name="By theme")).to_be_visible()
    wrong = violations_in_all_looks(visitor)
    puzzle = puzzle_with(Goal.WIN, 1)
    visitor.go(f"/puzzles/{puzzle.id}")
    Solver(page, puzzle).solve()
    wrong += violations_in_all_looks(visitor)
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_puzzles_work_on_a_static_site_without_a_connection(visits: Visits, site: Site) -> None:
    visitor = visits(site, workers=True)
    visitor.allow(ABSENCE)
    page = visitor.go("/")
    wait_until_kept(page, "en")
    site.stop()
    page.goto("about:blank")
    puzzle = puzzle_with(Goal.WIN, 3)
    page = visitor.go(f"/#/puzzles/{puzzle.id}")
    Solver(page, puzzle).solve()
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.locator(f'.puzzle:not([data-puzzle="{puzzle.id}"])')).to_be_attached()


def test_a_first_attempt_is_rated_on_the_server_and_the_new_rating_is_shown(visits: Visits, own_server: Server) -> None:
    visitor = visits(own_server)
    puzzle = puzzle_with(Goal.WIN, 1)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    expect(page.locator(".difficulty").first).to_have_text(str(puzzle.rating))
    Solver(page, puzzle).solve()
    expect(page.locator(".difficulty").first).not_to_have_text(str(puzzle.rating))
    rated = own_server.ask("GET", "/puzzles/ratings")["ratings"]
    assert list(rated) == [puzzle.id]
    assert rated[puzzle.id]["attempts"] == 1
    expect(page.locator(".difficulty").first).to_have_text(str(rated[puzzle.id]["rating"]))
    assert stored(page)["unsent"] == []
    # Another visitor gets that rating, and a second attempt does not count.
    other = visits(own_server).go(f"/puzzles/{puzzle.id}")
    expect(other.locator(".difficulty").first).to_have_text(str(rated[puzzle.id]["rating"]))
    button(page, "Try again").click()
    expect(page.locator('.puzzle[data-state="open"][data-count="0"]')).to_be_attached()
    Solver(page, puzzle).solve()
    assert own_server.ask("GET", "/puzzles/ratings")["ratings"] == rated


def test_an_attempt_without_a_connection_waits_on_the_device_until_the_server_is_back(
    visits: Visits, own_server: Server
) -> None:
    visitor = visits(own_server)
    visitor.allow(ABSENCE)
    puzzle = puzzle_with(Goal.WIN, 1)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    solver = Solver(page, puzzle)
    solver.table.wait()
    own_server.kill()
    solver.solve()
    assert stored(page)["unsent"] == [puzzle.id]
    expect(page.locator(".puzzle .difficulty").first).to_have_text(str(puzzle.rating))
    own_server.start()
    expect(page.locator(".difficulty").first).not_to_have_text(str(puzzle.rating), timeout=20_000)
    assert own_server.ask("GET", "/puzzles/ratings")["ratings"][puzzle.id]["attempts"] == 1
    assert stored(page)["unsent"] == []


def test_a_wrong_puzzle_is_reported_and_an_administrator_sees_it(visits: Visits, own_server: Server) -> None:
    visitor, admin = visits(own_server), visits(own_server)
    own_server.make_admin(admin.sign_up())
    puzzle = puzzle_with(Goal.WIN, 1)
    page = visitor.go(f"/puzzles/{puzzle.id}")
    expect(page.locator(".facts").first).to_be_visible()
    expect(button(page, say("puzzles.report"))).to_have_count(0)  # only once the solution is known
    button(page, "Solution").click()
    button(page, say("puzzles.report")).click()
    page.get_by_label(say("puzzles.report.what")).fill("a1-a2 wins too.")
    button(page, say("puzzles.report.send")).click()
    expect(page.get_by_text(say("puzzles.report.sent"))).to_be_visible()
    report = admin.go("/admin").locator("li", has_text="a1-a2 wins too.")
    report.get_by_role("link", name=say("account.admin.puzzle")).click()
    expect(admin.page.locator(f'.puzzle[data-puzzle="{puzzle.id}"]')).to_be_attached()


def test_a_static_site_offers_no_report(on_site: Away) -> None:
    puzzle = puzzle_with(Goal.WIN, 1)
    page = on_site.go(f"/puzzles/{puzzle.id}")
    button(page, "Solution").click()
    expect(page.locator('.puzzle[data-state="shown"]')).to_be_attached()
    expect(page.locator(".facts li").first).to_be_visible()
    expect(button(page, say("puzzles.report"))).to_have_count(0)
