"""Positions mined from played games, with their known wins, and a function that checks the main search on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

from cairn import Board, _native
from cairn.engine.score import Score

FILE: Final = Path(__file__).parents[1] / "tests" / "data" / "wins.jsonl"
TURNS: Final = 3
QUOTAS: Final = {1: 130, 2: 170, 3: 230, None: 120}
"""The number of positions for each number of turns to the win; ``None`` stands for positions without a win."""

SEARCHED_NODES: Final = 1_500_000

LATER: Final = "main search: proven, but not the shortest win"


class Mined(NamedTuple):
    """A position at the start of a turn, its winner and the number of turns to the win.

    ``winner`` and ``turns`` are ``None`` if nobody wins within three turns.
    """

    position: str
    winner: str | None
    turns: int | None
    variant: str
    player: str

    def json(self) -> str:
        """This position as a line in the file."""
        return json.dumps(self._asdict())


def read() -> list[Mined]:
    """Read all mined positions."""
    return [Mined(**json.loads(line)) for line in FILE.read_text(encoding="utf-8").splitlines()]


def judge_search(mined: Mined) -> str | None:
    """Run the main search; return what is wrong with its result, or ``None`` if the result is correct."""
    winner, turns = searched(Board(mined.position))
    least = mined.turns if winner == mined.winner and mined.turns else TURNS + 1
    if winner and turns < least:
        return "main search: false proof"
    if winner != mined.winner and mined.winner:
        return "main search: missed"
    return LATER if mined.turns and turns > mined.turns else None


def searched(board: Board, nodes: int = SEARCHED_NODES) -> tuple[str | None, int]:
    """The winner and the number of turns to the win, as proven by the main search."""
    score = Score(_native.Engine(16, 1).search(board, nodes, 0, 1, 0, 0, None)[0][0])
    if score.turns is None:
        return None, 0
    winner = board.active if score.is_win else board.active.enemy
    return winner.value, score.turns
