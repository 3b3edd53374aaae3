"""Plays against level 10 on a static site, and measures how long its answers take and how smooth the page stays."""

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
"""Only answers with at least this many nodes count. Forced tokens need few; level 10 searches up to 1,500,000."""
PAUSE: Final = 100
"""The time between two of the player's picks, in milliseconds."""
SETTINGS: Final = {
    "language": "en",
    "sound": False,
    "confirmTurn": False,
    "newGame": {"level": LEVEL, "tribe": "forest", "first": "forest"},
}
"""All other settings have their defaults, so animations are on. The player moves first in the first game."""

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
    // A frame or task counts for the current answer, and also for the previous one if that had not been shown yet.
    const during = (time) => [answer, answers.at(-1)].filter((one) => one && !(time > one.shown));
    let last = performance.now();
    const frame = () => {
        const now = performance.now();  // the callback's timestamp is the start of the frame, which is earlier
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
"""Records the number of nodes for each answer, the times between frames, and long frames and tasks on the main thread.

An answer starts when a search is requested, and ends when the page shows the token."""


@dataclasses.dataclass
class Answers:
    """Measurements of the computer's answers. All times are in milliseconds."""

    times: list[float] = dataclasses.field(default_factory=list)
    nodes: list[int] = dataclasses.field(default_factory=list)
    gaps: list[float] = dataclasses.field(default_factory=list)
    """The times between consecutive frames during an answer. They include drawing on other threads."""
    frames: list[float] = dataclasses.field(default_factory=list)
    """Frames for which the main thread took longer than 50 ms."""
    tasks: list[float] = dataclasses.field(default_factory=list)
    """Tasks on the main thread that took longer than 50 ms."""
    work: list[float] = dataclasses.field(default_factory=list)
    """The CPU times of the main thread's ten longest tasks. Other programs and the throttle hardly affect them."""
    searches: list[float] = dataclasses.field(default_factory=list)
    """The CPU time of each search that counts."""
    faults: list[str] = dataclasses.field(default_factory=list)

    @property
    def searched(self) -> list[float]:
        """The times of the answers that count."""
        return [time for time, nodes in zip(self.times, self.nodes, strict=True) if nodes >= NODES]


def begin(browser: Browser, address: str) -> Page:
    """Start a game against level 10 on the site at an address."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(f"({WATCH})({json.dumps(json.dumps(SETTINGS))})")
    page.goto(f"{address}#/new")
    page.locator("form button[type=submit]").click()
    page.locator(".play[data-revision]").wait_for()
    return page


def watch(page: Page, count: int, seed: int, slowdown: float = 1) -> Answers:
    """Play at random until ``count`` answers have been measured. ``slowdown`` also applies to the workers."""
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
