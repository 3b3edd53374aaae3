"""Show progress while games are played: a progress bar in a terminal, otherwise a line every few seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from cairn.arena import sentences
from cairn.arena.settings import ArenaSettings
from cairn.arena.standings import Standings

SECONDS_BETWEEN_LINES: Final = 10.0
SECONDS_BETWEEN_UPDATES: Final = 0.2


@contextmanager
def progress(settings: ArenaSettings) -> Iterator[Callable[[Standings], None]]:
    """Yield a callback that shows the standings. Call it after every game."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:  # rich is optional here
        yield _lines(settings)
        return
    screen = Console(stderr=True, highlight=False, markup=False)
    if not screen.is_terminal:
        yield _lines(settings)
        return
    columns = (
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen) as bars:
        task = bars.add_task("", total=settings.games)
        show = _throttled(
            lambda standings: bars.update(task, description=sentences.line(standings)), SECONDS_BETWEEN_UPDATES
        )

        def tell(standings: Standings) -> None:
            bars.update(task, completed=standings.games)
            show(standings)

        yield tell


def _lines(settings: ArenaSettings) -> Callable[[Standings], None]:
    def tell(standings: Standings) -> None:
        print(f"{standings.games}/{settings.games} games, {sentences.line(standings)}", file=sys.stderr, flush=True)

    return _throttled(tell, SECONDS_BETWEEN_LINES)


def _throttled(tell: Callable[[Standings], object], seconds: float) -> Callable[[Standings], None]:
    """Return a callback that calls ``tell`` at most once every ``seconds`` seconds, and always after the last game.

    Calls are limited because computing the ratings of many players is slow.
    """
    last = -seconds

    def maybe(standings: Standings) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= seconds or standings.games == standings.settings.games:
            last = now
            tell(standings)

    return maybe
