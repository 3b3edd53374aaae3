"""The results of many seeds, in chunks. Each chunk is a small file, so that several machines can share the work."""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import json
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from harness.simulation.scenario import Size, simulate

SEEDS: Final = 50
"""The number of seeds in a chunk."""
MOST_FAULTS: Final = 3
"""The maximum number of violations kept for each seed."""
ROOT: Final = Path(__file__).parents[2]


@dataclasses.dataclass
class Chunk:
    """The combined results of several seeds."""

    first: int
    seeds: int = 0
    games: int = 0
    tokens: int = 0
    seconds: float = 0.0
    """CPU time, in seconds."""
    broken: list[str] = dataclasses.field(default_factory=list)
    counts: dict[str, int] = dataclasses.field(default_factory=dict)

    def add(self, other: Chunk) -> None:
        """Add another chunk."""
        self.seeds += other.seeds
        self.games += other.games
        self.tokens += other.tokens
        self.seconds += other.seconds
        self.broken += other.broken
        self.counts = dict(collections.Counter(self.counts) + collections.Counter(other.counts))


def run_chunk(first: int) -> Chunk:
    """Run the seeds of a chunk in this process."""
    began, counts, chunk = time.process_time(), collections.Counter[str](), Chunk(first)
    for seed in range(first, first + SEEDS):
        report = simulate(seed, Size())
        chunk.seeds += 1
        chunk.games += report.games
        chunk.tokens += report.tokens
        chunk.broken += [f"seed {seed}: {line}" for line in report.broken[:MOST_FAULTS]]
        counts.update(report.counts)
    chunk.counts, chunk.seconds = dict(counts), time.process_time() - began
    return chunk


class Results:
    """A folder with the finished chunks of one version of the code."""

    def __init__(self, folder: Path, version: str) -> None:
        self.folder: Final = folder / version

    def save(self, chunk: Chunk) -> None:
        """Save a chunk to a file. The write is atomic."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(chunk.first)
        temporary = path.with_suffix(".tmp")
        temporary.write_text(json.dumps(dataclasses.asdict(chunk)), encoding="utf-8")
        temporary.replace(path)

    def done(self) -> set[int]:
        """The first seed of each finished chunk."""
        return {int(path.stem) for path in self.folder.glob("*.json")}

    def total(self, firsts: Iterable[int]) -> Chunk:
        """The sum of all finished chunks that start with one of the seeds in ``firsts``."""
        firsts = sorted(firsts)
        total, done = Chunk(firsts[0] if firsts else 0), self.done()
        for first in firsts:
            if first in done:
                total.add(Chunk(**json.loads(self._path(first).read_text(encoding="utf-8"))))
        return total

    def merge(self, other: Path) -> int:
        """Copy the chunks of the same version from another results folder. Return how many were new."""
        known, new = self.done(), 0
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in sorted((other / self.folder.name).glob("*.json")):
            if int(path.stem) not in known:
                shutil.copyfile(path, self.folder / path.name)
                new += 1
        return new

    def _path(self, first: int) -> Path:
        return self.folder / f"{first:08}.json"


def fingerprint(root: Path = ROOT) -> str:
    """A hash of all files in the repository that a run depends on. Results with a different hash are ignored."""
    digest = hashlib.sha256()
    for path in _sources(root):
        digest.update(f"{path.relative_to(root).as_posix()}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _sources(root: Path) -> Iterator[Path]:
    """The files of the package (without built pages and compiled files), the C++ core and the simulation."""
    pages = root / "src" / "cairn" / "server" / "pages"
    for folder in ("src/cairn", "native", "harness/simulation"):
        for path in sorted((root / folder).rglob("*")):
            built = path.suffix in (".so", ".pyc", ".pyd") or "__pycache__" in path.parts
            if path.is_file() and not built and pages not in path.parents:
                yield path
