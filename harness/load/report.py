"""Stores the results of a test during the run, so that a stopped run can be resumed, and formats them as a page."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from harness.load.servers import ROOT

RESULTS: Final = ROOT / "docs" / "results"
PROGRESS: Final = ROOT / "build" / "proofs"
MOST_FAULTS: Final = 20
GREATEST: Final = frozenset({"slowest", "clock_error"})
"""Figures that are merged by taking the maximum; all others are added."""

Seen = TypeVar("Seen")


def merged(one: Seen, other: Seen) -> Seen:
    """Merge two outcomes of the same test."""
    assert dataclasses.is_dataclass(one)
    assert not isinstance(one, type)
    values: dict[str, Any] = {}
    for field in dataclasses.fields(one):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, dict):
            values[field.name] = {key: mine.get(key, 0) + theirs.get(key, 0) for key in sorted({*mine, *theirs})}
        else:
            values[field.name] = max(mine, theirs) if field.name in GREATEST else mine + theirs
    return type(one)(**values)


class Progress:
    """The progress of a long test, stored in a file. It is discarded if the size, the seed or the commit changes."""

    def __init__(self, name: str, size: object, outcome: Any) -> None:
        self._path: Final = PROGRESS / f"{name}.json"
        self._key: Final = f"{size} {commit()}"
        self.batches = 0
        self.seconds = 0.0
        self.outcome: Any = outcome
        kept = json.loads(self._path.read_text(encoding="utf-8")) if self._path.exists() else {}
        if kept.get("key") == self._key:
            self.batches, self.seconds = kept["batches"], kept["seconds"]
            values = kept["outcome"]
            if "statuses" in values:
                values["statuses"] = {int(status): count for status, count in values["statuses"].items()}
            self.outcome = type(outcome)(**values)

    def add(self, outcome: Any, seconds: float) -> None:
        """Add a finished batch."""
        self.outcome, self.batches = merged(self.outcome, outcome), self.batches + 1
        self.seconds += seconds
        kept = dataclasses.asdict(self.outcome)
        text = json.dumps({"key": self._key, "batches": self.batches, "seconds": self.seconds, "outcome": kept})
        self._path.parent.mkdir(parents=True, exist_ok=True)
        passing = self._path.with_suffix(".new")
        passing.write_text(text, encoding="utf-8")
        passing.replace(self._path)

    def forget(self) -> None:
        """Delete the stored progress, so that the next run starts over."""
        self._path.unlink(missing_ok=True)


def page(title: str, verdict: str, command: str, figures: Mapping[str, object], faults: list[str]) -> str:
    """Format a result as a page."""
    lines = [f"# {title}", "", f"**{verdict}**", ""]
    lines += [f"- commit: `{commit()}`", f"- command: `{command}`"]
    lines += [f"- machine: {_processors()}, {platform.system()}, Python {platform.python_version()}"]
    lines += [f"- {name}: {value}" for name, value in figures.items()]
    if faults:
        lines += ["", f"{len(faults)} faults, the first of them:", ""]
        lines += [f"- {' '.join(fault.split())[:500]}" for fault in faults[:MOST_FAULTS]]
    return "\n".join(lines) + "\n"


def _processors() -> str:
    """Describe how many CPU cores the machine has and how many of them this run may use."""
    there = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else there
    return f"{there} CPU cores" if usable == there else f"{usable} of {there} CPU cores"


def record(name: str, text: str) -> Path:
    """Store a page in the results folder and return its path."""
    path = RESULTS / f"{name}.md"
    path.write_text(text, encoding="utf-8")
    return path.relative_to(ROOT)


def commit() -> str:
    """The hash of the current commit."""
    asked = ["git", "rev-parse", "HEAD"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
