"""A client for WebDriver BiDi, the W3C protocol for driving browsers over a WebSocket.

It covers what the browser tests need: pages, scripts, real clicks and key presses, and the errors of a page. A client
belongs to one thread. Events are handled while a command waits for its response.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

PATIENCE: Final = 20.0
"""For how many seconds a page waits for a condition."""
RESPONSE_TIMEOUT: Final = 3 * PATIENCE
"""After how many seconds without a message the browser counts as hanging."""

KEYS: Final[Mapping[str, str]] = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
"""The characters that stand for keys without a character of their own, by the names that pages see."""

CALL: Final = "async () => JSON.stringify(await (%s)(...%s))"
WAIT: Final = """async (milliseconds, ...values) => {
    const condition = %s;
    const end = performance.now() + milliseconds;
    for (;;) {
        const found = await condition(...values);
        if (found || performance.now() > end) return found ? [found] : [];
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}"""
FIND: Final = """(selector, text) => {
    const matches = (each) => text === null || each.textContent.trim().replace(/\\s+/g, ' ') === text;
    const isVisible = (each) => each.checkVisibility({ visibilityProperty: true });
    return [...document.querySelectorAll(selector)].filter((each) => matches(each) && isVisible(each));
}"""
CLICKABLE: Final = f"""(selector, text) => {{
    const [element] = ({FIND})(selector, text);
    if (!element || element.disabled) return null;
    element.scrollIntoView({{ block: 'nearest', inline: 'nearest', behavior: 'instant' }});
    const {{ x, y, width, height }} = element.getBoundingClientRect();
    const middle = [Math.round(x + width / 2), Math.round(y + height / 2)];
    return element.contains(document.elementFromPoint(...middle)) ? middle : null;
}}"""
"""The middle of the first matching element, once nothing covers it."""

EVENTS: Final = ("log.entryAdded", "network.fetchError", "network.responseCompleted")


class BidiError(Exception):
    """The browser rejected a command, or a script threw an exception."""


class Client:
    """A session with a browser."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection: Final = connection
        self._ids: Final = itertools.count(1)
        self._pages: Final[dict[str, Page]] = {}
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=list(EVENTS))

    def command(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command and return its result."""
        number = next(self._ids)
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            try:
                message: dict[str, Any] = json.loads(self._connection.recv(timeout=RESPONSE_TIMEOUT))
            except TimeoutError:
                raise BidiError(f"{method}: the browser has not answered for {RESPONSE_TIMEOUT:.0f} s") from None
            if message["type"] == "event":
                self._handle(message["method"], message["params"])
            elif message.get("id") == number:
                if message["type"] == "error":
                    raise BidiError(f"{method}: {message['error']}: {message['message']}")
                result: dict[str, Any] = message["result"]
                return result

    def open(self, *, size: tuple[int, int], init_script: str | None = None) -> Page:
        """Open a window with its own cookies and storage.

        Every document in the window runs ``init_script``, a JavaScript expression, before its own scripts.
        """
        profile = self.command("browser.createUserContext")["userContext"]
        if init_script is not None:
            function = f"() => {{ {init_script}; }}"
            self.command("script.addPreloadScript", functionDeclaration=function, userContexts=[profile])
        # In a tab, timers would slow down whenever another tab is in front.
        window = self.command("browsingContext.create", type="window", userContext=profile)["context"]
        viewport = {"width": size[0], "height": size[1]}
        self.command("browsingContext.setViewport", context=window, viewport=viewport)
        self._pages[window] = page = Page(self, window, profile)
        return page

    def forget(self, window: str) -> None:
        """Ignore the events of a window that has been closed."""
        del self._pages[window]

    def _handle(self, event: str, params: Mapping[str, Any]) -> None:
        source = params["source"] if event == "log.entryAdded" else params
        page = self._pages.get(source.get("context") or "")
        complaint = _complaint(event, params)
        if page is not None and complaint is not None:
            page.complaints.append(complaint)


def _complaint(event: str, params: Mapping[str, Any]) -> str | None:
    """What an event says about an error on a page."""
    if event == "log.entryAdded":
        return f"{params['type']} {params['level']}: {params['text']}" if params["level"] in ("error", "warn") else None
    request = f"{params['request']['method']} {params['request']['url']}"
    if event == "network.fetchError":
        # A request is aborted if the page was left or reloaded before the response arrived.
        return None if params["errorText"] == "NS_BINDING_ABORTED" else f"{request} failed: {params['errorText']}"
    status = params["response"]["status"]
    return f"{request} was answered with status {status}" if status >= 400 else None


class Page:
    """A window of the browser."""

    def __init__(self, client: Client, window: str, profile: str) -> None:
        self._client: Final = client
        self._window: Final = window
        self._profile: Final = profile
        self.complaints: Final[list[str]] = []
        """Errors and warnings on the console, exceptions, and requests that failed."""

    def go(self, address: str) -> None:
        """Load a page."""
        self._client.command("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def reload(self) -> None:
        self._client.command("browsingContext.reload", context=self._window, wait="complete")

    def close(self) -> None:
        """Close the window and delete its cookies and storage."""
        self._client.command("browser.removeUserContext", userContext=self._profile)
        self._client.forget(self._window)

    # Scripts

    def call(self, function: str, *arguments: object) -> Any:
        """Call a JavaScript function and return its result, or that of its promise. All values must be valid JSON."""
        declaration = CALL % (function, json.dumps(arguments))
        answer = self._client.command(
            "script.callFunction",
            functionDeclaration=declaration,
            target={"context": self._window},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise BidiError(answer["exceptionDetails"]["text"])
        text = answer["result"].get("value")  # missing if the function returns `undefined`
        return None if text is None else json.loads(text)

    def wait(self, condition: str, *arguments: object) -> Any:
        """Wait until a JavaScript function returns something true, and return it."""
        found = self.call(WAIT % condition, PATIENCE * 1000, *arguments)
        if not found:
            raise AssertionError(f"still not true after {PATIENCE:.0f} s: {condition} {arguments}")
        return found[0]

    def shows(self, selector: str, text: str | None = None) -> bool:
        """Whether an element that matches the selector is visible, with exactly this text if it is given."""
        return bool(self.call(f"(...which) => ({FIND})(...which).length > 0", selector, text))

    def wait_for(self, selector: str, text: str | None = None) -> None:
        """Wait until an element that matches the selector, and has this text if it is given, is visible."""
        self.wait(f"(...which) => ({FIND})(...which).length > 0", selector, text)

    # Input

    def click(self, selector: str, text: str | None = None) -> None:
        """Wait until the first matching element can be clicked, and click its middle."""
        x, y = self.wait(CLICKABLE, selector, text)
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        actions = [{"type": "pointerMove", "x": x, "y": y}, *press]
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions})

    def press(self, *keys: str) -> None:
        """Press and release keys, one after another: characters, or names from ``KEYS``."""
        values = [KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": value} for value in values for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def _act(self, source: Mapping[str, object]) -> None:
        self._client.command("input.performActions", context=self._window, actions=[source])


@contextmanager
def session(address: str) -> Iterator[Client]:
    """Connect to the WebSocket address of a browser and begin a session."""
    with connect(f"{address}/session", max_size=None, compression=None, open_timeout=RESPONSE_TIMEOUT) as connection:
        yield Client(connection)
