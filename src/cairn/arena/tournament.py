"""An arena from its settings to its standings, taken up where it was left."""

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
"""Plays games somewhere, and gives their results as they are finished; closed, it plays no more."""


def default_journal(settings: ArenaSettings) -> Path:
    """A name in the working folder that belongs to these settings alone, so that the same command finds it again."""
    digest = hashlib.sha256(json.dumps(identity(settings), sort_keys=True).encode()).hexdigest()
    return Path(f"arena-{digest[:10]}.jsonl")


def run(
    settings: ArenaSettings,
    journal_path: Path,
    record_path: Path | None,
    pool: Pool,
    show: Callable[[Standings], object] = lambda _: None,
) -> Standings:
    """Play what the journal does not hold yet, until all is played or the sequential test has its verdict.

    ``show`` is called at the beginning and after every game. However it ends, ``record_path`` then holds all games.
    """
    with Journal(journal_path, settings) as journal:
        # 1. What was finished before; games that were not asked for now, as after asking for fewer, do not count.
        wanted = list(settings.jobs())
        standings = Standings(settings, (journal.results[job] for job in wanted if job in journal.results))
        show(standings)
        # 2. What is missing.
        missing = [job for job in wanted if job not in journal.results]
        try:
            if missing and standings.verdict is SprtVerdict.GOES_ON:
                with contextlib.closing(pool(settings, missing)) as results:
                    _play(results, journal, standings, show)
        finally:
            # 3. All games in one file, also after Ctrl-C.
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
        if standings.verdict is not SprtVerdict.GOES_ON:
            break
