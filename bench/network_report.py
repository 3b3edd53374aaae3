"""The results of the matches between versions, with their targets, as text and JSON."""

from __future__ import annotations

import dataclasses
import datetime
import json
import pathlib
import statistics
import subprocess
from collections.abc import Iterable, Sequence
from typing import Any, Final

from cairn.arena.elo import POINTS, estimate
from network_match import Journal, Match

ROOT: Final = pathlib.Path(__file__).parents[1]
GAIN: Final = 180.0
GAIN_LOW: Final = 140.0
SPEED: Final = 0.7


@dataclasses.dataclass(frozen=True)
class Finding:
    """One row of the report."""

    what: str
    found: str
    bar: str
    is_met: bool | None
    """``None`` if there is no target, or if some games have not been played yet."""
    data: dict[str, Any]


def findings(matches: Iterable[Match], journal: Journal, games: int | None) -> list[Finding]:
    """One finding per match."""
    return [_finding(match, journal, min(match.games, games or match.games)) for match in matches]


def _finding(match: Match, journal: Journal, games: int) -> Finding:
    scores = journal.scores(match, games)
    what = f"{match.part}: {match.name}"
    bar = {"a": f"≥ +{GAIN:.0f}, from +{GAIN_LOW:.0f}", "c": "≥ 0", "e": "from above 0"}.get(match.part, "")
    counts = [scores.count(point) for point in POINTS]
    found = estimate(counts)
    if found is None:
        return Finding(what, "not run", bar, None, {})
    is_met = {
        "a": found.elo >= GAIN and found.low >= GAIN_LOW,
        "c": found.elo >= 0,
        "e": found.low > 0,
    }.get(match.part)
    share = sum(scores) / len(scores)
    text = f"{found.elo:+.0f} Elo [{found.low:+.0f}, {found.high:+.0f}], {share:.1%} in {2 * len(scores)} games"
    if 2 * len(scores) < games:
        text, is_met = f"{text} of {games}", None
    data = {"games": 2 * len(scores), "elo": found.elo, "low": found.low, "high": found.high, "pairs": counts}
    return Finding(what, text, bar, is_met, data)


def speed_finding(rates: Sequence[Sequence[float]]) -> Finding:
    """The finding of part d: medians over all rounds."""
    network, hand_made = (statistics.median(pair[side] for pair in rates) for side in (0, 1))
    ratio = statistics.median(pair[0] / pair[1] for pair in rates)
    found = f"{network / 1e6:.2f} million nodes/s with the network, {hand_made / 1e6:.2f} without: {ratio:.2f} times"
    data = {"network": network, "hand_made": hand_made, "ratio": ratio, "rounds": len(rates)}
    return Finding("d: speed, one thread, CPU time", found, f"≥ {SPEED}", ratio >= SPEED, data)


def table(rows: Sequence[Finding]) -> str:
    """The findings as a Markdown table."""
    verdicts = {True: "met", False: "missed", None: ""}
    lines = ["| part | found | target | |", "|---|---|---|---|"]
    lines += [f"| {row.what} | {row.found} | {row.bar} | {verdicts[row.is_met]} |" for row in rows]
    return "\n".join(lines)


def record(rows: Sequence[Finding], folder: pathlib.Path, seed: int, old_commit: str) -> None:
    """Write ``network.md`` and ``network.json``."""
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=40", "--dirty"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    head = {
        "commit": commit,
        "old": old_commit,
        "command": f"make prove-network  # tools/prove_network.py --seed {seed}",
        "seed": seed,
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
    }
    lines = [
        "# What the network and the search gained",
        "",
        "Paired games with the same start and draws and swapped sides, all variants in equal shares, one thread unless",
        "stated, a table of 64 MB, 95% intervals. *Old* is the last version without the network.",
        "[Strength](../strength.md) describes the method.",
        "",
        *(f"- {key}: {value}" for key, value in head.items()),
        "",
        table(rows),
        "",
    ]
    (folder / "network.md").write_text("\n".join(lines), encoding="utf-8")
    data = {**head, "findings": [dataclasses.asdict(row) for row in rows]}
    (folder / "network.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
