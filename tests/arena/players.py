"""Helpers for the arena tests."""

from __future__ import annotations

import functools
import shlex
import sys
from pathlib import Path
from typing import Any, Final

from cairn.arena import ArenaSettings, Standings, play_here, run
from cairn.arena.result import GameResult
from cairn.engine import Limit

ROGUE: Final = Path(__file__).with_name("rogue.py")


def rogue(mode: str) -> str:
    """The specification of an engine that misbehaves in the given way."""
    return "cmd:" + shlex.join([sys.executable, str(ROGUE), mode])


def settings(*players: str, **others: Any) -> ArenaSettings:
    usual: dict[str, Any] = {"limit": Limit(nodes=300), "pairs": 3}
    return ArenaSettings(players, **(usual | others))


def play(wanted: ArenaSettings, folder: Path, jobs: int = 2) -> Standings:
    """Run an arena in a folder."""
    pool = functools.partial(play_here, jobs=jobs)
    return run(wanted, folder / "arena.jsonl", folder / "arena.cairn", pool)


def games_of(lines: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    """The reproducible part of each game, in schedule order."""
    results = [GameResult.from_json(line) for line in lines]
    results.sort(key=lambda each: (each.job.pair, each.job.pairing, each.job.swapped))
    return [(each.job, each.start, each.tokens, each.result, each.reason) for each in results]
