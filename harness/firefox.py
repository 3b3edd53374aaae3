"""Find and start Firefox."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from harness import bidi

NAMES: Final = ("firefox-esr", "firefox")
PREFERENCES: Final[Mapping[str, object]] = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "en",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,  # only WebDriver BiDi
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
LISTENING: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
START_TIMEOUT: Final = 60.0
STOP_TIMEOUT: Final = 10.0


def find() -> str | None:
    """The path to Firefox: ``CAIRN_FIREFOX`` if set, or else the first of the usual names found on ``PATH``."""
    named = os.environ.get("CAIRN_FIREFOX")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


def why_missing() -> str:
    """Why Firefox was not found, and what to do about it."""
    named = os.environ.get("CAIRN_FIREFOX")
    if named:
        return f"CAIRN_FIREFOX is set to {named}, which is not an executable: correct it or unset it"
    return f"Firefox was not found ({', '.join(NAMES)}): install it, or set CAIRN_FIREFOX"


@contextmanager
def launch(profile: Path) -> Iterator[bidi.Client]:
    """Start a headless Firefox with a new profile in an empty folder. It ends with the context."""
    program = find()
    if program is None:
        raise FileNotFoundError(why_missing())
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    profile.joinpath("user.js").write_text("\n".join(lines), encoding="utf-8")
    log = profile / "log"
    flags = ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with (
        log.open("wb") as output,
        subprocess.Popen([program, *flags, "about:blank"], stdout=output, stderr=output) as process,
    ):
        try:
            with bidi.session(_address(process, log)) as client:
                yield client
        finally:
            process.terminate()
            try:
                process.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until Firefox accepts connections, and return its WebSocket address, which it writes to its log."""
    end = time.monotonic() + START_TIMEOUT
    while time.monotonic() < end and process.poll() is None:
        found = LISTENING.search(log.read_text(encoding="utf-8", errors="replace"))
        if found:
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(f"Firefox did not start: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}")
