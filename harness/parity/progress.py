"""The progress of a long comparison, stored in a file so that the comparison can be resumed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cairn._native import core
from harness.parity.coverage import Tally

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = (
    "src/cairn/megaliths.json",
    "src/cairn/vocabulary",
    "src/cairn/notation",
    "src/cairn/rulebook",
    "src/cairn/board.py",
    "src/cairn/game.py",
    "src/cairn/refusal.py",
    "native",
    "harness/parity",
    "harness/implementations.py",
    "harness/positions.py",
    "harness/token_universe.py",
)
"""The files that determine the result of a comparison."""


class Progress:
    """The counts of finished batches, by batch number. Stored counts are discarded if the seed or a source changes."""

    def __init__(self, path: Path, seed: int, batch_size: int, *others: Path) -> None:
        """Read the file at ``path``. ``others`` are further files that affect the result."""
        self._path: Final = path
        self._identity: Final = f"{seed} {batch_size} {fingerprint(*others)}"
        self.batches: Final[dict[int, Tally]] = {}
        """The counts of the finished batches."""
        if path.exists():
            stored = json.loads(path.read_text(encoding="utf-8"))
            if stored["identity"] == self._identity:
                self.batches.update({int(number): Tally(tally) for number, tally in stored["batches"].items()})

    def finish(self, number: int, tally: Tally) -> None:
        """Store the counts of a batch."""
        self.batches[number] = tally
        self._path.parent.mkdir(parents=True, exist_ok=True)
        content = {"identity": self._identity, "batches": self.batches}
        unfinished = self._path.with_suffix(".new")
        unfinished.write_text(json.dumps(content), encoding="utf-8")
        unfinished.replace(self._path)

    def total(self) -> Tally:
        """The combined counts of all finished batches."""
        return sum(self.batches.values(), Tally())


def fingerprint(*others: Path) -> str:
    """A hash of the sources, the loaded native module and the other files."""
    digest = hashlib.sha256()
    for path in (*_source_files(), Path(str(core.__file__)), *others):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _source_files() -> Iterator[Path]:
    for name in SOURCES:
        path = ROOT / name
        found = [path] if path.is_file() else path.rglob("*")
        yield from sorted(file for file in found if file.suffix in (".py", ".h", ".cpp", ".json"))
