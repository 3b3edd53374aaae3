"""A visitor who plays games on this device while no server is running."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from playwright.sync_api import Locator, Page

import cairn.server
from harness.wasm.stored_games import STORED
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.visit import Visitor
from tests.e2e.words import say

if TYPE_CHECKING:
    from tests.e2e.conftest import Visits

ABSENCE: Final = r"ERR_CONNECTION|ERR_FAILED|WebSocket|Failed to fetch|dynamically imported|503"
ASSETS: Final = Path(cairn.server.__file__).parent / "pages" / "assets"
START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"

KEPT: Final = """async ([scriptsOf, build]) => {
    const isComplete = async () => {
        const { active, installing, waiting } = await navigator.serviceWorker.ready;
        if (!navigator.serviceWorker.controller || installing || waiting || active.state !== 'activated') return false;
        for (const name of (await caches.keys()).filter((each) => each.endsWith(build))) {
            const files = (await (await caches.open(name)).keys()).map(({ url }) => url);
            const scripts = files.filter((url) => url.endsWith('.js'));
            const hasLanguage = ([code, count]) =>
                scripts.filter((url) => url.includes(`/language-${code}-`)).length === count;
            if (files.some((url) => url.endsWith('/')) && Object.entries(scriptsOf).every(hasLanguage)) return true;
        }
        return false;
    };
    const deadline = Date.now() + 60_000;
    while (!(await isComplete())) {
        if (Date.now() > deadline) throw new Error('the pages are not cached: ' + (await caches.keys()));
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}"""
"""Resolves when an active service worker has cached a build in these languages.

The script polls in the page because Playwright cannot poll a promise.
"""


def wait_until_kept(page: Page, *languages: str, build: str = "") -> None:
    """Wait until the service worker controls the page and has cached everything in these languages."""
    # The messages of each page, the rules and the lessons. Russian also has fonts.
    scripts = {code: len([*ASSETS.glob(f"language-{code}-*.js")]) for code in languages}
    assert min(scripts.values()) > 3
    page.evaluate(KEPT, [scripts, build])


class Away:
    """A visitor who has no server. ``prefix`` precedes each path; it is ``/#`` on a static site."""

    def __init__(self, visitor: Visitor, prefix: str = "") -> None:
        self.visitor: Final = visitor
        self.page: Final = visitor.page
        self._prefix: Final = prefix

    def go(self, path: str) -> Page:
        """Load a page directly at its address."""
        self.page.goto("about:blank")  # changing only the fragment would not load the page
        return self.visitor.go(f"{self._prefix}{path}")

    def begin(self, position: str = START) -> Table:
        """Set up a position, and play it with two people at one screen."""
        page = self.go(f"/setup?position={quote(position)}")
        page.get_by_role("button", name=say("games.new.two"), exact=True).click()
        return self.table()

    def table(self) -> Table:
        """The table of the game that is being opened."""
        self.page.wait_for_url(re.compile("/game/device-"))
        table = Table(self.page)
        table.wait()
        return table

    def stored(self) -> list[Any]:
        """All games in the browser's database, with their logs."""
        return list(self.page.evaluate(STORED))

    def cards(self) -> Locator:
        """The cards on the page My games."""
        return self.page.get_by_role("article")


def without_server(visits: Visits, server: Server) -> Away:
    visitor = visits(server, workers=True)
    visitor.allow(ABSENCE)
    wait_until_kept(visitor.go("/"), "en")
    server.kill()
    return Away(visitor)


def standing(game: Any) -> list[str]:
    """The tokens of a stored game that have not been taken back."""
    tokens: list[str] = []
    for entry in game["entries"]:
        if entry["kind"] == "token":
            tokens.append(entry["data"]["token"])
        elif entry["kind"] == "undo":
            del tokens[-entry["data"]["tokens"] :]
    return tokens
