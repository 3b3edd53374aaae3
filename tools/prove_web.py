"""Tests that the game works the same in the browser as on the server, loses nothing, and is fast.

``core``: the WebAssembly core in Chromium and the native core play the same games, from starting positions and from
crowded ones. Every moment, choice and effect is compared, as are some decisions at every level and some searches with a
fixed number of nodes. Searches in the browser are paused often; native ones are not. Also measures size and speed.

``kills``: no token that a game on the device has shown is lost if the browser is killed at a random moment. Also
measures how long a commit takes.

``frames``: the page stays smooth while level 10 is thinking.

``answers``: level 10 answers in time on a device that is four times slower than this one.

Without a name, all parts run. The progress of each part is stored in ``build/``, so that an interrupted run can be
resumed. Only full runs are recorded in ``docs/results/``; ``--scale 0.1`` is a trial run at a tenth of the size.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gzip
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, Playwright, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the harness

from harness import chromium
from harness.load.report import Progress, page, record
from harness.load.servers import ROOT
from harness.parity import progress as parity
from harness.parity.coverage import Tally as Compared
from harness.wasm.answers import NODES, Answers, begin, watch
from harness.wasm.browser import SOURCES, open_page, served, write_pages
from harness.wasm.comparison import compare
from harness.wasm.kills import Tally, Victim
from harness.wasm.module import MODULE, why_not_built
from harness.wasm.speed import STOPS, measure
from harness.wasm.static_site import static_site
from make_site import PAGES, make_site  # this folder is on the path

MOMENTS: Final = 1_000_000
BATCH: Final = 10_000
"""The number of moments in a batch."""
MOST_BYTES: Final = 120_000
LEAST_SPEED: Final = 0.5
MOST_STOP_MILLISECONDS: Final = 50

KILLS: Final = 200
BATCH_OF_KILLS: Final = 20
MOST_COMMIT_MILLISECONDS: Final = 50
"""The limit for the 95th percentile of the commit times."""

ANSWERS: Final = 20
MOST_FRAME_MILLISECONDS: Final = 50
"""The limit for a frame or a task on the main thread. Chromium reports a longer one as a long frame or a long task."""
SLOWDOWN: Final = 4
MOST_ANSWER_MILLISECONDS: Final = 3_000

Figures = Mapping[str, object]


@dataclasses.dataclass(frozen=True)
class Part:
    """A test on a static site: its batches, and how to report its outcome."""

    title: str
    run: Callable[[Playwright, str, int], Any]
    """Runs the batch with the given number on the site at the given address."""
    outcome: Any
    """An empty outcome, to which the outcomes of the batches are added."""
    told: Callable[[Any], Figures]
    faults: Callable[[Any], list[str]]
    size: object
    batches: int = 1


def say(text: str) -> None:
    """Print a progress line."""
    print(f"prove-web: {text}", file=sys.stderr, flush=True)


def kills(scale: float, seed: int) -> Part:
    """Kill the browser during games."""
    size = min(BATCH_OF_KILLS, _scaled(KILLS, scale))

    def run(playwright: Playwright, address: str, number: int) -> Tally:
        rng = random.Random(f"{seed}/{number}")
        with tempfile.TemporaryDirectory() as profile:
            victim = Victim(playwright.chromium, Path(profile), address)
            for _ in range(size):
                victim.live_and_die(rng)
            victim.check()
        return victim.tally

    def told(seen: Tally) -> Figures:
        return {
            "kills": f"{seen.kills}, with SIGKILL; after each one, Chromium was started again with the same profile",
            "events that were shown": f"{seen.tokens:,}, in {seen.games} games; lost: {len(seen.faults)}",
            "commits": f"{len(seen.commits):,}; median {statistics.median(seen.commits):.1f} ms, "
            f"95th percentile {_slow(seen):.1f} ms (at most {MOST_COMMIT_MILLISECONDS} ms)",
        }

    def faults(seen: Tally) -> list[str]:
        if _slow(seen) <= MOST_COMMIT_MILLISECONDS:
            return seen.faults
        slow = f"95% of the commits took up to {_slow(seen):.0f} ms; the limit is {MOST_COMMIT_MILLISECONDS} ms"
        return [*seen.faults, slow]

    batches = -(-_scaled(KILLS, scale) // size)
    title = "Kills of the browser during games on the device"
    return Part(title, run, Tally(), told, faults, (size, seed), batches)


def _slow(seen: Tally) -> float:
    return statistics.quantiles(seen.commits, n=20)[-1]


def frames(scale: float, seed: int) -> Part:
    """Measure the page's frames while level 10 is thinking."""

    def told(seen: Answers) -> Figures:
        return {
            **_told(seen),
            "intervals between frames during the answers": f"{len(seen.gaps):,}; median "
            f"{statistics.median(seen.gaps):.1f} ms, longest {max(seen.gaps):.1f} ms",
            "longest frame of the main thread during the answers": _longest(seen.frames),
            "longest task of the main thread during the answers": _longest(seen.tasks),
            "longest task of the main thread in the whole game, by CPU time": f"{max(seen.work):.1f} ms",
        }

    def faults(seen: Answers) -> list[str]:
        found = seen.frames + seen.tasks
        return [f"{len(found)} frames or tasks took longer than {MOST_FRAME_MILLISECONDS} ms"] if found else []

    return _answers_part("The page while level 10 thinks", told, faults, _scaled(ANSWERS, scale), seed)


def _longest(found: Sequence[float]) -> str:
    return f"{max(found):.0f} ms" if found else f"none above {MOST_FRAME_MILLISECONDS} ms"


def answers(scale: float, seed: int) -> Part:
    """Measure level 10's answers on a slow device."""

    def told(seen: Answers) -> Figures:
        return {
            "slowdown": f"{SLOWDOWN} times; the renderer process, which runs the page and its workers, was stopped for "
            f"{1 - 1 / SLOWDOWN:.0%} of the time",
            **_told(seen),
            "CPU time of these searches": f"median {statistics.median(seen.searches):,.0f} ms, "
            f"longest {max(seen.searches):,.0f} ms",
            "slowest answer": f"{max(seen.times):,.0f} ms (at most {MOST_ANSWER_MILLISECONDS:,} ms)",
        }

    def faults(seen: Answers) -> list[str]:
        found = [each for each in seen.times if each > MOST_ANSWER_MILLISECONDS]
        return [f"{len(found)} answers took longer than {MOST_ANSWER_MILLISECONDS:,} ms"] if found else []

    title = "Answers of level 10 on a slow device"
    return _answers_part(title, told, faults, _scaled(ANSWERS, scale), seed, SLOWDOWN)


def _answers_part(
    title: str,
    told: Callable[[Answers], Figures],
    faults: Callable[[Answers], list[str]],
    count: int,
    seed: int,
    slowdown: float = 1,
) -> Part:
    def run(playwright: Playwright, address: str, _: int) -> Answers:
        browser = chromium.launch(playwright.chromium)
        try:
            return watch(begin(browser, address), count, seed, slowdown)
        finally:
            browser.close()

    return Part(title, run, Answers(), told, faults, (count, seed, slowdown))


def _told(seen: Answers) -> Figures:
    return {
        "answers": f"{len(seen.times)}, of which {len(seen.searched)} searched at least {NODES:,} nodes "
        f"(median {statistics.median(each for each in seen.nodes if each >= NODES):,.0f})",
        "from the request until the token was shown": f"median {statistics.median(seen.searched):,.0f} ms",
    }


PARTS: Final[Mapping[str, Callable[[float, int], Part]]] = {"kills": kills, "frames": frames, "answers": answers}


def main() -> int:
    """Run the chosen parts. The exit code is 0 if nothing differs and every target is met, and 1 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    names = ["core", *PARTS]
    parser.add_argument("part", nargs="*", choices=[[], *names], help=f"parts: {', '.join(names)} (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the full size; below 1, a trial run")
    parser.add_argument("--seed", type=int, default=1, help="seed for all random choices (default: %(default)s)")
    options = parser.parse_args()
    if reason := why_not_built() or (chromium.why_missing() if chromium.find() is None else None):
        say(reason)
        return 1
    right, finished = True, []
    for name in options.part or names:
        say(f"{name} ...")
        if name == "core":
            right &= prove_core(options)
        else:
            part = PARTS[name](options.scale, options.seed)
            progress = Progress(f"web-{name}", part.size, part.outcome)
            right &= prove(name, part, progress, options)
            finished.append(progress)
    # Forget the progress only now, so that an interrupted run of all parts does not repeat any of them.
    for progress in finished:
        progress.forget()
    return 0 if right else 1


def prove(name: str, part: Part, progress: Progress, options: argparse.Namespace) -> bool:
    """Run a part to the end and return whether it found no faults."""
    if progress.batches:
        say(f"{name}: resuming after {progress.batches} of {part.batches} batches")
    with _site() as (playwright, address):
        while progress.batches < part.batches:
            began = time.monotonic()
            outcome = part.run(playwright, address, progress.batches)
            progress.add(outcome, time.monotonic() - began)
            say(f"{name}: {progress.batches} of {part.batches} batches")
    faults = part.faults(progress.outcome)
    figures = {**part.told(progress.outcome), "time": f"{progress.seconds:.0f} s"}
    report(name, part.title, figures, faults, options)
    return not faults


@contextlib.contextmanager
def _site() -> Iterator[tuple[Playwright, str]]:
    """Serve the pages as a static site."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        make_site(PAGES, Path(folder))
        with static_site(Path(folder)) as address:
            yield playwright, address


def prove_core(options: argparse.Namespace) -> bool:
    """Compare and measure the core. Return whether nothing differs and every target is met."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_pages(Path(folder))
        browser = chromium.launch(playwright.chromium)
        with served(Path(folder)) as address:
            tested = open_page(browser, address)
            figures = measure(tested)
            figures["compressed"] = len(gzip.compress(MODULE.read_bytes(), 9))
            try:
                tally = compare_all(tested, _scaled(MOMENTS, options.scale), options.seed)
            except AssertionError as difference:
                say(f"the cores differ\n{difference}")
                return False
        told = {"browser": f"Chromium {browser.version}", **_compared(tally), **_measured(figures)}
        browser.close()
    faults = misses(figures)
    told["time"] = f"{time.monotonic() - began:.0f} s, without the batches of an interrupted run"
    report("core", "The core in the browser", told, faults, options)
    return not faults


def compare_all(tested: Page, moments: int, seed: int) -> Compared:
    """Compare ``moments`` moments, in batches that depend only on the seed and the batch number."""
    comparison = ROOT / "harness" / "wasm" / "comparison.py"
    progress = parity.Progress(ROOT / "build" / "prove-web.json", seed, BATCH, MODULE, *SOURCES, comparison)
    for number in range(-(-moments // BATCH)):
        if number not in progress.batches:
            progress.finish(number, compare(tested, f"{seed}/{number}", BATCH))
            say(f"core: {progress.total()['moments']:,} moments compared")
    return progress.total()


def misses(figures: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each target that was missed."""
    ratio = figures["browser"] / figures["native"]
    found = []
    if figures["compressed"] > MOST_BYTES:
        found.append(f"the compressed module has {figures['compressed']:,} bytes, more than {MOST_BYTES:,}")
    if ratio < LEAST_SPEED:
        found.append(f"the search in the browser reaches {ratio:.1%} of the native speed, less than {LEAST_SPEED:.0%}")
    if figures["stop"] > MOST_STOP_MILLISECONDS:
        found.append(f"a search stops after {figures['stop']:.0f} ms, more than {MOST_STOP_MILLISECONDS} ms")
    return found


def _compared(tally: Compared) -> dict[str, object]:
    levels = sum(count for name, count in tally.items() if name.startswith("decisions"))
    return {
        "games compared": f"{tally['games']:,}",
        "moments compared, with position, phase, decider, power and outcome": f"{tally['moments']:,}",
        "choices compared, with their paths": f"{tally['choices']:,}",
        "effects compared": f"{tally['effects']:,}",
        "searches compared, with fixed nodes": f"{tally['searches']:,}",
        "decisions of levels 1 to 10 compared": f"{levels:,}",
    }


def _measured(figures: Mapping[str, Any]) -> dict[str, object]:
    browser, native = figures["browser"], figures["native"]
    return {
        "size of the module, compressed": f"{figures['compressed']:,} bytes (at most {MOST_BYTES:,})",
        "search in one worker, by wall-clock time": f"{browser / 1e6:.2f} M nodes/s",
        "native search with one thread, in the same run, by CPU time": f"{native / 1e6:.2f} M nodes/s",
        "ratio": f"{browser / native:.2f} (at least {LEAST_SPEED})",
        "time until a search stops": f"median of {STOPS}: {figures['stop']:.0f} ms (at most {MOST_STOP_MILLISECONDS} "
        f"ms), longest {figures['longest']:.0f} ms",
    }


def report(name: str, title: str, figures: Figures, faults: list[str], options: argparse.Namespace) -> None:
    """Print the result as a page, and record it after a full run."""
    full = options.scale >= 1
    command = f"python tools/prove_web.py {name} --seed {options.seed}" + (
        "" if full else f" --scale {options.scale:g}"
    )
    verdict = f"{len(faults)} faults." if faults else "No faults."
    text = page(title, verdict, command, {"seed": options.seed, **figures}, faults)
    print(text)
    if full:
        say(f"recorded in {record('web' if name == 'core' else f'web-{name}', text)}")


def _scaled(full: int, scale: float) -> int:
    return max(1, round(full * scale))


if __name__ == "__main__":
    sys.exit(main())
