"""Let the levels of the computer try a puzzle, and rate the puzzle by what they find.

The scale is that of the levels in docs/results/levels.md, shifted so that level 5, for regular players, is at about
1500. A puzzle that a level does not solve counts as a game that the puzzle has won against the level.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Final

from cairn import _native
from cairn._native import core
from cairn.board import Board
from cairn.puzzles.puzzle import Goal, Puzzle
from cairn.rating import RatedGame, Rating, update
from cairn.vocabulary import TRIBES, Phase, Token

LEVEL_RATINGS: Final = (500, 750, 1000, 1300, 1500, 1800, 2100, 2350, 2500, 2750)
"""The rating of each level: its Elo in docs/results/levels.md plus 500, rounded to 50."""
LEVEL_DEVIATION: Final = 40.0
SEEDS: Final = 3
"""How often a level tries a puzzle. Level 10 makes no random choice, so it tries only once."""
SOLVER_MEGABYTES: Final = 64


class Trial:
    """Lets levels try puzzles, one after the other."""

    def __init__(self) -> None:
        self._engine: Final = _native.Engine(core.LEVEL_MEGABYTES, 1)

    def rate(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle with its rating after all levels have tried it."""
        rating = Rating()
        for level, solved in self.results(puzzle):
            opponent = Rating(LEVEL_RATINGS[level - 1], LEVEL_DEVIATION)
            rating = update(rating, [RatedGame(opponent, 0.0 if solved else 1.0)], periods=0.0)
        return dataclasses.replace(puzzle, rating=round(rating.rating), deviation=round(rating.deviation))

    def results(self, puzzle: Puzzle) -> Iterator[tuple[int, bool]]:
        """Every level with whether it solved the puzzle, from the strongest to the weakest, for each seed."""
        for seed in range(SEEDS):
            for level in range(len(LEVEL_RATINGS), 0, -1):
                if seed == 0 or level < len(LEVEL_RATINGS):
                    yield level, self.solves(puzzle, level, seed)

    def solves(self, puzzle: Puzzle, level: int, seed: int) -> bool:
        """Whether the level finds the right decisions against the longest defence."""
        board, attacker = puzzle.board, TRIBES.index(puzzle.attacker)
        decider = board.decider_number
        solver = core.Solver(SOLVER_MEGABYTES)
        turns = puzzle.turns
        first = True
        while not board.is_over:
            judged = {} if puzzle.goal is Goal.ODDS else dict(solver.turns_by_token(board, attacker, turns, 0))
            if board.decider_number == decider:
                token = self._choose(board, level, seed)
                if first and str(token) != puzzle.solution[0]:
                    return False
                if puzzle.goal is not Goal.ODDS and bool(judged[token]) is not (puzzle.goal is Goal.WIN):
                    return False
            elif puzzle.goal is Goal.WIN:
                token = max(judged, key=lambda each: judged[each] or 0)
            else:
                return True
            if puzzle.goal is Goal.ODDS:
                return True
            first = False
            board.push(token)
            turns -= board.phase is Phase.ACTION
            if not turns:
                break
        return puzzle.goal is Goal.DEFEND or board.winner_number == attacker + 1

    def _choose(self, board: Board, level: int, seed: int) -> Token:
        self._engine.arm()
        return self._engine.play_level(board, level, seed, 0, 0, 0)[2][0]
