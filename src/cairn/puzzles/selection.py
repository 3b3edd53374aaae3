"""Select the puzzles of the package from those that were mined."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Final

from cairn.puzzles.puzzle import Goal, Puzzle
from cairn.symmetry import look

QUOTAS: Final = {
    (Goal.WIN, 1): 60,
    (Goal.WIN, 2): 60,
    (Goal.WIN, 3): 280,
    (Goal.DEFEND, 2): 40,
    (Goal.DEFEND, 3): 20,
    (Goal.ODDS, 3): 40,
}
"""The most puzzles of each goal and number of turns in one variant."""
MOST_WINS: Final = 350
"""The most puzzles in one variant whose goal is a win."""


def select(mined: Iterable[Puzzle]) -> list[Puzzle]:
    """Fill the quotas. Rare goals come first, then rare themes, then the order in which the puzzles were mined.

    No two puzzles come from the same game, and no two show the same shamans, megaliths, faces and scores, not even
    mirrored or with the tribes swapped.
    """
    chosen: dict[str, Puzzle] = {}
    games, looks = set[str](), set[str]()
    counts = collections.Counter[object]()
    for puzzle in sorted(filter(lambda each: each.themes, mined), key=_order):
        game, kind = puzzle.source.rpartition(":")[0], (puzzle.variant, puzzle.goal, puzzle.turns)
        group = (puzzle.variant, puzzle.goal)
        seen = look(puzzle.position, puzzle.tokens)
        if game in games or seen in looks or counts[kind] >= QUOTAS.get((puzzle.goal, puzzle.turns), 0):
            continue
        if puzzle.goal is Goal.WIN and counts[group] >= MOST_WINS:
            continue
        chosen[puzzle.id] = puzzle
        games.add(game)
        looks.add(seen)
        counts.update((kind, group))
    return sorted(chosen.values(), key=lambda each: each.id)


def _order(puzzle: Puzzle) -> tuple[object, ...]:
    rare = (Goal.ODDS, Goal.DEFEND, Goal.WIN).index(puzzle.goal)
    seed, shard, game, token = map(int, puzzle.source.split(":"))
    return rare, puzzle.turns == 1, -len(puzzle.themes), seed, shard, game, token
