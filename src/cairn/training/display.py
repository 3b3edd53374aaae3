"""Progress of a training run on the terminal."""

from __future__ import annotations

import sys
import time
from typing import Any, Final, Self

from cairn.training.generations import Generation

SECONDS_BETWEEN_LINES: Final = 30.0


class TerminalDisplay:
    """A progress bar in a terminal; otherwise a line every half minute."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True, highlight=False, markup=False)
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[words]}", markup=False),
            TimeRemainingColumn(),
        )
        self._bars: Final[Any] = Progress(*columns, console=console) if console.is_terminal else None
        self._task: Any = None
        self._step = ""
        self._total = 0
        self._told = 0.0

    def __enter__(self) -> Self:
        if self._bars:
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars:
            self._bars.stop()

    def begin(self, step: str, generation: int, total: int) -> None:
        """Begin a step."""
        self._step, self._total, self._told = f"generation {generation}, {step}", total, 0.0
        if self._bars:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task = self._bars.add_task(self._step, total=total, words="")

    def update(self, done: int, words: str = "") -> None:
        """Show how much of the step is done."""
        if self._bars:
            self._bars.update(self._task, completed=done, words=words)
        elif time.monotonic() - self._told > SECONDS_BETWEEN_LINES or done == self._total:
            self._told = time.monotonic()
            print(f"{self._step}: {done}/{self._total} {words}".rstrip(), file=sys.stderr, flush=True)

    def end(self, generation: Generation) -> None:
        """Show the result of a generation."""
        elo = "" if generation.elo is None else f", Elo {generation.elo:+.0f} ± {generation.margin:.0f}"
        verdict = "accepted" if generation.accepted else "not accepted"
        line = f"generation {generation.number}: {verdict} after {generation.games} games{elo}"
        (self._bars.console.print if self._bars else print)(line)
