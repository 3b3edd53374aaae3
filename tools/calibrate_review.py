"""Measures how much each level loses per decision, and writes native/review_levels.h.

Every level plays games against itself, in all variants; each game is reviewed. The seeds are fixed, so the table can be
reproduced. Run it after a change to the search or to the review: ``python tools/calibrate_review.py --write``.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
HEADER: Final = ROOT / "native" / "review_levels.h"
GAMES: Final = 12
WEAK_GAMES: Final = 30
"""The weakest levels vary most from game to game, and play fast."""
WEAK: Final = 4
MARK: Final = "LevelQualities{{\n"


def main() -> None:
    """Measure the levels, and write the table if asked to."""
    from cairn.engine import LEVELS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="write native/review_levels.h")
    options = parser.parse_args()
    rows = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for level in LEVELS:
            seeds = range(WEAK_GAMES if level.number <= WEAK else GAMES)
            sums = [sum(column) for column in zip(*pool.map(measure, seeds, [level.number] * len(seeds)), strict=True)]
            loss, accuracy = round(sums[1] / sums[0]), round(sums[2] / sums[0])
            rows.append(f"    {{{grouped(loss)}, {grouped(accuracy)}}},\n")
            print(f"level {level.number}: {sums[0]} decisions, loss {loss}, accuracy {accuracy}", flush=True)
    if options.write:
        text = HEADER.read_text(encoding="utf-8")
        start = text.index(MARK) + len(MARK)
        HEADER.write_text(text[:start] + "".join(rows) + text[text.index("}};", start) :], encoding="utf-8")


def measure(seed: int, level: int) -> tuple[int, int, int]:
    """The number of decisions in a game of a level against itself, their loss, and their accuracies."""
    from cairn.engine.review import review_game
    from harness.reviews import played_game

    players = review_game(played_game(seed, level)).players.values()
    return (
        sum(each.decisions for each in players),
        sum(each.total_loss for each in players),
        sum(each.accuracy * each.decisions for each in players),
    )


def grouped(number: int) -> str:
    """A number as written in C++."""
    return f"{number:,}".replace(",", "'")


if __name__ == "__main__":
    main()
