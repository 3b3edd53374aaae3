"""Games on this device: while the server is stopped, on a static site, and when nothing can be stored."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import cairn
from harness import chromium
from tests.e2e.away import START, Away, standing, without_server
from tests.e2e.builds import Site
from tests.e2e.conftest import Visits
from tests.e2e.player import Newcomer
from tests.e2e.server import Server
from tests.e2e.table import Table, place
from tests.e2e.words import say, spoken

pytestmark = [pytest.mark.slow, pytest.mark.proof]

WINS: Final = "S1F1S/5/1S3/5/F3F e2PS,b3CG,d3CD,b4AD,d4DR SAMD CS wofm 2-1 F"
LEVEL: Final = 5


@pytest.fixture(params=["stopped server", "static site"])
def away(request: pytest.FixtureRequest, visits: Visits) -> Away:
    """A visitor whose server was stopped after the first visit, or whose pages never had a server."""
    if request.param == "static site":
        return Away(visits(request.getfixturevalue("site")), "/#")
    return without_server(visits, request.getfixturevalue("own_server"))


def downloaded(page: Page, press: Callable[[], None]) -> Path:
    with page.expect_download() as downloading:
        press()
    path: Path = downloading.value.path()
    return path


def begin_second(page: Page) -> None:
    """On the page for a new game, begin a game in which the computer moves first."""
    page.get_by_role("radio", name="Sea").first.check(force=True)
    page.get_by_role("radio", name="Forest").last.check(force=True)
    page.get_by_role("button", name=say("games.new.start")).click()


def notice_button(page: Page, key: str) -> Locator:
    return page.get_by_role("region", name=say("common.notices")).get_by_role("button", name=say(key))


# Playing


def test_a_whole_game_against_level_5_is_played_and_stored_and_a_rematch_begins(away: Away) -> None:
    page = away.go("/new")
    page.get_by_role("radio", name=re.compile(f"^Level {LEVEL}")).check(force=True)
    page.get_by_role("button", name=say("games.new.start")).click()
    table = away.table()
    Newcomer(table, "forest", 1).play()
    (game,) = away.stored()
    assert game["header"]["seats"]["sea"] == {"kind": "computer", "level": LEVEL, "name": None}
    text = downloaded(
        page, page.locator("section.end").get_by_role("button", name=say("play.record.download")).click
    ).read_text("utf-8")
    record = cairn.read_record(text)
    assert [str(token) for token in record.game.tokens] == standing(game)
    assert record.game.outcome is not None
    assert record.headers["Sea"] == f"level {LEVEL}"

    title = page.locator("section.end h2").inner_text()
    page.reload()
    expect(page.locator("section.end h2")).to_have_text(title)
    table.press("play.end.rematch")
    page.wait_for_url(lambda url: game["id"] not in url)
    table.wait()
    assert [each["header"]["seats"]["forest"]["kind"] for each in away.stored() if each["id"] != game["id"]] == [
        "computer"  # a rematch swaps the sides
    ]
    page = away.go("/games")
    expect(away.cards()).to_have_count(2)
    expect(away.cards().filter(has_text=say("games.device.mark"))).to_have_count(2)


def test_a_position_is_checked_set_up_and_played(away: Away) -> None:
    page = away.go("/setup")
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("Forest")
    text = page.get_by_label(say("setup.text"))
    text.fill("S1S1S/5/5/5/F1F1F b3CG,d3CG DRMD (ADCSPSSA) wofm 0-5 F")
    expect(page.locator("#text-faults").get_by_role("listitem")).to_have_count(2)  # the duplicate tile and the score
    expect(page.get_by_role("button", name=say("setup.play.computer"))).to_be_disabled()
    table = away.begin()
    table.play("a1 a2", "a5 b4")
    away.page.reload()
    table.wait()
    expect(place(table.page, "a2")).to_have_attribute("aria-label", spoken("a2", "forest"))
    expect(place(table.page, "b4")).to_have_attribute("aria-label", spoken("b4", "sea"))
    (game,) = away.stored()
    assert standing(game) == ["a1-a2", "a5-b4"]


def test_moves_are_taken_back_and_turns_confirmed(away: Away) -> None:
    table = away.begin()
    table.play("a1 a2")
    table.press("play.undo")
    expect(place(table.page, "a1")).to_have_attribute("aria-label", spoken("a1", "forest"))
    away.visitor.choose(confirmTurn=True)
    table.play("a1 a2")
    assert away.page.reload()
    table.wait()
    table.press("play.confirm")
    table.play("a5 b4")
    (game,) = away.stored()
    assert [entry["kind"] for entry in game["entries"]] == ["token", "undo", "token", "confirm", "token"]


def test_a_record_is_opened_and_replayed(away: Away) -> None:
    page = away.go("/games")
    text = cairn.write_record(cairn.Record(cairn.Game(WINS, ["c5-out", "=MD"]), {"Forest": "Ada"}))
    page.get_by_label(say("games.import.text")).fill(text)
    page.get_by_role("button", name=say("games.import.open"), exact=True).click()
    page.wait_for_url(re.compile("/game/device-"))
    expect(page.locator(".players").first).to_contain_text("Ada")
    page.get_by_role("button", name=say("play.end.review")).click()
    slider = page.get_by_role("slider").first
    expect(slider).to_have_value("0")
    expect(place(page, "c5")).to_have_attribute("aria-label", spoken("c5", "forest"))
    page.keyboard.press("ArrowRight")
    expect(place(page, "c5")).to_have_attribute("aria-label", "c5, empty")


def test_a_bad_record_is_rejected_with_its_faults(away: Away) -> None:
    page = away.go("/games")
    page.get_by_label(say("games.import.text")).fill(f'[Position "{START}"]\n\n1 F a1-e5\n*\n')
    page.get_by_role("button", name=say("games.import.open"), exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("a1-e5")
    assert "/game/" not in page.url


def test_the_home_page_continues_the_last_game(away: Away) -> None:
    page = away.go("/")
    page.get_by_role("button", name=re.compile(rf"^{say('common.home.play')}\b")).click()
    away.table()
    game = page.url.rpartition("/")[2]
    page = away.go("/")
    page.get_by_role("link", name=re.compile(f"^{say('common.home.continue')}")).click()
    page.wait_for_url(re.compile(game))


def test_the_page_reports_that_the_computer_cannot_think_and_lets_it_try_again(on_site: Away) -> None:
    on_site.visitor.allow("404|ERR_FAILED")
    page = on_site.go("/new")
    page.route("**/search.worker*", lambda route: route.fulfill(status=404))
    begin_second(page)
    expect(page.get_by_text(say("common.problem.core-missing"))).to_be_visible()
    page.unroute("**/search.worker*")
    on_site.table()


# Storage

GATE: Final = """(() => {
    window.held = [];
    window.durabilities = [];
    const begin = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (stores, mode, options) {
        const transaction = begin.call(this, stores, mode, options);
        if (mode !== 'readwrite') return transaction;
        durabilities.push(transaction.durability);
        Object.defineProperty(transaction, 'oncomplete', { set(handler) {
            this.addEventListener('complete', (event) => {
                if (window.gate) held.push(() => handler(event));
                else handler(event);
            });
        } });
        return transaction;
    };
})()"""
"""While ``gate`` is set, delays the events that report a transaction as complete."""


def test_a_token_is_shown_only_after_it_has_been_stored(on_site: Away) -> None:
    on_site.page.add_init_script(GATE)
    table = on_site.begin()
    page = table.page
    page.evaluate("() => { window.gate = true; }")
    table.pick("a1", "a2")
    page.wait_for_function("() => held.length === 1")
    expect(page.locator(".play")).to_have_attribute("data-revision", "0")
    expect(place(page, "a2")).to_have_attribute("aria-label", "a2, empty")
    page.evaluate("() => { window.gate = false; held.forEach((release) => release()); }")
    expect(page.locator(".play")).to_have_attribute("data-revision", "1")
    expect(place(page, "a2")).to_have_attribute("aria-label", spoken("a2", "forest"))
    assert set(page.evaluate("() => durabilities")) == {"strict"}


def test_a_token_that_was_pending_at_a_reload_is_played_once(on_site: Away) -> None:
    on_site.page.add_init_script(GATE)
    table = on_site.begin()
    page = table.page
    page.evaluate("() => { window.gate = true; }")
    table.pick("a1", "a2")
    page.wait_for_function("() => held.length === 1")
    page.reload()
    table.wait()
    expect(place(page, "a2")).to_have_attribute("aria-label", spoken("a2", "forest"))
    expect(page.locator(".play")).to_have_attribute("data-revision", "1")
    assert [standing(game) for game in on_site.stored()] == [["a1-a2"]]


def test_a_search_receives_neither_the_seed_nor_the_log(on_site: Away) -> None:
    on_site.page.add_init_script("""(() => {
        window.asked = [];
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (message, ...rest) {
            if (message.task) asked.push(Object.keys(message).sort().join() + ' ' + Object.keys(message.line).sort()
                .join() + ' ' + JSON.stringify(message.line));
            return post.call(this, message, ...rest);
        };
    })()""")
    page = on_site.go("/new")
    begin_second(page)
    on_site.table()
    asked = page.evaluate("() => asked")
    assert asked
    (game,) = on_site.stored()
    for message in asked:
        assert message.startswith("line,module,task position,tokens ")
        assert game["header"]["seed"] not in message


FULL: Final = """(() => {
    const add = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = function (...values) {
        const request = add.apply(this, values);
        if (window.full) {
            const error = new DOMException('The disk is full.', 'QuotaExceededError');
            Object.defineProperty(this.transaction, 'error', { get: () => error });
            this.transaction.abort();
        }
        return request;
    };
})()"""
"""While ``full`` is set, transactions fail as if the disk were full. Chromium ignores a quota set through DevTools."""


def test_the_page_reports_a_full_device_and_offers_the_record(on_site: Away) -> None:
    on_site.page.add_init_script(FULL)
    table = on_site.begin()
    page = table.page
    table.play("a1 a2")
    page.evaluate("() => { window.full = true; }")
    table.pick("a5", "b4")
    expect(page.get_by_text(say("common.problem.device-full"))).to_be_visible()
    expect(place(page, "b4")).to_have_attribute("aria-label", "b4, empty")
    text = downloaded(page, notice_button(page, "play.record.download").click).read_text("utf-8")
    assert [str(token) for token in cairn.read_record(text).game.tokens] == ["a1-a2"]
    page.evaluate("() => { window.full = false; }")
    table.play("a5 b4")
    assert standing(on_site.stored()[0]) == ["a1-a2", "a5-b4"]


def test_the_record_can_be_downloaded_after_the_browser_has_cleared_its_storage(on_site: Away) -> None:
    table = on_site.begin()
    page = table.page
    table.play("a1 a2")
    session = on_site.visitor.context.new_cdp_session(page)
    origin = page.evaluate("() => location.origin")
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "indexeddb"})
    table.pick("a5", "b4")
    expect(page.get_by_text(say("common.problem.unknown-device-game"))).to_be_visible()
    expect(place(page, "b4")).to_have_attribute("aria-label", "b4, empty")
    text = downloaded(page, notice_button(page, "play.record.download").click).read_text("utf-8")
    assert [str(token) for token in cairn.read_record(text).game.tokens] == ["a1-a2"]
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(say("play.missing.title"))
    expect(page.get_by_text(say("common.problem.unknown-device-game"))).to_be_visible()


def test_a_game_can_be_played_and_saved_as_a_file_if_storage_is_blocked(on_site: Away) -> None:
    on_site.page.add_init_script("""Object.defineProperty(IDBFactory.prototype, 'open', { value() {
        throw new DOMException('blocked', 'SecurityError');
    } })""")
    table = on_site.begin()
    page = table.page
    expect(page.get_by_text(say("play.device.unkept"))).to_be_visible()
    table.play("a1 a2", "a5 b4")
    note = page.locator(".note")
    text = downloaded(page, note.get_by_role("button", name=say("play.record.download")).click).read_text("utf-8")
    assert [str(token) for token in cairn.read_record(text).game.tokens] == ["a1-a2", "a5-b4"]
    page.reload()
    expect(page.get_by_text(say("common.problem.unknown-device-game"))).to_be_visible()


FEW_LOCKS: Final = """(() => {
    let asked = 0;
    const request = LockManager.prototype.request;
    LockManager.prototype.request = function (...values) {
        asked += 1;
        return asked > 100 ? new Promise(() => undefined) : request.apply(this, values);
    };
})()"""
"""Leaves lock requests unanswered after the first hundred.

A page that requests locks in an endless loop would freeze; this way, the test fails instead.
"""


def test_a_game_can_be_played_in_a_browser_that_blocks_all_site_data(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    with chromium.profile(browser.browser_type, tmp_path / "profile", {"cookies": chromium.BLOCK}) as context:
        page = context.new_page()
        page.add_init_script(FEW_LOCKS)
        page.goto(f"{site.address}/#/setup?position={quote(START)}")
        page.get_by_role("button", name=say("games.new.two"), exact=True).click()
        expect(page.get_by_text(say("play.device.unkept"))).to_be_visible()
        Table(page).pick("a1", "a2")
        expect(page.locator(".play")).to_have_attribute("data-revision", "1")


def test_the_browser_is_asked_for_persistent_storage_at_the_first_game(on_site: Away) -> None:
    on_site.page.add_init_script("""(() => {
        window.persisted = 0;
        if (isSecureContext) StorageManager.prototype.persist = async () => { persisted += 1; return true; };
    })()""")
    on_site.begin()
    assert on_site.page.evaluate("() => persisted") == 1
    on_site.begin()
    assert on_site.page.evaluate("() => persisted") == 0  # the new page counts from zero


# Files and the server


def test_games_are_searched_deleted_and_saved_one_by_one(on_site: Away) -> None:
    on_site.begin()
    on_site.begin(WINS).play("c5 village:sea", "slot:1")
    page = on_site.go("/games")
    expect(on_site.cards()).to_have_count(2)
    state, variant = page.get_by_role("combobox").all()
    state.select_option("finished")
    expect(on_site.cards()).to_have_count(1)
    save = on_site.cards().get_by_role("button", name=say("games.download"))
    text = downloaded(page, save.click).read_text("utf-8")
    assert "c5-out" in text
    state.select_option("")
    variant.select_option("expert")
    expect(on_site.cards()).to_have_count(0)
    variant.select_option("")
    page.get_by_role("searchbox").fill("custom")
    expect(on_site.cards()).to_have_count(2)
    page.get_by_role("searchbox").fill("nobody")
    expect(on_site.cards()).to_have_count(0)
    expect(page.get_by_text(say("games.none-found"))).to_be_visible()


def test_all_games_can_be_moved_to_another_device_in_one_file(
    on_site: Away, visits: Visits, site: Site, tmp_path: Path
) -> None:
    on_site.begin().play("a1 a2")
    on_site.begin(WINS)
    page = on_site.go("/games")
    text = downloaded(page, page.get_by_role("button", name=say("games.device.save")).click).read_text("utf-8")
    file = tmp_path / "games.json"
    file.write_text(text, "utf-8")
    new = Away(visits(site), "/#")
    page = new.go("/games")
    page.locator("input[type=file]").set_input_files(file)
    expect(new.cards()).to_have_count(2)
    key = operator.itemgetter("id")
    before, after = sorted(on_site.stored(), key=key), sorted(new.stored(), key=key)
    assert [(each["header"], each["entries"]) for each in after] == [
        (each["header"], each["entries"]) for each in before
    ]
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("No new games; 2 were already here.")).to_be_visible()
    expect(new.cards()).to_have_count(2)
    # The game can be continued.
    new.cards().filter(has_text="1 turn").first.get_by_role("link", name=say("games.continue")).click()
    new.table()


def backup(away: Away, file: Path) -> Page:
    """Save all games on this device in a file. Returns the page My games."""
    page = away.go("/games")
    text = downloaded(page, page.get_by_role("button", name=say("games.device.save")).click).read_text("utf-8")
    file.write_text(text, "utf-8")
    return page


def test_a_backup_restores_a_game_that_was_deleted_here(on_site: Away, tmp_path: Path) -> None:
    on_site.begin().play("a1 a2")
    on_site.begin(WINS)
    page = backup(on_site, tmp_path / "games.json")
    on_site.cards().last.get_by_role("button", name=say("games.delete")).click()
    expect(on_site.cards()).to_have_count(1)
    page.locator("input[type=file]").set_input_files(tmp_path / "games.json")
    expect(page.get_by_text("1 game added; 1 was already here.")).to_be_visible()
    expect(on_site.cards()).to_have_count(2)
    assert sorted(standing(game) for game in on_site.stored()) == [[], ["a1-a2"]]
    assert {game["deleted"] for game in on_site.stored()} == {None}


FULL_FOR_ONE: Final = """id => {
    const add = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = function (row) {
        const request = add.call(this, row);
        if (row.id === id) this.transaction.abort();
        return request;
    };
}"""
"""Makes the transaction fail that stores the game with this id."""


def test_an_import_continues_after_a_game_that_cannot_be_stored(
    on_site: Away, visits: Visits, site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "games.json"
    on_site.begin().play("a1 a2")
    on_site.begin(WINS)
    on_site.begin()
    backup(on_site, file)
    first = json.loads(file.read_text("utf-8"))["games"][0]["header"]["id"]
    new = Away(visits(site), "/#")
    page = new.go("/games")
    page.evaluate(FULL_FOR_ONE, first)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("2 games added; 1 could not be added.")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text(say("common.problem.device-failed"))
    expect(new.cards()).to_have_count(2)
    assert first not in [game["id"] for game in new.stored()]


AGED: Final = """() => new Promise((resolve) => {
    const request = indexedDB.open('cairn');
    request.onsuccess = () => {
        const transaction = request.result.transaction('games', 'readwrite');
        const games = transaction.objectStore('games');
        games.getAll().onsuccess = ({ target }) => target.result
            .filter(({ deleted }) => deleted !== null)
            .forEach((game) => games.put({ ...game, deleted: '2026-01-01T00:00:00.000Z' }));
        transaction.oncomplete = () => { request.result.close(); resolve(); };
    };
})"""
"""Changes the time at which the deleted games were deleted to a time long ago."""


def test_a_deleted_game_is_removed_on_a_later_visit(on_site: Away) -> None:
    on_site.begin().play("a1 a2")
    on_site.begin(WINS)
    page = on_site.go("/games")
    expect(on_site.cards()).to_have_count(2)
    on_site.cards().last.get_by_role("button", name=say("games.delete")).click()
    expect(on_site.cards()).to_have_count(1)
    on_site.go("/games")
    expect(on_site.cards()).to_have_count(1)
    assert len(on_site.stored()) == 2  # it can still be restored
    page.evaluate(AGED)
    on_site.go("/games")
    expect(on_site.cards()).to_have_count(1)
    assert [standing(game) for game in on_site.stored()] == [[]]


def test_a_damaged_game_in_a_file_is_not_added(on_site: Away, tmp_path: Path) -> None:
    on_site.begin().play("a1 a2")
    page = on_site.go("/games")
    text = downloaded(page, page.get_by_role("button", name=say("games.device.save")).click).read_text("utf-8")
    content = json.loads(text)
    content["games"][0]["header"]["id"] = "device-other"
    content["games"][0]["entries"][0]["data"]["token"] = "a1-e5"
    file = tmp_path / "games.json"
    file.write_text(json.dumps(content), "utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("No new games; 1 is damaged.")).to_be_visible()
    expect(on_site.cards()).to_have_count(1)
    file.write_text('{"format": "something else"}', "utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text(say("common.problem.malformed"))


def test_games_with_missing_or_wrong_fields_in_a_file_are_not_added(on_site: Away, tmp_path: Path) -> None:
    on_site.begin().play("a1 a2")
    page = on_site.go("/games")
    text = downloaded(page, page.get_by_role("button", name=say("games.device.save")).click).read_text("utf-8")
    content = json.loads(text)
    (game,) = content["games"]
    header, (entry,) = game["header"], game["entries"]
    new = {**header, "id": "device-other"}
    content["games"] = [
        {"header": {**new, "created": None}, "entries": []},  # the list of games is sorted by this time
        {"header": new, "entries": [{**entry, "revision": 2}]},
        {"header": new, "entries": [{**entry, "at": 0}]},
        {"header": {**new, "id": "other"}, "entries": [entry]},  # the id of a game on a server
        {"header": {**new, "seed": ""}, "entries": [entry]},
        {"header": {**new, "variant": "other"}, "entries": [entry]},
        {"header": {**new, "seats": {**header["seats"], "sea": {"kind": "other"}}}, "entries": [entry]},
        None,
    ]
    file = tmp_path / "games.json"
    file.write_text(json.dumps(content), "utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("No new games; 8 are damaged.")).to_be_visible()
    page.reload()
    expect(on_site.cards()).to_have_count(1)
    assert [each["id"] for each in on_site.stored()] == [header["id"]]


def test_a_game_can_be_moved_to_the_server_once_the_server_is_back(visits: Visits, own_server: Server) -> None:
    away = without_server(visits, own_server)
    away.begin().play("a1 a2")
    page = away.go("/games")
    expect(page.get_by_role("button", name=say("games.device.hand"))).to_have_count(0)
    own_server.start()
    page.get_by_role("button", name=say("games.device.hand")).click(timeout=20_000)  # retries become less frequent
    expect(page.get_by_text(say("games.device.handed"))).to_be_visible()
    expect(away.cards()).to_have_count(1)
    expect(away.cards().filter(has_text=say("games.device.mark"))).to_have_count(0)
    (game,) = own_server.ask("GET", "/games")["games"]
    assert own_server.tokens(game["id"]) == ["a1-a2"]


def test_games_stay_on_the_server_if_there_is_one(visits: Visits, own_server: Server) -> None:
    visitor = visits(own_server)
    page = visitor.go("/new")
    page.get_by_role("button", name=say("games.new.start")).click()
    page.wait_for_url(re.compile("/game/(?!device-)"))
    Table(page).wait()
    assert own_server.ask("GET", "/games")["total"] == 1
    assert not [each.url for each in visitor.requests if re.search(r"\.wasm|/device-|worker", each.url)]
