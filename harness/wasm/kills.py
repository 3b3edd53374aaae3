"""Kills Chromium during local games and checks that no token is lost once the page has shown it as played."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserType, Page

from harness import chromium
from harness.wasm.static_site import PATIENCE, PLAY
from harness.wasm.stored_games import STORED

LONGEST_LIFE: Final = 2.0
"""The longest time between the first token shown by the page and the kill, in seconds."""
PAUSE: Final = 5
"""The time between two picks, in milliseconds."""
SETTINGS: Final = {"language": "en", "speed": "off", "sound": False, "confirmTurn": False}

WATCH: Final = """(settings) => {
    localStorage.setItem('cairn.settings', settings);
    localStorage.setItem('cairn.goal-told', 'yes');
    const begin = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (stores, mode, options) {
        const started = performance.now();
        const transaction = begin.call(this, stores, mode, options);
        if (mode === 'readwrite') {
            transaction.addEventListener('complete', () => report({ commit: performance.now() - started }));
        }
        return transaction;
    };
    const look = () => {
        const revision = document.querySelector('.play')?.dataset.revision;
        const game = /device-[^?/]+/.exec(location.hash)?.[0];
        if (game && revision !== undefined) report({ game, revision: Number(revision) });
    };
    new MutationObserver(look).observe(document, { subtree: true, attributeFilter: ['data-revision'] });
}"""
"""Reports every revision that the page shows, and how long every commit takes."""


@dataclasses.dataclass
class Tally:
    """Counts from a run."""

    kills: int = 0
    games: int = 0
    tokens: int = 0
    """Revisions that a page has shown."""
    commits: list[float] = dataclasses.field(default_factory=list)
    """How long each commit took, in milliseconds."""
    faults: list[str] = dataclasses.field(default_factory=list)
    """A sentence for each game that lost tokens."""


class Victim:
    """A Chromium that plays on a static site. Its profile survives a kill."""

    def __init__(self, kind: BrowserType, profile: Path, address: str) -> None:
        self._kind: Final = kind
        self._profile: Final = profile
        self._address: Final = address
        self.shown: Final[dict[str, int]] = {}
        """The last revision that the page showed, by game."""
        self.tally: Final = Tally()

    def live_and_die(self, rng: random.Random) -> None:
        """Start the browser, check the stored games, keep playing, and kill the browser at a random moment."""
        with self._running() as (process, browser):
            self._check(browser)
            page = new_page(browser)
            page.expose_function("report", self._report)
            page.add_init_script(f"({WATCH})({json.dumps(json.dumps(SETTINGS))})")
            before = sum(self.shown.values())
            self._open_game(page)
            page.evaluate(PLAY, [rng.getrandbits(32), PAUSE])
            while sum(self.shown.values()) == before:
                page.wait_for_timeout(10)
            page.wait_for_timeout(1000 * rng.uniform(0, LONGEST_LIFE))
            os.killpg(process.pid, signal.SIGKILL)
            self.tally.kills += 1

    def check(self) -> None:
        """Start the browser once more, only to check the stored games."""
        with self._running() as (_, browser):
            self._check(browser)

    def _open_game(self, page: Page) -> None:
        """Continue the last game, or start the first."""
        if self.shown:
            page.goto(f"{self._address}#/game/{[*self.shown][-1]}")
        else:
            page.goto(self._address)
            page.locator("button.play").click()
        page.locator(".play[data-revision]").wait_for()

    def _check(self, browser: Browser) -> None:
        """Compare the stored logs with what was shown before the browser was killed."""
        if not self.shown:
            return  # reading the games would create an empty database
        page = new_page(browser)
        page.goto(self._address)
        stored: dict[str, Any] = {each["id"]: each for each in page.evaluate(STORED)}
        page.close()
        for game, revision in self.shown.items():
            found = stored.get(game, {"length": 0, "entries": []})
            revisions = [entry["revision"] for entry in found["entries"]]
            if found["length"] < revision or revisions != [*range(1, found["length"] + 1)]:
                self.tally.faults.append(f"{game}: revision {revision} was shown, but this is stored: {found}")

    def _report(self, seen: dict[str, Any]) -> None:
        if "commit" in seen:
            self.tally.commits.append(seen["commit"])
        elif seen["revision"] > self.shown.get(seen["game"], -1):
            self.tally.games += seen["game"] not in self.shown
            self.tally.tokens += seen["revision"] - max(0, self.shown.pop(seen["game"], 0))
            self.shown[seen["game"]] = seen["revision"]  # reinserted, so that the most recent game comes last

    @contextlib.contextmanager
    def _running(self) -> Iterator[tuple[subprocess.Popen[bytes], Browser]]:
        path = chromium.find()
        assert path is not None
        port_file = self._profile / "DevToolsActivePort"
        port_file.unlink(missing_ok=True)
        command = [path, "--headless=new", *chromium.FLAGS, f"--user-data-dir={self._profile}"]
        command += ["--remote-debugging-port=0", "--no-first-run", "--noerrdialogs", "about:blank"]
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)
        try:
            deadline = time.monotonic() + PATIENCE / 1000
            while not port_file.exists() or "\n" not in port_file.read_text():
                if time.monotonic() > deadline:
                    raise TimeoutError("Chromium did not start")
                time.sleep(0.02)
            port = port_file.read_text().split("\n")[0]
            yield process, self._kind.connect_over_cdp(f"http://127.0.0.1:{port}", timeout=PATIENCE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def new_page(browser: Browser) -> Page:
    """A new page that uses the browser's profile."""
    page = browser.contexts[0].new_page()
    page.set_default_timeout(PATIENCE)
    return page
