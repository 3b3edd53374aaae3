"""Measures the speed of searches in the browser and in the native core, and how long a search takes to stop."""

from __future__ import annotations

import statistics
import time
from typing import Any, Final

from playwright.sync_api import Page

from cairn import Board
from cairn._native import Engine, core

START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
NODES: Final = 1_500_000
"""The node limit of a search whose speed is measured."""
RUNS: Final = 5
STOPS: Final = 20


def measure(page: Page) -> dict[str, Any]:
    """Measure the speed of native searches and of searches in a worker, alternately, and how fast a search stops."""
    native, browser = [], []
    for _ in range(RUNS):
        native.append(native_speed())
        browser.append(page.evaluate(SPEED, [START, NODES]))
    stops = [page.evaluate(STOP, START) for _ in range(STOPS)]
    return {"native": max(native), "browser": max(browser), "stop": statistics.median(stops), "longest": max(stops)}


def native_speed() -> float:
    """Nodes per second of CPU time in a native search with one thread. Wall time would include other programs."""
    engine, board = Engine(core.LEVEL_MEGABYTES, 1), Board(START)
    engine.arm()
    started = time.process_time()
    engine.search(board, NODES, 0, 1, 0, 0, None)
    return engine.nodes / (time.process_time() - started)


SPEED: Final = """async ([position, nodes]) => {
    const reports = [];
    const task = { kind: "search", nodes, depth: 0, lines: 1 };
    const noted = (state) => reports.push([performance.now(), state.nodes]);
    noted(await cairn.startSearch(cairn.module, { position, tokens: [] }, task, noted).result);
    // Measure from the first report, so that starting the worker does not count.
    const [[first, before], [last, after]] = [reports[0], reports.at(-1)];
    return ((after - before) / (last - first)) * 1000;
}"""

STOP: Final = """async (position) => {
    let reported;
    const deep = new Promise((resolve) => (reported = resolve));
    const task = { kind: "search", nodes: 0, depth: 0, lines: 1 };
    const search = cairn.startSearch(cairn.module, { position, tokens: [] }, task, ({ depth }) => {
        if (depth >= 8) reported();
    });
    await deep;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
    const asked = performance.now();
    search.stop();
    await search.result;
    return performance.now() - asked;
}"""
