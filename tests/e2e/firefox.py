"""Firefox, driven through WebDriver BiDi, because Playwright supports only its own build of Firefox."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

NAMES: Final = ("firefox-esr", "firefox")
PREFERENCES: Final[dict[str, object]] = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "en",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
STARTED: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
PATIENCE: Final = 30.0


def find() -> str | None:
    """The path of Firefox: the program in ``CAIRN_FIREFOX``, or the first usual name that is on ``PATH``."""
    named = os.environ.get("CAIRN_FIREFOX")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


class Firefox:
    """A Firefox window."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection: Final = connection
        self._ids: Final = itertools.count(1)
        self.errors: Final[list[str]] = []
        """Console errors and uncaught exceptions."""
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["log.entryAdded"])
        self._window: Final = self.command("browsingContext.getTree")["contexts"][0]["context"]

    def command(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command and wait for the response. Collect the errors that are logged in the meantime."""
        number = next(self._ids)
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message: dict[str, Any] = json.loads(self._connection.recv(timeout=PATIENCE))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") == number:
                assert message["type"] == "success", f"{method}: {message.get('message')}"
                result: dict[str, Any] = message["result"]
                return result

    def go(self, address: str) -> None:
        """Load a page."""
        self.command("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression: a string, number, boolean or null."""
        answer = self.command(
            "script.evaluate", expression=expression, target={"context": self._window}, awaitPromise=True
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression, or the value of its promise, is true."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(f"Promise.resolve({expression}).then(Boolean)"):
            assert time.monotonic() < end, f"still not true: {expression}"
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """Wait for an element that matches the selector, and click the middle of the first one."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.wait(element)
        self.evaluate(f"void {element}.scrollIntoView({{ block: 'nearest', behavior: 'instant' }})")
        box = json.loads(self.evaluate(f"JSON.stringify({element}.getBoundingClientRect())"))
        move = {
            "type": "pointerMove",
            "x": round(box["x"] + box["width"] / 2),
            "y": round(box["y"] + box["height"] / 2),
        }
        actions = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self.command("input.performActions", context=self._window, actions=[pointer])


@contextmanager
def started(program: str, profile: Path) -> Iterator[Firefox]:
    """Start a headless Firefox with an empty profile."""
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    profile.joinpath("user.js").write_text("\n".join(lines), encoding="utf-8")
    log = profile / "log"
    flags = ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with (
        log.open("wb") as output,
        subprocess.Popen([program, *flags, "about:blank"], stdout=output, stderr=output) as process,
    ):
        try:
            with connect(f"{_address(process, log)}/session", max_size=None, compression=None) as connection:
                yield Firefox(connection)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _address(program: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + 2 * PATIENCE
    while time.monotonic() < end and program.poll() is None:
        found = STARTED.search(log.read_text(encoding="utf-8", errors="replace"))
        if found:
            return found[1]
        time.sleep(0.1)
    raise AssertionError(f"Firefox did not start: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}")
