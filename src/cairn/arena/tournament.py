"""Run an arena from its settings to its standings, and resume it after an interruption."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from cairn.arena.journal import Journal, identity
from cairn.arena.records import write_games
from cairn.arena.result import GameResult
from cairn.arena.settings import ArenaSettings, Job
from cairn.arena.sprt import SprtVerdict
from cairn.arena.standings import Standings

Pool: TypeAlias = Callable[[ArenaSettings, Sequence[Job]], Generator[GameResult, None, None]]
"""Plays games and yields their results as they finish. Closing the generator stops the games."""


def default_journal(settings: ArenaSettings) -> Path:
    """The default path of the journal. It depends only on the settings, so that the same command finds it again."""
    digest = hashlib.sha256(json.dumps(identity(settings), sort_keys=True).encode()).hexdigest()
    return Path(f"arena-{digest[:10]}.jsonl")


def run(
    settings: ArenaSettings,
    journal_path: Path,
    record_path: Path | None,
    pool: Pool,
    show: Callable[[Standings], object] = lambda _: None,
) -> Standings:
    """Play the games that are not in the journal, until all games are finished or the sequential test has a verdict.

    ``show`` is called at the beginning and after every game. At the end, even after an error or Ctrl+C, all games are
    written to ``record_path``.
    """
    with Journal(journal_path, settings) as journal:
        # 1. Count the finished games. The journal may have more games than the settings ask for.
        wanted = list(settings.jobs())
        standings = Standings(settings, (journal.results[job] for job in wanted if job in journal.results))
        show(standings)
        # 2. Play the missing games.
        missing = [job for job in wanted if job not in journal.results]
        try:
            if missing and standings.verdict is SprtVerdict.CONTINUE:
                with contextlib.closing(pool(settings, missing)) as results:
                    _play(results, journal, standings, show)
        finally:
            # 3. Write all games to one file, even after Ctrl+C.
            if record_path:
                write_games(record_path, settings, journal.results.values())
    return standings


def _play(
    results: Iterable[GameResult], journal: Journal, standings: Standings, show: Callable[[Standings], object]
) -> None:
    for result in results:
        journal.add(result)
        standings.add(result)
        show(standings)
        if standings.verdict is not SprtVerdict.CONTINUE:
            break
