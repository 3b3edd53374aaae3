"""Tests that the WebAssembly core in Chromium agrees with the native core, and measures its size and speed.

Both cores play the same games, from starting positions and from crowded positions. Every moment, choice and effect is
compared, and so are some searches with a fixed number of nodes and some decisions of all levels. Searches in the
browser are paused often, native searches never. Finished batches are stored in ``build/``, so that an interrupted run
can be resumed. A run of a million moments or more is recorded in ``docs/results/``.

``prove_web.py kills`` is a separate test: if the browser is killed during a local game, no token that the page has
shown may be lost. It also measures how long a commit takes.
"""

from __future__ import annotations

import argparse
import gzip
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for the harness

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from harness.parity.coverage import Tally

FULL: Final = 1_000_000
BATCH: Final = 10_000
"""Moments in a batch."""
RESULT: Final = ROOT / "docs" / "results" / "web.md"
START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
NODES: Final = 1_500_000
"""The node limit of a search whose speed is measured."""
RUNS: Final = 5
STOPS: Final = 20
MOST_BYTES: Final = 120_000
LEAST_SPEED: Final = 0.5
MOST_MILLISECONDS: Final = 50
KILLS: Final = 200
KILLS_RESULT: Final = RESULT.with_name("web_kills.md")
MOST_COMMIT_MILLISECONDS: Final = 50
"""The limit for the 95th percentile of the commit times."""


def main() -> int:
    """Run the chosen test. The exit code is 0 if nothing differs and every target is met, and 1 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("proof", nargs="?", choices=("core", "kills"), default="core")
    parser.add_argument("--kills", type=int, default=KILLS, help="number of kills (default: %(default)s)")
    parser.add_argument("--moments", type=int, default=FULL, help="number of moments to compare (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed for all random choices (default: %(default)s)")
    options = parser.parse_args()
    return prove_kills(options.kills, options.seed) if options.proof == "kills" else prove_core(options)


def prove_kills(kills: int, seed: int) -> int:
    """Kill the browser ``kills`` times and report the lost tokens."""
    from playwright.sync_api import sync_playwright

    from harness.wasm.kills import Victim, static_site
    from make_site import PAGES, make_site  # this folder is on the path

    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        make_site(PAGES, Path(folder) / "site")
        with static_site(Path(folder) / "site") as address:
            victim = Victim(playwright, Path(folder) / "profile", address)
            for number in range(1, kills + 1):
                victim.live_and_die(rng)
                if number % 10 == 0 or kills < KILLS:
                    print(f"prove-web: {number} kills, {len(victim.tally.lost)} losses", file=sys.stderr)
            victim.check()
    tally = victim.tally
    slow = statistics.quantiles(tally.commits, n=20)[-1]
    text = f"""# The browser, killed during local games

`tools/prove_web.py kills`: Chromium is killed with SIGKILL at a random moment and restarted with the same profile.

| | value | target |
|---|---|---|
| kills | {tally.kills} | {KILLS} |
| games | {len(victim.shown)} | |
| events shown by the page | {tally.tokens:,} | |
| games that lost events | {len(tally.lost)} | 0 |
| commits | {len(tally.commits):,} | |
| commit time, median | {statistics.median(tally.commits):.1f} ms | |
| commit time, 95th percentile | {slow:.1f} ms | {MOST_COMMIT_MILLISECONDS} ms |
"""
    print(text)
    print(*tally.lost, sep="\n", file=sys.stderr)
    if kills >= KILLS:
        KILLS_RESULT.write_text(text, encoding="utf-8")
    return 1 if tally.lost or slow > MOST_COMMIT_MILLISECONDS else 0


def prove_core(options: argparse.Namespace) -> int:
    """Compare and measure the core."""
    from playwright.sync_api import sync_playwright

    from harness import chromium
    from harness.wasm.browser import open_page, served, write_pages
    from harness.wasm.module import MODULE, why_not_built

    if reason := why_not_built() or (chromium.why_missing() if chromium.find() is None else None):
        print(f"prove-web: {reason}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_pages(Path(folder))
        browser = chromium.launch(playwright.chromium)
        with served(Path(folder)) as address:
            page = open_page(browser, address)
            figures = measure(page)
            figures["compressed"] = len(gzip.compress(MODULE.read_bytes(), 9))
            figures["version"] = browser.version
            try:
                tally = compare_all(page, options.moments, options.seed)
            except AssertionError as difference:
                print(f"prove-web: the cores differ\n{difference}", file=sys.stderr)
                return 1
        browser.close()
    text = report(tally, figures)
    print(text)
    if options.moments >= FULL:
        RESULT.write_text(text, encoding="utf-8")
    missed = misses(figures)
    for line in missed:
        print(f"prove-web: {line}", file=sys.stderr)
    return 1 if missed else 0


def compare_all(page: Page, moments: int, seed: int) -> Tally:
    """Compare ``moments`` moments, in batches that depend only on the seed and the batch number."""
    from harness.parity.progress import Progress
    from harness.wasm.browser import SOURCES
    from harness.wasm.comparison import compare
    from harness.wasm.module import MODULE

    comparison = ROOT / "harness" / "wasm" / "comparison.py"
    progress = Progress(ROOT / "build" / "prove-web.json", seed, BATCH, MODULE, *SOURCES, comparison)
    for number in range(-(-moments // BATCH)):
        if number not in progress.batches:
            progress.finish(number, compare(page, f"{seed}/{number}", BATCH))
            print(f"prove-web: {progress.total()['moments']:,} moments compared", file=sys.stderr)
    return progress.total()


def measure(page: Page) -> dict[str, Any]:
    """Measure the speed of searches, alternately native and in a worker, and how long a search takes to stop."""
    native, browser = [], []
    for _ in range(RUNS):
        native.append(native_speed())
        browser.append(page.evaluate(SPEED, [START, NODES]))
    stops = [page.evaluate(STOP, START) for _ in range(STOPS)]
    return {"native": max(native), "browser": max(browser), "stop": statistics.median(stops), "longest": max(stops)}


def native_speed() -> float:
    """Nodes per second of CPU time in a native search with one thread. Other programs may be running."""
    from cairn import Board
    from cairn._native import Engine, core

    engine, board = Engine(core.LEVEL_MEGABYTES, 1), Board(START)
    engine.arm()
    started = time.process_time()
    engine.search(board, NODES, 0, 1, 0, None)
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


def misses(figures: dict[str, Any]) -> list[str]:
    """Return a sentence for each target that was missed."""
    ratio = figures["browser"] / figures["native"]
    found = []
    if figures["compressed"] > MOST_BYTES:
        found.append(f"the module has {figures['compressed']:,} bytes compressed, more than {MOST_BYTES:,}")
    if ratio < LEAST_SPEED:
        found.append(f"the search in the browser reaches {ratio:.1%} of the native speed, less than {LEAST_SPEED:.0%}")
    if figures["stop"] > MOST_MILLISECONDS:
        found.append(f"a search stops after {figures['stop']:.0f} ms, more than {MOST_MILLISECONDS} ms")
    return found


def report(tally: Tally, figures: dict[str, Any]) -> str:
    """The results as a Markdown page."""
    levels = sum(count for name, count in tally.items() if name.startswith("decisions"))
    ratio = figures["browser"] / figures["native"]
    return f"""# The core in the browser

`make prove-web` in Chromium {figures["version"]}: no difference.

| compared | number |
|---|---|
| games | {tally["games"]:,} |
| moments, with position, phase, decider, power and outcome | {tally["moments"]:,} |
| choices, with their paths | {tally["choices"]:,} |
| effects | {tally["effects"]:,} |
| searches with a fixed number of nodes | {tally["searches"]:,} |
| decisions of levels 1 to 10 | {levels:,} |

| measured | value | target |
|---|---|---|
| size of the module, compressed | {figures["compressed"]:,} bytes | {MOST_BYTES:,} |
| search in one worker, by wall-clock time | {figures["browser"] / 1e6:.2f} M nodes/s | |
| native search with one thread, in the same run, by CPU time | {figures["native"] / 1e6:.2f} M nodes/s | |
| ratio | {ratio:.2f} | {LEAST_SPEED} |
| time until a search stops, median of {STOPS} | {figures["stop"]:.0f} ms | {MOST_MILLISECONDS} ms |
| longest | {figures["longest"]:.0f} ms | |
"""


if __name__ == "__main__":
    sys.exit(main())
