"""Games on this device when the move to the server, the database or the core fails, or the player leaves too early."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.away import Away, standing, without_server
from tests.e2e.conftest import Visits
from tests.e2e.server import PAGES, Server
from tests.e2e.table import Table, place
from tests.e2e.test_device_games import GATE
from tests.e2e.visit import Visitor
from tests.e2e.words import say, spoken

pytestmark = [pytest.mark.slow, pytest.mark.proof]

RECORDS: Final = "**/api/records"
NO_LOCKS: Final = "Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })"


# Moving a game to the server


def move_to_server(page: Page) -> None:
    page.get_by_role("button", name=say("games.device.hand")).click(timeout=20_000)  # retries become less frequent


def expect_moved(away: Away, server: Server, *tokens: str) -> None:
    """Expect that the game is on the server, once and complete, and no longer on the device."""
    expect(away.page.get_by_text(say("games.device.handed"))).to_be_visible()
    expect(away.cards()).to_have_count(1)
    expect(away.cards().filter(has_text=say("games.device.mark"))).to_have_count(0)
    (game,) = server.ask("GET", "/games")["games"]
    assert server.tokens(game["id"]) == list(tokens)


def test_a_game_is_moved_once_even_if_the_reply_is_lost(visits: Visits, own_server: Server) -> None:
    away = without_server(visits, own_server)
    away.begin().play("a1 a2")
    page = away.go("/games")
    own_server.start()

    def lose_reply(route: Route) -> None:
        assert route.fetch().status == 201
        route.abort()

    page.route(RECORDS, lose_reply, times=1)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/records")):
        move_to_server(page)
    assert own_server.ask("GET", "/games")["total"] == 1
    assert len(away.stored()) == 1
    move_to_server(page)
    expect_moved(away, own_server, "a1-a2")


def test_a_token_played_in_another_tab_during_the_move_is_moved_too(visits: Visits, own_server: Server) -> None:
    away = without_server(visits, own_server)
    table = away.begin()
    table.play("a1 a2")
    other = away.visitor.context.new_page()
    other.goto(table.page.url)
    page = away.go("/games")
    own_server.start()
    second = Table(other)
    second.wait()

    def play_meanwhile(route: Route) -> None:
        answer = route.fetch()
        second.play("a5 b4")
        route.fulfill(response=answer)

    page.route(RECORDS, play_meanwhile, times=1)
    move_to_server(page)
    expect_moved(away, own_server, "a1-a2", "a5-b4")


def test_a_game_stays_on_the_device_if_another_tab_never_stops_playing(visits: Visits, own_server: Server) -> None:
    away = without_server(visits, own_server)
    table = away.begin()
    other = away.visitor.context.new_page()
    other.goto(table.page.url)
    page = away.go("/games")
    own_server.start()
    second = Table(other)
    second.wait()
    plays = iter(["a1 a2", "a5 b4", "a2 a3"])
    asked: list[Request] = []

    def play_meanwhile(route: Route) -> None:
        asked.append(route.request)
        answer = route.fetch()
        second.play(next(plays))
        route.fulfill(response=answer)

    page.route(RECORDS, play_meanwhile)
    move_to_server(page)
    expect(page.get_by_text(say("common.problem.device-continued"))).to_be_visible()
    (game,) = away.stored()
    assert game["deleted"] is None
    assert len(standing(game)) == len(asked)
    assert own_server.ask("GET", "/games")["total"] == 0  # the incomplete copies were deleted from the server


# Opening the database

FAILING: Final = """(() => {
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...values) {
        const left = Number(localStorage.getItem('failures'));
        if (left === 0) return open.apply(this, values);
        localStorage.setItem('failures', left - 1);
        const request = { error: new DOMException('Internal error.', localStorage.getItem('failure')) };
        setTimeout(() => request.onerror());
        return request;
    };
})()"""
"""Makes the next ``failures`` attempts to open the database fail with the error ``failure``."""
ALWAYS: Final = 1_000_000


def fail(page: Page, failures: int, error: str = "UnknownError") -> None:
    values = {"failures": str(failures), "failure": error}
    page.evaluate("values => { Object.assign(localStorage, values); }", values)


def retry(page: Page) -> None:
    page.locator("main").get_by_role("button", name=say("common.retry")).click()


@pytest.mark.parametrize("error", ["UnknownError", "AbortError", "QuotaExceededError"])
def test_games_that_cannot_be_read_are_not_shown_as_missing(on_site: Away, error: str) -> None:
    on_site.page.add_init_script(FAILING)
    table = on_site.begin()
    table.play("a1 a2")
    game, page = table.page.url.rpartition("#")[2], table.page
    fail(page, ALWAYS, error)
    on_site.go("/games")
    expect(page.get_by_text(say("common.problem.device-unreadable"))).to_be_visible()
    expect(page.get_by_text(say("games.none"))).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="game")).to_have_count(0)
    fail(page, 0)
    retry(page)
    expect(on_site.cards()).to_have_count(1)
    expect(page.get_by_text(say("common.problem.device-unreadable"))).to_have_count(0)

    fail(page, ALWAYS, error)
    on_site.go(game)
    expect(page.get_by_text(say("common.problem.device-unreadable"))).to_be_visible()
    fail(page, 0)
    retry(page)
    table.wait()
    table.play("a5 b4")
    assert [standing(each) for each in on_site.stored()] == [["a1-a2", "a5-b4"]]


def test_opening_the_database_is_tried_again_after_a_temporary_failure(on_site: Away) -> None:
    on_site.page.add_init_script(FAILING)
    table = on_site.begin()
    table.play("a1 a2")
    page = table.page
    fail(page, 2)
    page.reload()
    table.wait()
    expect(page.get_by_text(say("play.device.unkept"))).to_have_count(0)
    table.play("a5 b4")
    assert [standing(each) for each in on_site.stored()] == [["a1-a2", "a5-b4"]]


def test_no_new_game_begins_while_the_stored_games_cannot_be_read(on_site: Away) -> None:
    on_site.page.add_init_script(FAILING)
    page = on_site.begin().page
    fail(page, ALWAYS)
    page = on_site.go("/new")
    page.get_by_role("button", name=say("games.new.start")).click()
    expect(page.get_by_text(say("common.problem.device-unreadable"))).to_be_visible()
    assert "/game/" not in page.url


def test_a_database_from_a_newer_build_is_not_shown_as_empty(on_site: Away) -> None:
    page = on_site.begin().page
    page.evaluate(
        """() => new Promise((resolve, reject) => {
            const request = indexedDB.open('cairn', 1_000);
            request.onsuccess = () => { request.result.close(); resolve(); };
            request.onerror = () => reject(request.error);
        })"""
    )
    on_site.go("/games")
    expect(page.get_by_text(say("common.problem.device-unreadable"))).to_be_visible()
    expect(page.get_by_text(say("games.none"))).to_have_count(0)


# The core


class Wasm:
    """A WebAssembly module whose functions can be replaced with traps."""

    def __init__(self, content: bytes) -> None:
        self._content: Final = bytearray(content)
        self._at = 0

    def with_trap(self, export: str) -> bytes:
        """The module with ``unreachable`` as the body of an exported function. The size of the body is unchanged."""
        imported = exported = -1
        self._at = 8  # after the magic number and the version
        while self._at < len(self._content):
            section, size = self._byte(), self._number()
            end = self._at + size
            if section == 2:
                imported = self._imported_functions()
            elif section == 7:
                exported = self._exported_function(export)
            elif section == 10:
                self._trap(exported - max(imported, 0))
            self._at = end
        return bytes(self._content)

    def _byte(self) -> int:
        self._at += 1
        return self._content[self._at - 1]

    def _number(self) -> int:
        """An unsigned LEB128 number."""
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def _text(self) -> str:
        size = self._number()
        self._at += size
        return self._content[self._at - size : self._at].decode()

    def _imported_functions(self) -> int:
        count = self._number()
        for _ in range(count):
            self._text(), self._text()
            assert self._byte() == 0, "expected every import to be a function"
            self._number()
        return count

    def _exported_function(self, name: str) -> int:
        exports = {self._text(): (self._byte(), self._number()) for _ in range(self._number())}
        kind, index = exports[name]
        assert kind == 0
        return index

    def _trap(self, index: int) -> None:
        self._number()
        for _ in range(index):
            size = self._number()
            self._at += size
        size = self._number()
        end = self._at + size
        for _ in range(self._number()):  # groups of local variables
            self._number(), self._byte()
        nops = end - self._at - 2
        self._content[self._at : end] = b"\x00" + b"\x01" * nops + b"\x0b"  # unreachable, nop, …, end


TRAPPING: Final = """(() => {
    const bytes = Uint8Array.from(atob('%s'), (letter) => letter.charCodeAt(0));
    const trapping = WebAssembly.compile(bytes);
    trapping.then((module) => { window.trapping = module; });
    window.traps = 0;
    window.cores = 0;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        if (!(message?.module && !message.task)) return post.call(this, message, ...rest);
        cores += 1;
        if (traps === 0) return post.call(this, message, ...rest);
        traps -= 1;
        return post.call(this, { module: window.trapping }, ...rest);
    };
})()"""
"""Replaces the next ``traps`` cores with cores that trap when a token is played."""


@pytest.fixture
def trapping(on_site: Away) -> Away:
    """A visitor in whose browser the core can be made to trap."""
    (core,) = (PAGES.parent / "assets").glob("cairn-*.wasm")
    on_site.visitor.allow("unreachable")  # the trap is reported on the console
    content = Wasm(Path(core).read_bytes()).with_trap("local_play")
    on_site.page.add_init_script(TRAPPING % base64.b64encode(content).decode())
    return on_site


def reload_with_traps(table: Table, traps: int) -> None:
    """Leave the game, replace the next ``traps`` cores with trapping ones, and open the game again."""
    page = table.page
    page.locator("nav").get_by_role("link", name=say("common.nav.games")).first.click()
    page.wait_for_function("() => window.trapping")
    page.evaluate("traps => { window.traps = traps; window.cores = 0; }", traps)
    page.get_by_role("article").get_by_role("link", name=say("games.continue")).click()
    table.wait()


def test_a_core_that_traps_is_replaced_and_the_token_is_played_once(trapping: Away) -> None:
    table = trapping.begin()
    table.play("a1 a2")
    reload_with_traps(table, 1)
    table.play("a5 b4", "a2 a3")
    assert table.page.evaluate("() => cores") == 2
    assert [standing(game) for game in trapping.stored()] == [["a1-a2", "a5-b4", "a2-a3"]]


def test_a_command_that_traps_twice_is_answered_with_an_error_and_can_be_repeated(trapping: Away) -> None:
    table = trapping.begin()
    table.play("a1 a2")
    reload_with_traps(table, 2)
    page = table.page
    table.pick("a5", "b4")
    expect(page.get_by_text(say("common.problem.unexpected"))).to_be_visible()
    expect(place(page, "b4")).to_have_attribute("aria-label", "b4, empty")
    assert [standing(game) for game in trapping.stored()] == [["a1-a2"]]
    table.play("a5 b4")
    assert [standing(game) for game in trapping.stored()] == [["a1-a2", "a5-b4"]]


# Leaving


def leave_during_commit(table: Table) -> None:
    """Play a token, go to another page while the token is being stored, and then let the transaction finish."""
    page = table.page
    page.evaluate("() => { window.gate = true; }")
    table.pick("a1", "a2")
    page.wait_for_function("() => held.length === 1")
    page.locator("nav").get_by_role("link", name=say("common.nav.settings")).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(say("common.title.settings"))
    page.evaluate("() => { window.gate = false; held.forEach((release) => release()); }")


@pytest.mark.parametrize("locks", [True, False], ids=["with locks", "without locks"])
def test_other_tabs_receive_a_token_even_if_the_player_leaves_during_its_commit(on_site: Away, *, locks: bool) -> None:
    visitor: Visitor = on_site.visitor
    if not locks:
        visitor.context.add_init_script(NO_LOCKS)
    on_site.page.add_init_script(GATE)
    table = on_site.begin()
    other = visitor.context.new_page()
    other.goto(table.page.url)
    expect(place(other, "a1")).to_have_attribute("aria-label", spoken("a1", "forest"))
    leave_during_commit(table)
    expect(place(other, "a2")).to_have_attribute("aria-label", spoken("a2", "forest"))
    second = Table(other)
    second.wait()
    second.play("a5 b4")
    (game,) = on_site.stored()
    assert standing(game) == ["a1-a2", "a5-b4"]
