"""Plays against level 10 on a static site, and measures its answers: how long they take, and what the page feels."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import heapq
import json
from typing import Any, Final

from playwright.sync_api import Browser, Page

from harness.wasm.static_site import PATIENCE, PLAY
from harness.wasm.throttle import renderers, slowed

LEVEL: Final = 10
NODES: Final = 500_000
"""The least nodes of an answer that counts. The level searches up to 1,500,000; forced tokens need hardly any."""
PAUSE: Final = 100
"""The time between two picks of the player, in milliseconds."""
SETTINGS: Final = {
    "language": "en",
    "sound": False,
    "confirmTurn": False,
    "newGame": {"level": LEVEL, "tribe": "forest", "first": "forest"},
}
"""The other settings are those of a first visit, animations included. The player moves first in the first game."""

WATCH: Final = """(settings) => {
    localStorage.setItem('cairn.settings', settings);
    localStorage.setItem('cairn.goal-told', 'yes');
    window.answers = [];
    let answer = null;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        if (message.task?.kind === 'level') {
            const thinking = { began: performance.now(), gaps: [], frames: [], tasks: [], nodes: 0 };
            answer = thinking;
            this.addEventListener('message', ({ data }) => { if (data?.done) thinking.nodes = data.nodes; });
        }
        return post.call(this, message, ...rest);
    };
    new MutationObserver(() => {
        if (!answer?.nodes) return;
        answer.shown = performance.now();
        answers.push(answer);
        answer = null;
    }).observe(document, { subtree: true, attributeFilter: ['data-revision'] });
    // A frame or task belongs to the answer during which it ended, and to the one that has just been shown.
    const during = (time) => [answer, answers.at(-1)].filter((one) => one && !(time > one.shown));
    let last = performance.now();
    const frame = () => {
        const now = performance.now();  // the frame's own time would be that of the display, which is earlier
        during(last).forEach(({ gaps }) => gaps.push(now - last));
        last = now;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const observe = (type, kind) =>
        new PerformanceObserver((list) => {
            for (const { startTime, duration } of list.getEntries()) {
                for (const one of during(startTime)) {
                    if (startTime + duration > one.began) one[kind].push(duration);
                }
            }
        }).observe({ type });
    observe('longtask', 'tasks');
    observe('long-animation-frame', 'frames');
}"""
"""Records every answer: the nodes, the times between frames, and the long frames and tasks of the main thread.

An answer begins with the request to the search, and ends when its token is on the page."""


@dataclasses.dataclass
class Answers:
    """All times are in milliseconds."""

    times: list[float] = dataclasses.field(default_factory=list)
    nodes: list[int] = dataclasses.field(default_factory=list)
    gaps: list[float] = dataclasses.field(default_factory=list)
    """The time between two frames, for each frame during an answer. Other threads draw, so they add to it."""
    frames: list[float] = dataclasses.field(default_factory=list)
    """The frames that took the main thread longer than 50 ms."""
    tasks: list[float] = dataclasses.field(default_factory=list)
    """Tasks of the main thread that took longer than 50 ms."""
    work: list[float] = dataclasses.field(default_factory=list)
    """The CPU time of the ten longest tasks of the main thread, which other programs and a slowdown hardly change."""
    searches: list[float] = dataclasses.field(default_factory=list)
    """The CPU time of the search for each answer that counts."""
    faults: list[str] = dataclasses.field(default_factory=list)

    @property
    def searched(self) -> list[float]:
        """The times of the answers that count."""
        return [time for time, nodes in zip(self.times, self.nodes, strict=True) if nodes >= NODES]


def begin(browser: Browser, address: str) -> Page:
    """Begin a game against level 10 on the site at that address."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(f"({WATCH})({json.dumps(json.dumps(SETTINGS))})")
    page.goto(f"{address}#/new")
    page.locator("form button[type=submit]").click()
    page.locator(".play[data-revision]").wait_for()
    return page


def watch(page: Page, count: int, seed: int, slowdown: float = 1) -> Answers:
    """Play at random until that many answers that count have been given. ``slowdown`` also applies to the workers."""
    browser = page.context.browser
    assert browser is not None
    with slowed(renderers(browser), slowdown) if slowdown > 1 else contextlib.nullcontext():
        browser.start_tracing(page=page, categories=["toplevel"])
        page.evaluate(PLAY, [seed, PAUSE])
        enough = "([count, nodes]) => answers.filter((answer) => answer.nodes >= nodes).length >= count"
        page.wait_for_function(enough, arg=[count, NODES], timeout=count * PATIENCE)
    return _collect(page.evaluate("() => answers"), json.loads(browser.stop_tracing())["traceEvents"])


def _collect(answers: list[dict[str, Any]], trace: list[dict[str, Any]]) -> Answers:
    threads = {(each["pid"], each["tid"]): each["args"]["name"] for each in trace if each["name"] == "thread_name"}
    main, workers = list[float](), collections.Counter[tuple[int, int]]()
    for each in trace:
        thread = each["pid"], each["tid"]
        if "RunTask" not in each["name"] or "tdur" not in each:
            continue
        if threads.get(thread) == "CrRendererMain":
            main.append(each["tdur"] / 1000)
        elif threads.get(thread) == "DedicatedWorker thread":
            workers[thread] += each["tdur"] / 1000
    full = sum(answer["nodes"] >= NODES for answer in answers)
    return Answers(
        [answer["shown"] - answer["began"] for answer in answers],
        [answer["nodes"] for answer in answers],
        [gap for answer in answers for gap in answer["gaps"]],
        [frame for answer in answers for frame in answer["frames"]],
        [task for answer in answers for task in answer["tasks"]],
        heapq.nlargest(10, main),
        heapq.nlargest(full, workers.values()),  # each search has its own worker; other workers do much less
    )
