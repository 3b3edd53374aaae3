"""Online play and accounts, including a rated game with a reload, a takeback and a lost connection."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from cairn import Game
from cairn.engine import NativeEngine
from tests.e2e.conftest import Visits
from tests.e2e.player import LONGEST_GAME
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.test_access import violations
from tests.e2e.visit import DESKTOP, PHONE, Visitor
from tests.e2e.words import LANGUAGES, say

ABSENCE: Final = r"ERR_INTERNET_DISCONNECTED|WebSocket|request failed"


def press(page: Page, key: str) -> None:
    """Press the visible button whose text is the message with this key."""
    page.get_by_role("button", name=say(key), exact=True).locator("visible=true").first.click()


def invite(visitor: Visitor, *, rated: bool = False, **choices: str) -> str:
    """Create a challenge for a friend and return its link."""
    page = visitor.go("/lobby?friend")
    page.get_by_label(say("online.new.friend")).check()
    if rated:
        page.get_by_role("radio", name="10 min + 10 s", exact=True).check(force=True)
        expect(page.get_by_role("switch", name=say("online.rated"))).to_be_checked()
    for name in choices.values():
        page.get_by_role("radio", name=name, exact=True).check(force=True)
    press(page, "online.new.go.friend")
    link = page.get_by_label(say("online.join.link"))
    link.wait_for()
    expect(page.get_by_text(say("online.join.waiting"))).to_be_visible()
    return link.input_value()


def accept(visitor: Visitor, link: str) -> str:
    """Accept the challenge behind a link and return the id of the game."""
    page = visitor.page
    page.goto(link)
    press(page, "online.join.accept")
    return game_of(page)


def game_of(page: Page) -> str:
    """Wait until the page shows a game, and return its id."""
    page.wait_for_url(re.compile(r"/game/"))
    page.locator(".play .seats").wait_for()
    return page.url.rpartition("/")[2].partition("?")[0]


def meet(forest: Visitor, sea: Visitor, *, rated: bool = False, **choices: str) -> str:
    """Start a game with a link that Forest creates; return the game's id. A rated game needs two accounts."""
    link = invite(forest, rated=rated, tribe=say("games.tribe.forest"), **choices)
    # Sea may connect through another proxy. The link works there too.
    game = accept(sea, link.replace(forest.address, sea.address))
    assert game_of(forest.page) == game  # without any action by Forest
    return game


def begin(visits: Visits) -> tuple[Visitor, Visitor, str]:
    """Start a game between two guests with a link; return the player of each tribe and the id of the game."""
    forest, sea = visits(), visits()
    return forest, sea, meet(forest, sea)


def revision(page: Page) -> int:
    return int(page.locator(".play").get_attribute("data-revision") or 0)


def wait_for_revision(page: Page, at_least: int) -> None:
    page.wait_for_function(
        "wanted => Number(document.querySelector('.play')?.dataset.revision) >= wanted", arg=at_least
    )


class Pair:
    """Two players at separate screens, each of whom decides when asked.

    Forest plays much better than Sea, so that games are short.
    """

    def __init__(self, forest: Visitor, sea: Visitor, server: Server, game: str) -> None:
        self.tables: Final = {"forest": Table(forest.page), "sea": Table(sea.page)}
        self._advice: Final = {"forest": NativeEngine(level=6, seed=1), "sea": NativeEngine(level=1, seed=1)}
        self._server: Final = server
        self._game: Final = game

    def asked(self) -> str | None:
        """The tribe that can pick something, or ``None`` when the game is over."""
        page = self.tables["forest"].page
        for _ in range(600):
            if all(table.is_over() for table in self.tables.values()):
                return None
            for tribe, table in self.tables.items():
                if not table.is_over() and table.open():
                    return tribe
            page.wait_for_timeout(25)
        raise AssertionError("neither player is asked to decide")

    def send(self, tribe: str) -> None:
        """Make one choice without waiting for it to reach the server."""
        view = self._server.game(self._game)
        token = str(self._advice[tribe].play(Game(view["start"], self._server.tokens(self._game))).token)
        (paths,) = [choice["paths"] for choice in view["now"]["choices"] if choice["token"] == token]
        self.tables[tribe].pick(*paths[0])

    def decide(self, tribe: str) -> None:
        """Make one decision and wait until both players see it."""
        before = revision(self.tables[tribe].page)
        self.send(tribe)
        for each in self.tables.values():
            wait_for_revision(each.page, before + 1)

    def play(self, decisions: int = LONGEST_GAME) -> int:
        """Make up to ``decisions`` decisions, or fewer if the game ends first; return how many were made."""
        for made in range(decisions):
            tribe = self.asked()
            if tribe is None:
                return made
            self.decide(tribe)
        return decisions


@pytest.mark.slow
def test_a_rated_game_by_link_survives_a_reload_a_takeback_and_a_lost_connection(
    visits: Visits, server: Server
) -> None:
    forest, sea, watcher = visits(), visits(), visits()
    for visitor in (forest, sea):
        visitor.sign_up()
    game = meet(forest, sea, rated=True)
    watcher.go(f"/game/{game}")
    expect(watcher.page.get_by_text(say("online.watching"), exact=True).first).to_be_visible()
    assert Table(watcher.page).open() == []
    for visitor in (forest, sea, watcher):
        expect(visitor.page.get_by_text(say("online.fair.committed")).first).to_be_visible()
    pair = Pair(forest, sea, server, game)
    pair.play(3)

    # A reload keeps the seat and the game.
    asked = pair.asked()
    assert asked is not None
    page = pair.tables[asked].page
    page.reload()
    pair.tables[asked].wait()
    assert pair.asked() == asked

    # A takeback: the last player to decide asks, the other accepts, and the watcher sees it too.
    pair.decide(asked)
    while (other := pair.asked()) == asked:
        pair.decide(asked)
    assert other is not None
    steps = len(server.tokens(game))
    press(pair.tables[asked].page, "online.takeback")
    theirs = pair.tables[other].page
    expect(theirs.get_by_role("button", name=say("online.offer.accept"), exact=True)).to_be_visible()
    stood = revision(theirs)  # the offer already counts as a revision
    press(theirs, "online.offer.accept")
    wait_for_revision(pair.tables[asked].page, stood + 1)
    pair.tables[asked].wait()
    assert pair.asked() == asked
    assert len(server.tokens(game)) < steps
    wait_for_revision(watcher.page, revision(page))

    # A lost connection: a decision made offline is shown as pending and arrives once.
    for visitor in (forest, sea):
        visitor.allow(ABSENCE)
    lost = forest if asked == "forest" else sea
    lost.context.set_offline(True)
    before, played = revision(page), len(server.tokens(game))
    pair.send(asked)
    expect(page.locator(".prompt")).to_contain_text(say("play.prompt.pending"))
    page.wait_for_timeout(1_000)
    assert len(server.tokens(game)) == played
    lost.context.set_offline(False)
    for each in pair.tables.values():
        wait_for_revision(each.page, before + 1)

    pair.play()
    view = server.game(game)
    assert view["now"]["outcome"] is not None
    assert view["rated"]
    for visitor in (forest, sea, watcher):
        wait_for_revision(visitor.page, view["revision"])
        expect(visitor.page.get_by_text(say("online.fair.right")).first).to_be_visible()
        assert len(server.tokens(game)) == len(view["steps"])
    expect(watcher.page.locator("section.end")).to_be_visible()
    expect(watcher.page.get_by_role("button", name=say("play.end.rematch"))).to_have_count(0)


def play_again(forest: Visitor, sea: Visitor) -> None:
    """Start a rematch with swapped sides: the first offer is declined, the second accepted."""
    before = forest.page.url
    press(forest.page, "play.end.rematch")
    press(sea.page, "online.offer.decline")
    expect(forest.page.get_by_role("region", name=say("common.notices"))).to_contain_text(
        "Your rematch offer was declined."
    )
    press(sea.page, "play.end.rematch")
    press(forest.page, "online.offer.accept")
    for visitor in (forest, sea):
        visitor.page.wait_for_url(lambda url: "/game/" in url and url != before)
    assert game_of(forest.page) == game_of(sea.page)
    expect(forest.page.locator(".seat.sea").get_by_text(say("online.you"), exact=False).first).to_be_visible()


def test_players_can_chat_decline_a_draw_resign_and_play_again(visits: Visits, server: Server) -> None:
    forest, sea, game = begin(visits)
    ours, theirs = forest.page, sea.page
    press(ours, "online.phrase.hello")
    expect(theirs.get_by_role("log", name=say("online.chat")).first).to_contain_text(say("online.phrase.hello"))
    theirs.get_by_label(say("online.chat.write")).locator("visible=true").fill("Guten <b>Tag</b>")
    press(theirs, "online.chat.send")
    expect(ours.get_by_role("log", name=say("online.chat")).first).to_contain_text("Guten <b>Tag</b>")
    press(ours, "online.mute")
    expect(ours.get_by_role("log", name=say("online.chat")).first).not_to_contain_text("Guten")

    press(ours, "online.draw")
    expect(theirs.locator(".play p[role=status]").filter(has_text="offers a draw")).to_have_count(1)
    press(theirs, "online.offer.decline")
    expect(ours.locator(".note")).to_have_count(0)
    expect(ours.get_by_role("region", name=say("common.notices"))).to_contain_text("Your draw offer was declined.")
    assert server.game(game)["now"]["outcome"] is None

    press(theirs, "online.resign")
    press(theirs, "online.resign.no")
    press(theirs, "online.resign")
    press(theirs, "online.resign.yes")
    expect(ours.locator("section.end h2")).to_have_text("You win!")
    assert server.game(game)["now"]["outcome"]["reason"] == "resignation"
    play_again(forest, sea)


def test_a_rematch_is_offered_and_begins_while_the_end_card_is_closed(visits: Visits) -> None:
    forest, sea, _ = begin(visits)
    before = forest.page.url
    press(sea.page, "online.resign")
    press(sea.page, "online.resign.yes")
    for visitor in (forest, sea):
        visitor.page.locator("section.end").wait_for()
    press(sea.page, "play.end.rematch")
    sea.page.locator("section.end").get_by_role("button", name=say("play.close"), exact=True).click()
    forest.page.locator("section.end").get_by_role("button", name=say("play.close"), exact=True).click()
    expect(forest.page.locator(".play p[role=status]").filter(has_text=say("online.rematch.other"))).to_have_count(1)
    press(forest.page, "online.offer.accept")
    for visitor in (forest, sea):
        visitor.page.wait_for_url(lambda url: "/game/" in url and url != before)
    assert game_of(forest.page) == game_of(sea.page)


def test_a_typed_message_survives_a_closed_sheet_and_a_lost_connection(visits: Visits) -> None:
    forest, sea = visits(), visits(size=PHONE, touch=True)
    meet(forest, sea)
    page = sea.page
    page.get_by_role("button", name=say("online.more"), exact=True).tap()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label(say("online.chat.write")).fill("Half a sentence")
    sheet.get_by_role("button", name=say("play.close"), exact=True).tap()
    page.get_by_role("button", name=say("online.more"), exact=True).tap()
    field = sheet.get_by_label(say("online.chat.write"))
    expect(field).to_have_value("Half a sentence")
    sea.allow(ABSENCE)
    sea.context.set_offline(True)
    sheet.get_by_role("button", name=say("online.chat.send"), exact=True).tap()
    page.wait_for_timeout(300)
    expect(field).to_have_value("Half a sentence")
    sea.context.set_offline(False)
    expect(forest.page.get_by_role("log", name=say("online.chat")).first).to_contain_text("Half a sentence")
    expect(field).to_have_value("")


def test_an_open_challenge_is_accepted_in_the_lobby(visits: Visits) -> None:
    maker, taker = visits(), visits(size=PHONE, touch=True)
    page = maker.go("/lobby")
    page.get_by_label(say("online.new.lobby")).check()
    press(page, "online.new.go.lobby")
    expect(page.get_by_text(say("online.join.waiting"))).to_be_visible()
    taker.go("/lobby")
    press(taker.page, "online.join.play")
    assert game_of(taker.page) == game_of(page)
    # On a phone, offers and chat are behind a button.
    taker.page.get_by_role("button", name=say("online.more"), exact=True).tap()
    sheet = taker.page.get_by_role("dialog")
    sheet.get_by_role("button", name=say("online.resign"), exact=True).tap()
    sheet.get_by_role("button", name=say("online.resign.yes"), exact=True).tap()
    # The sheet closes at the end of the game. A notice shown while another sheet is open appears inside that sheet.
    expect(sheet).to_have_count(0)
    taker.page.locator("section.end").get_by_role("button", name=say("play.close"), exact=True).tap()
    taker.page.get_by_role("button", name=say("play.moves"), exact=True).tap()
    sheet.get_by_role("button", name=say("play.position.share"), exact=True).tap()
    sheet.get_by_role("region", name=say("common.notices")).get_by_role("button").tap()


def test_a_rated_game_can_be_played_against_the_computer(visits: Visits, server: Server) -> None:
    visitor = visits()
    visitor.context.add_init_script("delete Crypto.prototype.subtle")  # as over plain HTTP; the badge does not need it
    visitor.sign_up()
    page = visitor.go("/lobby")
    page.get_by_label(say("games.new.computer")).check()
    expect(page.get_by_role("switch", name=say("online.rated"))).to_be_checked()
    press(page, "games.new.start")
    game = game_of(page)
    Table(page).wait()
    assert server.game(game)["rated"]
    press(page, "online.resign")
    press(page, "online.resign.yes")
    expect(page.get_by_text(say("online.fair.right")).first).to_be_visible()


def test_a_game_without_a_clock_is_not_rated(visits: Visits, server: Server) -> None:
    visitor = visits()
    visitor.sign_up()
    page = visitor.go("/lobby")
    page.get_by_label(say("games.new.computer")).check()
    page.get_by_role("radio", name=say("online.clock.none"), exact=True).check(force=True)
    expect(page.get_by_text(say("online.rated.clock"), exact=True)).to_be_visible()
    expect(page.get_by_role("switch", name=say("online.rated"))).to_have_count(0)
    press(page, "games.new.start")
    view = server.game(game_of(page))
    assert (view["rated"], view["now"]["clock"]) == (False, None)


def sign_up(page: Page, name: str) -> None:
    """Sign up with the form."""
    form = page.locator("section", has=page.get_by_role("heading", name=say("account.sign-up")))
    form.get_by_label(say("account.name")).fill(name)
    form.get_by_label(say("account.password"), exact=True).fill("a long password")
    form.get_by_role("button", name=say("account.sign-up.go")).click()


def test_a_guest_invited_to_a_rated_game_can_sign_up_and_accept(visits: Visits, server: Server) -> None:
    maker, comer = visits(), visits()
    maker.sign_up()
    comer.page.goto(invite(maker, rated=True))
    expect(comer.page.get_by_text(say("account.problem.account-needed"))).to_be_visible()
    sign_up(comer.page, "Grace-Hopper")
    press(comer.page, "online.join.accept")
    view = server.game(game_of(comer.page))
    assert view["rated"]
    assert "Grace-Hopper" in [player["name"] for player in view["players"].values()]


def test_a_guest_can_sign_up_and_keep_everything(visits: Visits) -> None:
    visitor, other = visits(), visits()
    link = invite(visitor)
    page = visitor.go("/account")
    expect(page.get_by_text(say("account.sign-up.guest"))).to_be_visible()
    sign_up(page, "Ada-Lovelace")
    expect(page.get_by_role("heading", name="Ada-Lovelace")).to_be_visible()
    other.page.goto(link)
    expect(other.page.get_by_text("Ada-Lovelace")).to_be_visible()

    visitor.allow("401")
    page.get_by_role("main").get_by_role("button", name=say("account.sign-out")).click()
    form = page.locator("section", has=page.get_by_role("heading", name=say("account.sign-in"), exact=True))
    form.get_by_label(say("account.name")).fill("ada-lovelace")
    form.get_by_label(say("account.password"), exact=True).fill("not my password")
    form.get_by_role("button", name=say("account.sign-in")).click()
    expect(page.get_by_text(say("account.problem.wrong-login"))).to_be_visible()
    form.get_by_label(say("account.password"), exact=True).fill("a long password")
    form.get_by_role("button", name=say("account.sign-in")).click()
    expect(page.get_by_role("heading", name="Ada-Lovelace")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name=say("account.profile")).click()
    expect(page.get_by_text(say("online.player.unrated"))).to_be_visible()


@pytest.mark.slow
@pytest.mark.proof
def test_axe_finds_no_violations_in_online_play(visits: Visits) -> None:
    maker, taker = visits(settings={"contrast": "normal"}), visits(settings={"contrast": "more"})
    wrong: list[str] = []

    def look(visitor: Visitor, name: str) -> None:
        for size in (DESKTOP, PHONE):
            visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
            for theme in ("light", "dark"):  # the themes differ only in colours
                visitor.choose(theme=theme)
                found = violations(visitor, colours_only=theme == "dark")
                wrong.extend(f"{name}, {size[0]}, {theme}: {each}" for each in found)

    for path in ("/player/level-1", "/reset#nothing", "/admin"):
        page = maker.go(path)
        page.wait_for_timeout(500)
        look(maker, path)
    link = invite(maker)
    look(maker, "a link")
    taker.page.goto(link)
    taker.page.get_by_role("button", name=say("online.join.accept")).wait_for()
    look(taker, "an invitation")
    press(taker.page, "online.join.accept")
    for visitor in (maker, taker):
        game_of(visitor.page)
        look(visitor, "a game")
    taker.page.get_by_role("button", name=say("online.more"), exact=True).click()
    look(taker, "chat")
    assert not wrong, "\n".join(wrong)


@pytest.mark.proof
def test_no_page_is_wider_than_a_small_phone(visitor: Visitor) -> None:
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for path in ("/lobby", "/account", "/leaders", "/"):
        page = visitor.go(path)
        page.wait_for_load_state("networkidle")
        for language in LANGUAGES:
            page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
            page.locator(f'header button:has([lang="{language}"])').click()
            page.locator(f'html[lang="{language}"]').wait_for(state="attached")
            page.set_viewport_size({"width": 360, "height": 640})
            assert page.evaluate(wide) <= 0, f"{path} in {language} is wider than the window"
