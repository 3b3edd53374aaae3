"""The results of the strength measurements with their targets, as text and JSON."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import json
import pathlib
import platform
import statistics
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any, Final

import clock
from cairn._native import cpu
from floor import cpu_field
from match import Match, wilson

SCORE_BARS: Final = {"a": 0.995, "b": 0.95, "c": 0.90, "e": 0.5}
THREADS_BAR: Final = 1.6
USUAL_LATENESS: Final = 20.0
WORST_LATENESS: Final = 100.0
GROUPS: Final = ("by_variant", "by_side")
SOURCES: Final = ("native", "bench", "tools/prove_strength.py", "src/cairn")


@dataclasses.dataclass(frozen=True)
class Row:
    """One finding."""

    what: str
    found: str
    bar: str
    is_met: bool | None
    """``None`` if there is no target, or if some games have not been played yet."""
    data: dict[str, Any]


class Findings:
    """All findings, in the order of the parts."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def add_match(self, part: str, match: Match, results: Sequence[dict[str, Any]], wanted: int) -> None:
        """Add a match with the games played so far."""
        bar = SCORE_BARS[part]
        if not results:
            self.rows.append(Row(match.name, "not run", f"≥ {bar:.1%}", None, {}))
            return
        games = len(results)
        score = sum(each["score"] for each in results)
        low, high = wilson(score, games)
        counts = collections.Counter({1.0: "won", 0.5: "drawn", 0.0: "lost"}[each["score"]] for each in results)
        slowest = [max(each["slowest_ms"][side] for each in results) for side in (0, 1)]
        parts = ", ".join(f"{counts[word]} {word}" for word in ("won", "drawn", "lost"))
        found = f"{score / games:.1%} ({low:.1%} to {high:.1%}) of {games} games: {parts}"
        data = {
            "games": games,
            "score": score / games,
            "interval": [low, high],
            **counts,
            "tokens_median": statistics.median(each["tokens"] for each in results),
            "reasons": dict(collections.Counter(each["reason"] for each in results)),
            "slowest_ms": slowest,
            "by_variant": _by(results, "variant"),
            "by_side": _by(results, "side"),
        }
        is_met = score / games >= bar if games == wanted else None
        self.rows.append(Row(match.name, found, f"≥ {bar:.1%}", is_met, data))

    def add_measurement(self, part: str, measured: Any) -> None:
        """Add the measurement of part d, e or f."""
        if part == "d":
            self._add_speed(measured)
        elif part == "e":
            self._add_threads(measured)
        else:
            self._add_lateness(measured)

    def _add_speed(self, measured: list[dict[str, float]]) -> None:
        nodes = statistics.median(each["nodes"] for each in measured)
        tokens = statistics.median(each["tokens"] for each in measured)
        ratio = clock.median(measured, "nodes", "tokens")
        found = (
            f"{nodes / 1e6:.2f} million nodes/s, {tokens / 1e6:.1f} million tokens/s in random games, ratio {ratio:.3f}"
        )
        data = {"nodes_per_second": nodes, "tokens_per_second": tokens, "ratio": ratio, "rounds": measured}
        self.rows.append(Row("d: speed of the search, one core", found, "", None, data))

    def _add_threads(self, measured: list[dict[str, float]]) -> None:
        ratio = clock.median(measured, "nodes_2", "nodes_1")
        data = {"ratio": ratio, "rounds": measured}
        found = f"{ratio:.2f} times the nodes of one thread, median of {len(measured)} rounds"
        self.rows.append(Row("e: two threads", found, f"≥ {THREADS_BAR}", ratio >= THREADS_BAR, data))

    def _add_lateness(self, measured: list[float]) -> None:
        late = sorted(measured)
        at_99 = late[min(len(late) - 1, -(-99 * len(late) // 100) - 1)]
        early = sum(each < 0 for each in late)
        is_met = at_99 <= USUAL_LATENESS and late[-1] <= WORST_LATENESS
        found = (
            f"{len(late)} moves at 100 ms: median {statistics.median(late):.2f} ms late, 99% at most {at_99:.2f}, "
            f"worst {late[-1]:.2f}; {early} ended early"
        )
        bar = f"99% ≤ {USUAL_LATENESS:.0f} ms, none > {WORST_LATENESS:.0f} ms"
        data = {"p50": statistics.median(late), "p99": at_99, "worst": late[-1], "early": early, "late_ms": measured}
        self.rows.append(Row("f: lateness", found, bar, is_met, data))

    def text(self) -> str:
        """A line for each finding."""
        return "\n".join(f"prove-strength: {row.what}: {row.found} {_verdict(row)}".rstrip() for row in self.rows)


def record(findings: Findings, root: pathlib.Path, command: str, seed: int) -> None:
    """Write ``docs/results/strength.md`` and ``.json``."""
    changed = _git(root, "status", "--porcelain", "--", *SOURCES)
    facts = {
        "commit": _git(root, "rev-parse", "HEAD") + (" with changes" if changed else ""),
        "command": command,
        "seed": seed,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "processor": cpu_field("model name") or platform.processor(),
        "build of the core": cpu,
    }
    folder = root / "docs" / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "strength.md").write_text("\n".join(_lines(findings, facts)) + "\n", encoding="utf-8")
    content = {**facts, "findings": [dataclasses.asdict(row) for row in findings.rows]}
    (folder / "strength.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _lines(findings: Findings, facts: dict[str, Any]) -> Iterator[str]:
    yield "# How strong the search is"
    yield ""
    yield "Scores are those of Cairn's search, or of the player named first, with 95% Wilson intervals. A draw counts"
    yield "as half a point. [Strength](../strength.md) describes the matches and measurements."
    yield ""
    yield from (f"- {name}: {value}" for name, value in facts.items())
    yield ""
    yield "| part | result | target | |"
    yield "|---|---|---|---|"
    yield from (f"| {row.what} | {row.found} | {row.bar} | {_verdict(row)} |" for row in findings.rows)
    yield ""
    yield "| match | by variant | by side | median tokens | slowest answer of each side |"
    yield "|---|---|---|---:|---|"
    for row in findings.rows:
        if "by_variant" in row.data:
            shares = [", ".join(f"{name} {share:.1%}" for name, share in row.data[by].items()) for by in GROUPS]
            slowest = " and ".join(f"{each:.0f} ms" for each in row.data["slowest_ms"])
            yield f"| {row.what} | {shares[0]} | {shares[1]} | {row.data['tokens_median']:.0f} | {slowest} |"


def _by(results: Sequence[dict[str, Any]], key: str) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for each in results:
        groups.setdefault(each[key], []).append(each["score"])
    return {name: statistics.mean(scores) for name, scores in sorted(groups.items())}


def _verdict(row: Row) -> str:
    return "" if row.is_met is None else "met" if row.is_met else "MISSED"


def _git(root: pathlib.Path, *arguments: str) -> str:
    answer = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    return answer.stdout.strip() if answer.returncode == 0 else "unknown"
