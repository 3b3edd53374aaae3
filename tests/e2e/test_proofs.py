"""Short versions of the tests in tools/prove_web.py, to check that the full tests measure what they claim."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser

from harness.wasm.answers import NODES, begin, watch
from harness.wasm.kills import Victim
from harness.wasm.throttle import slowed
from tests.e2e.builds import Site

pytestmark = [pytest.mark.slow, pytest.mark.proof]

BLOCK: Final = """(milliseconds) => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        if (message.task) setTimeout(() => {
            const end = performance.now() + milliseconds;
            while (performance.now() < end);
        });
        return post.call(this, message, ...rest);
    };
}"""
"""Blocks the main thread once during each search."""


def test_a_blocked_main_thread_is_detected(browser: Browser, site: Site) -> None:
    page = begin(browser, f"{site.address}/")
    try:
        page.evaluate(BLOCK, 300)
        seen = watch(page, 1, seed=1)
    finally:
        page.close()
    assert max(seen.frames) >= 300
    assert max(seen.tasks) >= 300
    assert max(seen.work) > 0
    assert max(seen.nodes) >= NODES
    assert len(seen.searched) == 1


def test_the_computer_answers_in_a_slow_browser(browser: Browser, site: Site) -> None:
    page = begin(browser, f"{site.address}/")
    try:
        seen = watch(page, 1, seed=1, slowdown=4)
        page.evaluate("() => 1")  # the page is still running
    finally:
        page.close()
    assert len(seen.searched) == 1
    assert len(seen.searches) == 1
    assert 0 < seen.searches[0] < max(seen.times)


def test_a_slowed_process_is_paused_and_resumed() -> None:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        with slowed([process.pid], 4):
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status)
            assert os.WSTOPSIG(status) == signal.SIGSTOP
            _, status = os.waitpid(process.pid, os.WCONTINUED)
            assert os.WIFCONTINUED(status)
        assert os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOHANG) is None
    finally:
        process.kill()
        process.wait()


def test_a_kill_loses_nothing_that_was_shown(browser: Browser, site: Site, tmp_path: Path) -> None:
    victim = Victim(browser.browser_type, tmp_path, f"{site.address}/")
    rng = random.Random(1)
    victim.live_and_die(rng)
    victim.live_and_die(rng)
    victim.check()
    assert victim.tally.faults == []
    assert victim.tally.kills == 2
    assert victim.tally.games >= 1
    assert victim.tally.tokens >= 2
    # A game that the browser has never stored is reported as lost.
    victim.shown["device-missing"] = 1
    victim.check()
    assert len(victim.tally.faults) == 1
