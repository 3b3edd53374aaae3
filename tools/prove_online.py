"""Tests online play on this machine: load, races, lost connections, malformed messages, kills and secrecy.

Each part has a fixed size and seed. It writes its page to ``docs/results`` only after a full run. ``--scale 0.01`` is
a trial run at a hundredth of the size, which records nothing. An interrupted part resumes with the next batch.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import operator
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the harness

from harness.load import costs, cuts, growth, kills, malformed, races, secrecy, traffic
from harness.load.report import Progress, page, record
from harness.server.postgresql import programs

SLOWEST_MS: Final = 100.0
LEAST_RATE: Final = 300.0
LEAST_RATIO: Final = 0.5
LEAST_EFFICIENCY: Final = 0.7
"""The minimum throughput of up to four processes, as a share of linear scaling."""
MOST_GROWTH: Final = 1.1
"""The factor by which the server's memory may grow once it has settled."""
SETTLED: Final = round(200 / traffic.SAMPLE_SECONDS)
"""How many samples to skip at the beginning, while memory is still growing.

All games start together and reach their full length after about 200 s.
"""

Figures = Mapping[str, object]


@dataclasses.dataclass(frozen=True)
class Part:
    """One of the tests: its batches, and how to report its outcome."""

    title: str
    run: Callable[[int], Awaitable[Any]]
    """Runs the batch with the given number."""
    outcome: Any
    """An empty outcome, to which the outcomes of the batches are added."""
    told: Callable[[Any], Figures]
    size: object
    batches: int = 1
    faults: Callable[[Any], list[str]] = lambda outcome: list(outcome.faults)
    postgres: bool = False


def say(text: str) -> None:
    """Print a progress line."""
    print(f"prove-online: {text}", flush=True)


def parts(scale: float) -> dict[str, Part]:
    """All tests, scaled to a fraction of the full size."""
    return {
        "load": _load(scale),
        "load-without-speedups": _load(scale, speedups=False),
        "races": _races(scale, on_postgres=False),
        "races-postgresql": _races(scale, on_postgres=True),
        "cuts": _cuts(scale),
        "malformed": _malformed(scale),
        "kills": _kills(scale, on_postgres=False),
        "kills-postgresql": _kills(scale, on_postgres=True),
        "secrecy": _secrecy(scale),
        "growth": _growth(scale),
        "costs": _costs(scale),
    }


def _load(scale: float, *, speedups: bool = True) -> Part:
    full = traffic.Size(speedups=speedups)
    size = dataclasses.replace(
        full,
        games=_scaled(full.games, scale),
        watchers=_scaled(full.watchers, scale),
        rate=full.rate * scale,
        seconds=max(5.0, full.seconds * scale),
        rounds=max(2, _scaled(full.rounds, scale)),
        round_seconds=max(3.0, full.round_seconds * scale),
    )

    def told(seen: traffic.TrafficResult) -> Figures:
        memory = seen.memory or [0.0]
        return {
            "simultaneous games and sockets": f"{size.games} and {seen.sockets}",
            "steady part": f"{seen.tokens:,} tokens in {seen.seconds:.0f} s, {seen.rate:.0f} per second",
            "time from sending a token until the opponent receives it": ", ".join(
                f"{100 * part:g}% within {seen.percentile(part):.1f} ms" for part in (0.5, 0.9, 0.99, 0.999, 1.0)
            ),
            "CPU": f"the server used {seen.busy:.0%} of a core",
            "games that ended and were replaced by new ones": seen.finished,
            "server memory in MiB, from beginning to end": ", ".join(
                f"{memory[len(memory) * step // 10]:.0f}" for step in range(10)
            )
            + f", {memory[-1]:.0f}",
            "at full speed, tokens per second": ", ".join(f"{each:.0f}" for each in seen.fast),
            "echo server, messages per second": ", ".join(f"{each:.0f}" for each in seen.echo),
            "ratio": f"{seen.ratio:.2f} (median of the rounds)",
        }

    def faults(seen: traffic.TrafficResult) -> list[str]:
        found = list(seen.faults)
        if seen.percentile(0.99) > SLOWEST_MS:
            p99 = seen.percentile(0.99)
            found.append(f"99% of the tokens arrived within {p99:.0f} ms; the limit is {SLOWEST_MS:.0f} ms")
        if seen.rate < LEAST_RATE * min(1.0, scale):
            found.append(f"{seen.rate:.0f} tokens per second; the minimum is {LEAST_RATE:.0f}")
        if speedups and not seen.ratio >= LEAST_RATIO:
            found.append(f"{seen.ratio:.2f} of the echo server's throughput; the minimum is {LEAST_RATIO}")
        settled = seen.memory[SETTLED:]
        if settled and settled[-1] > MOST_GROWTH * settled[0]:
            found.append(f"server memory grew from {settled[0]:.0f} to {settled[-1]:.0f} MiB")
        return found

    title = "Many simultaneous games" if speedups else "Many simultaneous games, without the speedups"
    return Part(title, lambda _: traffic.prove(size, say), traffic.TrafficResult(), told, size, faults=faults)


def _races(scale: float, *, on_postgres: bool) -> Part:
    full = races.Size()
    connections = full.connections if scale >= 1 else 10
    size = dataclasses.replace(full, submissions=_scaled(full.submissions, scale), connections=connections)

    def told(seen: races.RaceResult) -> Figures:
        return {
            "submissions": f"{seen.submissions:,}, for {seen.revisions} revisions",
            "won": f"{seen.won_by_socket} over sockets, {seen.won_by_http} over HTTP",
            "server processes": 2 if on_postgres else 1,
        }

    title = f"Races for a revision, on {'PostgreSQL' if on_postgres else 'SQLite'}"
    run = lambda _: races.prove(size, on_postgres=on_postgres)  # noqa: E731
    return Part(title, run, races.RaceResult(), told, size, postgres=on_postgres)


def _cuts(scale: float) -> Part:
    full = cuts.Size()
    batches = 10 if scale >= 1 else 1
    size = dataclasses.replace(full, cuts=_scaled(full.cuts, scale) // batches)

    def told(seen: cuts.CutResult) -> Figures:
        return {
            "dropped connections": f"{seen.cuts:,}, in {seen.games} games with {seen.tokens:,} tokens",
            "with a token in flight": f"{seen.pending:,}, of which {seen.kept:,} had arrived",
            "longest time until player and server agreed again": f"{1_000 * seen.slowest:.0f} ms",
        }

    run = lambda number: cuts.prove(dataclasses.replace(size, seed=size.seed + number))  # noqa: E731
    return Part("Lost connections", run, cuts.CutResult(), told, size, batches)


def _malformed(scale: float) -> Part:
    full = malformed.Size()
    batches = 10 if scale >= 1 else 1
    size = malformed.Size(_scaled(full.by_socket, scale) // batches, _scaled(full.by_http, scale) // batches)

    def told(seen: malformed.MalformedResult) -> Figures:
        statuses = ", ".join(f"{status or 'none'}: {count:,}" for status, count in sorted(seen.statuses.items()))
        return {
            "over sockets": f"{seen.by_socket:,}; {seen.answers:,} refusals, {seen.closed:,} closed by the server",
            "over HTTP": f"{seen.by_http:,}; responses by status: {statuses}",
            "concurrent game": f"{seen.tokens:,} tokens, the slowest in {1_000 * seen.slowest:.0f} ms, no faults",
        }

    run = lambda number: malformed.prove(dataclasses.replace(size, seed=size.seed + number))  # noqa: E731
    return Part("Malformed messages", run, malformed.MalformedResult(), told, size, batches)


def _kills(scale: float, *, on_postgres: bool) -> Part:
    full = kills.Size()
    batches = 8 if scale >= 1 else 1
    games = full.games if scale >= 1 else 5
    size = dataclasses.replace(full, kills=_scaled(full.kills, scale) // batches, games=games)

    def told(seen: kills.KillResult) -> Figures:
        return {
            "kills": seen.kills,
            "acknowledged tokens": f"{seen.acknowledged:,}, in {size.games} simultaneous games; {seen.finished} ended",
            "tokens whose response was cut off": f"{seen.uncertain}, of which stored: {seen.kept}",
            "longest time from a restart until every game continued": f"{seen.slowest:.1f} s",
            "largest clock error": f"{seen.clock_error:.0f} ms",
        }

    title = f"The server, killed under load, on {'PostgreSQL' if on_postgres else 'SQLite'}"
    run = lambda number: kills.prove(  # noqa: E731
        dataclasses.replace(size, seed=size.seed + number), on_postgres=on_postgres
    )
    return Part(title, run, kills.KillResult(), told, size, batches, postgres=on_postgres)


def _secrecy(scale: float) -> Part:
    size = dataclasses.replace(secrecy.Size(), games=_scaled(secrecy.Size().games, scale))

    def told(seen: secrecy.SecrecyResult) -> Figures:
        texts = f"{seen.messages:,} messages, {seen.answers:,} responses, {seen.log_lines:,} log lines"
        return {
            "games": f"{seen.pairs}, each with two decks, up to the first draw",
            "compared": f"{texts}, {seen.metrics} reads of the metrics",
            "searched for seeds, keys and seat tokens": f"{seen.searched:,} characters",
        }

    return Part("Hidden tiles stay hidden", lambda _: secrecy.prove(size), secrecy.SecrecyResult(), told, size)


def _growth(scale: float) -> Part:
    full = growth.Size()
    size = full
    if scale < 1:
        size = growth.Size((1, 2), _scaled(full.games, scale), rounds=1, round_seconds=3.0, seconds=3.0)

    def told(seen: growth.GrowthResult) -> Figures:
        figures = {}
        for point in seen.points:
            used = {"servers": point.server, "PostgreSQL": point.database, "load": point.generators}
            figures[f"{point.processes} {'process' if point.processes == 1 else 'processes'}"] = (
                f"{point.rate:.0f} tokens per second, {seen.efficiency(point):.0%} of linear scaling; "
                f"rounds: {', '.join(f'{each:.0f}' for each in point.fast)}; CPU cores used: "
                f"{', '.join(f'{name} {statistics.median(each):.1f}' for name, each in used.items())}; "
                f"at {point.processes * size.rate:.0f} tokens per second, 50% arrive within "
                f"{point.percentile(0.5):.1f} ms, 99% within {point.percentile(0.99):.1f} ms"
            )
        return figures

    def faults(seen: growth.GrowthResult) -> list[str]:
        slow = [each for each in seen.points if each.processes <= 4 and seen.efficiency(each) < LEAST_EFFICIENCY]
        return seen.faults + [
            f"{each.processes} processes reach {seen.efficiency(each):.1%} of linear scaling; "
            f"the minimum is {LEAST_EFFICIENCY:.0%}"
            for each in slow
        ]

    title = "Several server processes sharing one PostgreSQL database"
    return Part(
        title, lambda _: growth.prove(size, say), growth.GrowthResult(), told, size, faults=faults, postgres=True
    )


def _costs(scale: float) -> Part:
    full = costs.Size()
    size = full
    if scale < 1:
        size = costs.Size((10, 100), (50, 500), _scaled(full.loads, scale), rounds=5, restarts=1)

    def told(seen: costs.CostResult) -> Figures:
        figures = {}
        for points, what in ((seen.games, "games"), (seen.lengths, "tokens in a game")):
            for name, cost in (("a token", "token"), ("loading a game", "load"), ("a restart", "restart")):
                values = ", ".join(f"{point.at:,}: {getattr(point, cost):.1f}" for point in points)
                start, slope = costs.line(points, operator.attrgetter(cost))
                fit = f"linear fit: {start:.1f} ms plus {1_000 * slope:.1f} ms per 1,000"
                figures[f"ms of CPU time for {name}, by {what}"] = f"{values}; {fit}"
            ready = ", ".join(f"{point.at:,}: {point.restart_seconds:.1f}" for point in points)
            figures[f"seconds until a restarted server is ready, by {what}"] = ready
        return figures

    run = lambda _: costs.prove(size, say)  # noqa: E731
    return Part("Costs by number and length of games", run, costs.CostResult(), told, size)


def _scaled(full: int, scale: float) -> int:
    return max(1, round(full * scale))


async def prove(name: str, part: Part, scale: float) -> bool:
    """Run a part to the end and return whether it found no faults."""
    progress = Progress(f"online-{name}", part.size, part.outcome)
    if progress.batches:
        say(f"{name}: resuming after {progress.batches} of {part.batches} batches")
    while progress.batches < part.batches:
        began = time.monotonic()
        outcome = await part.run(progress.batches)
        progress.add(outcome, time.monotonic() - began)
        if part.batches > 1:
            say(f"{name}: {progress.batches} of {part.batches} batches, {len(progress.outcome.faults)} faults")
    faults = part.faults(progress.outcome)
    progress.forget()
    verdict = "No faults." if not faults else f"{len(faults)} faults."
    full = scale >= 1
    command = f"python tools/prove_online.py {name}" + ("" if full else f" --scale {scale:g}")
    figures = {**part.told(progress.outcome), "time": f"{progress.seconds:.0f} s"}
    text = page(part.title, verdict, command, figures, faults)
    print(text)
    if full:
        say(f"recorded in {record(f'online-{name}', text)}")
    return not faults


def main() -> int:
    """Run the chosen parts. The exit code is 1 if a part found faults."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    names = list(parts(1.0))
    parser.add_argument("part", nargs="*", choices=[[], *names], help=f"parts: {', '.join(names)} (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the full size; below 1, a trial run")
    options = parser.parse_args()
    chosen = options.part or names
    right = True
    for name in chosen:
        part = parts(options.scale)[name]
        if part.postgres and programs() is None:
            say(f"{name}: skipped, because PostgreSQL is not installed")
            continue
        say(f"{name} ...")
        right &= asyncio.run(prove(name, part, options.scale))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
