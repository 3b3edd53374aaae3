"""Make the table of self-play games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from cairn._native import core
from cairn.explorer.table import VARIANTS, ExplorerTable
from cairn.vocabulary import TRIBES

MOST_TOKENS: Final = 30
"""Only moments with fewer tokens before them are added. Later ones hardly ever occur twice."""


def tabulate(files: Iterable[Path], show: Callable[[int], object] = lambda _: None) -> ExplorerTable:
    """Add up the games in files of ``core.self_play``. Calls ``show`` with the number of games after each file.

    Self-play begins with random tokens, so that games differ. Only turns whose action was chosen by a search count.
    """
    table = ExplorerTable()
    for file in files:
        for variant_number, start, tokens, winner_number, scores in core.self_play_games(file.read_bytes()):
            searched = {index for index, score in enumerate(scores) if score is not None}
            winner = TRIBES[winner_number - 1] if winner_number else None
            table.add(VARIANTS[variant_number], start, tokens, winner, searched, MOST_TOKENS)
        show(table.games.total())
    return table
