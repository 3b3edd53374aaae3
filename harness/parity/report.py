"""The record of a finished comparison, in Markdown and JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from harness.parity.coverage import FLOORS, Tally

GROUPS: Final = (
    ("Games", ("games",)),
    ("Moments by phase", ("phase",)),
    ("Powers applied", ("power",)),
    ("Copied by the Shifting Stone", ("copy",)),
    ("Rare moments", ("stop", "third", "transformation", "construction", "point", "extra", "draw")),
    ("Ends", ("end", "win")),
    ("Refusals", ("tokens",)),
)


@dataclasses.dataclass(frozen=True)
class Record:
    """A comparison that found no difference."""

    commit: str
    command: str
    seed: int
    build: str
    """Which build of the native core was compared."""
    seconds: float
    vectors: dict[str, int]
    """The number of facts compared with the test vectors, by implementation."""
    tally: Tally

    def write(self, folder: Path, name: str) -> None:
        """Write ``name.md`` and ``name.json``."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.md").write_text("\n".join(self._lines()) + "\n", encoding="utf-8")
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        content = json.dumps(fields, indent=2, sort_keys=True)
        (folder / f"{name}.json").write_text(content + "\n", encoding="utf-8")

    def _lines(self) -> Iterator[str]:
        yield "# The rulebook and the core, side by side"
        yield ""
        yield (
            f"**{self.tally['moments']:,} moments compared, no difference.** At every moment both implementations gave "
            "the same board, phase, decider, legal tokens (in the same order), winner, reason for the end, position at "
            "the start of the turn and tokens since then."
        )
        yield ""
        yield f"- commit: `{self.commit}`"
        yield f"- command: `{self.command}`"
        yield f"- seed: {self.seed}"
        yield f"- build of the core: {self.build}"
        yield f"- time: {self.seconds / 60:.0f} minutes of CPU time for the games"
        for implementation, facts in self.vectors.items():
            yield f"- test vectors: {facts:,} facts reproduced by the {implementation}"
        for title, prefixes in GROUPS:
            yield ""
            yield f"## {title}"
            yield from self._table(prefixes)

    def _table(self, prefixes: Iterable[str]) -> Iterator[str]:
        yield ""
        yield "| event | count | minimum |"
        yield "|---|---:|---:|"
        for what in sorted(self.tally):
            if what.split()[0] in prefixes:
                floor = f"{FLOORS[what]:,}" if what in FLOORS else ""
                yield f"| {what} | {self.tally[what]:,} | {floor} |"
