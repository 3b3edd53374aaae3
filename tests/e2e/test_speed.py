"""Speed: small scripts, a first board without extra requests, and legal choices without any request."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.conftest import MEASURED, Visits
from tests.e2e.server import AGAINST_COMPUTER, Server
from tests.e2e.table import Table
from tests.e2e.visit import DESKTOP, PHONE, Visitor
from tests.e2e.words import say, spoken

START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
MOST_SCRIPT = 150_000

FIRST_BOARD = """
    const watch = new MutationObserver(() => {
        if (!document.querySelector('[role="gridcell"]')) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => {
            const cells = [...document.querySelectorAll('[role="gridcell"]')];
            window.firstBoard = {
                time: Math.round(performance.now()),
                cells: cells.map((cell) => [cell.dataset.pick, cell.getAttribute('aria-label')]),
            };
        }));
    });
    watch.observe(document, { childList: true, subtree: true });
"""
"""Records what the first board shows and when it appears."""
NAMED_EARLY = """
    document.addEventListener('readystatechange', () => {
        if (document.readyState !== 'interactive') return;
        window.namedEarly = [...document.querySelectorAll('script[src], link[rel="modulepreload"]')]
            .map((each) => each.src || each.href);
    });
"""
"""Records which scripts the HTML lists, before any of them runs."""


def test_scripts_are_small(
    own_visitor: Visitor, server: Server, record_property: Callable[[str, object], None]
) -> None:
    own_visitor.go("/")
    page = own_visitor.go(f"/game/{server.begin(START)}")
    Table(page).wait()
    page.wait_for_load_state("networkidle")
    sizes: dict[str, int] = {}
    for request in own_visitor.requests:
        if request.resource_type == "script" and request.failure is None:  # leaving a page aborts its requests
            sizes[request.url] = max(request.sizes()["responseBodySize"], sizes.get(request.url, 0))
    weight = sum(sizes.values())
    summary = f"scripts on the home and play pages: {weight / 1000:.1f} kB over the wire in {len(sizes)} files"
    record_property(MEASURED, summary)
    assert weight > 10_000, "no scripts were measured"
    assert weight < MOST_SCRIPT, summary


def test_the_first_board_is_complete_and_does_not_need_an_extra_request(
    visits: Visits, server: Server, record_property: Callable[[str, object], None]
) -> None:
    game = server.begin(START)
    times = sorted(_first_board(visits(), server, game) for _ in range(3))
    record_property(MEASURED, f"first board after {', '.join(map(str, times))} ms (empty cache, no animation)")


def _first_board(visitor: Visitor, server: Server, game: str) -> int:
    """Check that the first board is complete and nothing is requested twice; return how long the board took, in ms."""
    page = visitor.page
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.add_init_script(FIRST_BOARD + NAMED_EARLY)
    visitor.go(f"/game/{game}")
    page.wait_for_function("() => window.firstBoard !== undefined")
    first = page.evaluate("() => window.firstBoard")

    cells = dict(first["cells"])
    assert len(cells) == 25
    assert cells["a1"] == spoken("a1", "forest")
    assert cells["e5"] == spoken("e5", "sea")
    assert cells["b3"] == "b3, Chaos of the Giants"

    assert sockets == [f"ws{server.address.removeprefix('http')}/api/games/{game}/socket"]
    requested = [request.url for request in visitor.requests]
    assert len(requested) == len(set(requested)), requested
    assert all(url.startswith(f"{server.address}/") for url in requested), requested
    assert requested[0] == f"{server.address}/game/{game}"
    assert [url for url in requested if "/api/games" in url] == []  # the socket sends the game
    scripts = [request.url for request in visitor.requests if request.resource_type == "script"]
    assert [url for url in scripts if "/language-" in url and "/language-en" not in url] == []
    # The page lists all scripts of the first board, so that none is discovered only by running another.
    early = set(page.evaluate("() => window.namedEarly"))
    assert early <= set(scripts)
    assert [url for url in scripts if url not in early and not AFTER_BOARD.search(url)] == []
    return int(first["time"])


AFTER_BOARD = re.compile("/(RunningBar|quickGame|cardsChunk|OptionCards|guideChunk|panelChunk|Replay)")
"""Scripts that a page loads after its first board."""
SHIFTS = """() => new Promise((resolve) => new PerformanceObserver((list) =>
    resolve(list.getEntries().filter((each) => !each.hadRecentInput).flatMap((each) => each.sources.map(
        ({ node }) => `${node?.nodeName} ${node?.className ?? ''}`))))
    .observe({ type: 'layout-shift', buffered: true }) || setTimeout(() => resolve([]), 300))"""


def test_the_home_page_has_no_layout_shifts(visits: Visits, server: Server) -> None:
    server.begin(START, seats=AGAINST_COMPUTER)
    for size in (PHONE, DESKTOP):
        page = visits(size=size).go("/")
        expect(page.get_by_role("link", name=re.compile(f"^{say('common.home.continue')}"))).to_be_visible()
        assert page.evaluate(SHIFTS) == []


def test_legal_choices_do_not_need_a_request(visitor: Visitor, server: Server) -> None:
    game = server.begin(START, seats=AGAINST_COMPUTER)
    page = visitor.go(f"/game/{game}")
    table = Table(page)
    table.wait()
    page.wait_for_load_state("networkidle")
    for _ in range(3):
        visitor.requests.clear()
        shamans = [space for space in table.shamans("forest") if space in table.marked()]
        for shaman in shamans:
            table.pick(shaman)
            assert table.marked(), f"the page shows no target for {shaman}"
        page.keyboard.press("Escape")
        if "tile:move" in table.open():
            table.pick("tile:move")
            page.keyboard.press("Escape")
        assert _requested(visitor) == []  # showing legal choices sends no request
        table.play(["village:forest", *_only(table)] if not shamans else [shamans[0], _first_goal(table, shamans[0])])
        assert _requested(visitor) == [], "playing a token sent requests instead of using the open socket"
        if table.is_over() or not _at_action(server, game):
            break


def _requested(visitor: Visitor) -> list[str]:
    """The files that the page has requested. The icon of the tab does not count: it changes when a turn starts."""
    files = (request.url.rpartition("/")[2] for request in visitor.requests)
    return [file for file in files if not file.startswith("icon")]


def _first_goal(table: Table, shaman: str) -> str:
    table.pick(shaman)
    goal = table.marked()[0]
    table.page.keyboard.press("Escape")
    return goal


def _only(table: Table) -> list[str]:
    table.pick("village:forest")
    goals = table.marked()
    table.page.keyboard.press("Escape")
    return goals[:1]


def _at_action(server: Server, game: str) -> bool:
    return bool(server.game(game)["now"]["phase"] == "action")


def test_a_second_visit_does_not_fetch_scripts_again(own_visitor: Visitor, server: Server) -> None:
    page = own_visitor.go(f"/game/{server.begin(START)}")
    page.wait_for_load_state("networkidle")
    answers: list[str] = []
    page.on(
        "response",
        lambda answer: (
            answers.append(json.dumps([answer.url, answer.status, answer.from_service_worker]))
            if answer.request.resource_type == "script" and answer.request.sizes()["responseBodySize"] > 1_000
            else None
        ),
    )
    page.reload()
    page.wait_for_load_state("networkidle")
    assert answers == []
