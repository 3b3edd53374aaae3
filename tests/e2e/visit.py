"""A visitor: a browser window that starts with given settings and collects all errors on its pages."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

DESKTOP: Final = (1440, 900)
PHONE: Final = (390, 844)

QUIET: Final[Mapping[str, Any]] = {"language": "en", "speed": "off", "sound": False, "confirmTurn": False}
"""Settings that switch off animation, sound and confirmation; a test overrides the settings that it checks."""

PASSWORD: Final = "correct horse"
_NUMBERS: Final = itertools.count()

STORE: Final = "cairn.settings"
"""The storage key of the settings (web/src/lib/settings.svelte.ts)."""
GOAL_TOLD: Final = "cairn.goal-told"
"""The storage key that earlier versions wrote in a first game. A visitor who has it sees no tips."""

KEEP_ONCE: Final = """(([address, kept]) => {
    if (location.origin !== address) return;
    let storage;
    try { storage = localStorage; } catch { return; }  // a test has blocked the storage
    if (storage.getItem('cairn.test') !== null) return;
    for (const [name, value] of Object.entries({ ...kept, 'cairn.test': 'kept' })) storage.setItem(name, value);
})([%s, %s])"""
"""Fills the storage before the first page of a context reads it. Playwright's ``storage_state`` does the same, but it
opens and closes an extra page, which takes as much CPU time as loading the game."""

FORGET: Final = """() => {
    for (const storage of [localStorage, sessionStorage]) storage.clear();
    Storage.prototype.setItem = () => undefined;  // nothing more is stored until the page is left
}"""
NO_WORKERS: Final = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined })"


@dataclasses.dataclass
class Visitor:
    """A window and the errors in it."""

    address: str
    context: BrowserContext
    page: Page
    complaints: list[str] = dataclasses.field(default_factory=list)
    """Errors on the console, exceptions, and requests that failed."""
    requests: list[Request] = dataclasses.field(default_factory=list)
    """Every request, in order."""
    _allowed: list[str] = dataclasses.field(default_factory=list)

    def go(self, path: str) -> Page:
        """Go to a page and wait until it has its heading."""
        self.page.goto(f"{self.address}{path}")
        self.page.locator("main h1").first.wait_for(state="attached")
        return self.page

    def sign_up(self) -> str:
        """Create an account and return its name. Each sign-up seems to come from a different address."""
        number = next(_NUMBERS)
        name = f"player-{number}"
        answer = self.context.request.post(
            f"{self.address}/api/account",
            data={"name": name, "password": PASSWORD},
            headers={"X-Forwarded-For": f"10.0.{number // 250}.{number % 250 + 1}"},
        )
        assert answer.ok, answer.text()
        return name

    def allow(self, pattern: str) -> None:
        """Do not report complaints that match the pattern."""
        self._allowed.append(pattern)

    def unexpected(self) -> list[str]:
        """The complaints that match no allowed pattern."""
        return [each for each in self.complaints if not any(re.search(pattern, each) for pattern in self._allowed)]

    def reset(self) -> None:
        """Clear everything that a new visitor would not have, except the browser's cache and the current page.

        Opening a new window instead would take more than twice the CPU time of reloading a page in this one.
        """
        self.page.evaluate(FORGET)
        self.context.clear_cookies()
        self.page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        self.page.mouse.move(0, 0)
        for remembered in (self.complaints, self.requests, self._allowed):
            remembered.clear()

    def settings(self) -> dict[str, Any]:
        """The settings that the page has saved: only those that the visitor has changed."""
        saved: dict[str, Any] = json.loads(self.page.evaluate("store => localStorage.getItem(store)", STORE) or "{}")
        return saved

    def choose(self, **settings: object) -> None:
        """Change settings, as another window of the same browser would."""
        text = json.dumps({**self.settings(), **settings})
        self.page.evaluate(
            """async ([key, newValue]) => {
                window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
                const shown = async () => {
                    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
                    // Wait until colours have stopped fading, so that no test measures an intermediate colour.
                    // Chromium does not finish transitions inside closed <details>.
                    const fades = document
                        .getAnimations()
                        .filter((each) => each instanceof CSSTransition && each.effect.target.checkVisibility());
                    await Promise.allSettled(fades.map((each) => each.finished));
                };
                // Without a time limit, a browser that draws nothing would make the test wait forever.
                const late = (_, reject) => setTimeout(() => reject(new Error('no frame within 15 s')), 15_000);
                await Promise.race([shown(), new Promise(late)]);
            }""",
            [STORE, text],
        )


def visit(
    browser: Browser,
    address: str,
    *,
    size: tuple[int, int] = DESKTOP,
    touch: bool = False,
    settings: Mapping[str, Any] | None = None,
    locale: str = "en",
    workers: bool = False,
) -> Visitor:
    """Open a window. Without ``settings``, the visitor is new and the pages' defaults apply.

    Most windows have no service workers, because tests cannot see or change the requests that a service worker answers.
    """
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        has_touch=touch,
        is_mobile=touch,
        locale=locale,
        accept_downloads=True,
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(15_000)
    if not workers:
        context.add_init_script(NO_WORKERS)  # Playwright's own option writes a warning to the console of each page
    if settings is not None:
        context.add_init_script(fill_storage(address, settings))
    visitor = Visitor(address, context, context.new_page())
    _listen(visitor)
    return visitor


def fill_storage(address: str, settings: Mapping[str, Any]) -> str:
    """A script that stores the settings of a visitor who has been here before."""
    kept = {STORE: json.dumps(settings), GOAL_TOLD: "yes"}
    return KEEP_ONCE % (json.dumps(_origin(address)), json.dumps(kept))


def _origin(address: str) -> str:
    return "/".join(address.split("/")[:3])


def _listen(visitor: Visitor) -> None:
    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            where = message.location.get("url", "")
            visitor.complaints.append(f"console {message.type}: {message.text} {where}")

    def on_failed(request: Request) -> None:
        if request.failure == "net::ERR_ABORTED":
            return  # the page was left or reloaded before the response arrived
        visitor.complaints.append(f"request failed: {request.method} {request.url}: {request.failure}")

    def on_response(response: Response) -> None:
        if response.status >= 400:
            visitor.complaints.append(f"error status: {response.status} {response.request.method} {response.url}")

    page = visitor.page
    page.on("console", on_console)
    page.on("pageerror", lambda error: visitor.complaints.append(f"exception: {error}"))
    page.on("requestfailed", on_failed)
    page.on("response", on_response)
    page.on("request", lambda request: visitor.requests.append(request))  # noqa: PLW0108  # Playwright sets attributes
