"""Tests that attacks on ``cairn serve`` (floods, crowds, unfinished requests) do not keep others from playing.

A game is played during each attack. At least 99% of its tokens must be accepted, and the median move must not take
more than three times as long as before the attack. Each attack ends on its own. A full run of all attacks is recorded
in ``docs/results/attacks.md``. ``--scale 0.1`` is a trial run with a tenth of the time and the connections.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the harness

from harness.attacks.prices import measure
from harness.attacks.proof import AttackResult, Size, attack
from harness.load.report import RESULTS, page
from harness.load.servers import ROOT

TITLES: Final[Mapping[str, str]] = {
    "requests": "requests over 20 connections",
    "lines": "the longest lines over 6 connections",
    "connects": "connections that send nothing",
    "messages": "commands over 10 sockets",
    "nonsense": "malformed messages over 10 sockets",
    "pings": "ping frames over 10 sockets",
    "hellos": "valid and invalid seat tokens over 10 sockets",
    "offers": "takeback offers by the opponent",
    "lobby": "100 lobby sockets, 100 challenges and 0.8 new challenges per second",
    "watchers": "900 watchers who join the game",
    "cuts": "2,000 sockets to the game that are opened and dropped",
    "half_open": "10,000 requests that are never completed",
    "bodies": "300 uploads of 1.1 MB that are never completed",
}
LONGER: Final = {"half_open": 45.0, "bodies": 45.0, "watchers": 40.0, "cuts": 30.0}
"""The duration in seconds of attacks that take longer than the others."""


def say(text: str) -> None:
    """Report progress."""
    print(f"prove-attacks: {text}", flush=True)


def main() -> int:
    """Run the chosen attacks. The exit code is 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    names = [*TITLES, "prices"]
    parser.add_argument("attack", nargs="*", choices=[[], *names], help=f"attacks: {', '.join(names)} (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the full size; below 1, a trial run")
    options = parser.parse_args()
    chosen, began = options.attack or names, time.monotonic()
    outcomes = []
    for name in chosen:
        if name != "prices":
            outcomes.append(asyncio.run(attack(name, _size(name, options.scale))))
            say(_told(outcomes[-1]))
    prices = asyncio.run(measure(options.scale)) if "prices" in chosen else {}
    faults = [fault for outcome in outcomes for fault in outcome.faults]
    faults += [
        f"prices: {name} is charged {charged:.2f} ms, but uses {used:.2f} ms"
        for name, (charged, used) in prices.items()
        if charged < used / 3
    ]
    text = _page(outcomes, prices, faults, time.monotonic() - began, options.scale)
    print(text)
    if options.scale >= 1 and not options.attack:
        path = RESULTS / "attacks.md"
        path.write_text(text, encoding="utf-8")
        say(f"recorded in {path.relative_to(ROOT)}")
    return 1 if faults else 0


def _size(name: str, scale: float) -> Size:
    full = Size(seconds=LONGER.get(name, Size.seconds))
    if scale >= 1:
        return full
    return Size(max(3.0, full.seconds * scale), max(2.0, full.quiet_seconds * scale), scale)


def _told(outcome: AttackResult) -> str:
    """Summarise one attack in one line."""
    extra = {
        "half_open": f", {outcome.memory:.0f} MiB, all closed after {outcome.gone_seconds:.0f} s",
        "bodies": f", {outcome.memory:.0f} MiB, all closed after {outcome.gone_seconds:.0f} s",
        "cuts": f", {outcome.log_lines} log lines",
        "watchers": f", {outcome.counts.get('presence', 0):,} presence messages",
        "lobby": f", {outcome.busy_share - outcome.quiet_share:.0%} of a CPU core",
    }.get(outcome.name, "")
    play, quiet = outcome.disturbed, outcome.quiet
    return (
        f"{TITLES[outcome.name]}: {play.share:.1%} of {play.tried} tokens accepted, median move "
        f"{quiet.median:.1f} ms before and {play.median:.1f} ms during the attack (ratio {outcome.slowed:.1f}){extra}"
    )


def _page(
    outcomes: Sequence[AttackResult],
    prices: Mapping[str, tuple[float, float]],
    faults: list[str],
    seconds: float,
    scale: float,
) -> str:
    """The results as a Markdown page."""
    verdict = f"{len(faults)} targets were missed." if faults else "Every target was met."
    figures: dict[str, object] = {"time": f"{seconds:.0f} s"}
    command = "python tools/prove_attacks.py" + ("" if scale >= 1 else f" --scale {scale:g}")
    rows = [
        f"| {TITLES[each.name]} | {each.disturbed.share:.1%} | {each.quiet.median:.1f} | {each.disturbed.median:.1f} "
        f"| {each.slowed:.1f} | {each.busy_share:.0%} | {_remark(each)} |"
        for each in outcomes
    ]
    head = "| attack | tokens accepted | median move before, ms | during, ms | ratio | CPU core used | |"
    table = "\n".join(["", head, "|---" * 7 + "|", *rows, ""]) if rows else ""
    if prices:
        table += "\n| work | charged, ms | used, ms |\n|---|---|---|\n"
        table += "".join(f"| {name} | {charged:.2f} | {used:.2f} |\n" for name, (charged, used) in prices.items())
    return page("A game played during attacks on the server", verdict, command, figures, faults) + table


def _remark(outcome: AttackResult) -> str:
    """Return the other measurements of an attack."""
    counts = ", ".join(
        f"{name}: {count:,}" for name, count in outcome.counts.items() if name not in ("bytes", "bursts")
    )
    match outcome.name:
        case "half_open" | "bodies":
            return f"{counts}; {outcome.memory:.0f} MiB, all closed after {outcome.gone_seconds:.0f} s"
        case "cuts":
            return f"{counts}; {outcome.log_lines} log lines"
        case _:
            return counts


if __name__ == "__main__":
    sys.exit(main())
