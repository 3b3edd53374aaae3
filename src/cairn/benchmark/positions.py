"""The positions of the benchmark. Each has exactly one right decision, which is proven."""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import functools
import math
from collections.abc import Callable, Sequence
from typing import Final

from cairn.arena.elo import NORMAL_95
from cairn.engine import Limit, open_engine
from cairn.game import Game
from cairn.puzzles import Puzzle, released

VERSION: Final = 1
"""Changes when the positions change. Results of different versions cannot be compared."""
COUNT: Final = 1_000
CHUNK: Final = 25
"""How many positions a process solves at a time."""


@functools.cache
def positions() -> tuple[Puzzle, ...]:
    """The positions, in the order of their ids, which are hashes: a fixed sample of the puzzles."""
    return tuple(sorted(released(), key=lambda puzzle: puzzle.id)[:COUNT])


@dataclasses.dataclass(frozen=True, slots=True)
class PositionsResult:
    """What an engine solved."""

    engine: str
    solved: dict[str, bool]
    """By the id of the position."""

    @property
    def score(self) -> float:
        """The share of positions that were solved."""
        return sum(self.solved.values()) / len(self.solved)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score, by Wilson's method."""
        return wilson(sum(self.solved.values()), len(self.solved))

    def by_kind(self) -> dict[str, tuple[int, int]]:
        """How many positions were solved, and how many there are, for each goal and number of turns."""
        counts: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
        for puzzle in positions():
            if puzzle.id in self.solved:
                count = counts[f"{puzzle.goal.value} in {puzzle.turns}"]
                count[0] += self.solved[puzzle.id]
                count[1] += 1
        return {kind: (solved, total) for kind, (solved, total) in sorted(counts.items())}


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share.

    >>> [round(end, 4) for end in wilson(80, 100)]
    [0.7112, 0.8666]
    """
    share, square = successes / trials, NORMAL_95**2
    middle = share + square / (2 * trials)
    half = NORMAL_95 * math.sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    scale = 1 + square / trials
    return (middle - half) / scale, (middle + half) / scale


def solve_all(
    engine: str,
    limit: Limit,
    jobs: int = 1,
    show: Callable[[int], object] = lambda _: None,
    wanted: Sequence[Puzzle] | None = None,
) -> PositionsResult:
    """Let an engine decide once in each position, and count the right decisions.

    ``engine`` is a text for :func:`cairn.engine.open_engine`. Levels and random players without a seed get the seed 1.
    ``show`` is called with the number of positions so far. Raises ``ValueError`` for a text that is not valid, and
    :class:`~cairn.engine.EngineError` if the engine fails: a failure is not a wrong decision.
    """
    engine = _seeded(engine)
    open_engine(engine).close()  # report a wrong text now
    chosen = list(positions() if wanted is None else wanted)
    chunks = [[puzzle.id for puzzle in chosen[start : start + CHUNK]] for start in range(0, len(chosen), CHUNK)]
    solved: dict[str, bool] = {}
    if jobs == 1:
        for chunk in chunks:
            solved |= _solve(engine, limit, chunk)
            show(len(solved))
        return PositionsResult(engine, solved)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        running = [pool.submit(_solve, engine, limit, chunk) for chunk in chunks]
        try:
            for each in running:
                solved |= each.result()
                show(len(solved))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return PositionsResult(engine, solved)


def _solve(engine: str, limit: Limit, ids: Sequence[str]) -> dict[str, bool]:
    by_id = {puzzle.id: puzzle for puzzle in released()}
    solved = {}
    with open_engine(engine) as player:
        for each in ids:
            puzzle = by_id[each]
            player.new_game()
            played = player.play(Game(puzzle.position, puzzle.tokens), limit)
            solved[each] = str(played.token) == puzzle.solution[0]
    return solved


def _seeded(engine: str) -> str:
    kind = engine.partition(":")[0].partition(",")[0]
    return f"{engine},seed=1" if kind in ("level", "random") and "seed=" not in engine else engine
