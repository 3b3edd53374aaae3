"""Record steps from real games for the board tests. Run this script without arguments.

``steps.json`` contains steps with every kind of effect: the table before, the effects, and the table after. The steps
come from random games with fixed seeds, so the file changes only if the rules change.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
import random
from typing import Final

from cairn import Board
from cairn.server.game.seated_game import SeatedGame

GAMES: Final = 400
EACH: Final = 4
"""How many steps to record for each kind of effect."""


def main() -> None:
    """Play games and record the first steps with each kind of effect."""
    counts: collections.Counter[str] = collections.Counter()
    lines = []
    for seed in range(GAMES):
        rng = random.Random(seed)
        game = SeatedGame(Board.start(("beginner", "standard", "expert")[seed % 3], seed=seed))
        while game.outcome is None:
            before = game.text
            tokens = [str(token) for token in game.legal_moves]
            step = game.follow("stop" if "stop" in tokens else rng.choice(tokens))
            kinds = {effect.kind for effect in step.effects}
            if any(counts[kind] < EACH for kind in kinds):
                counts.update(kinds)
                effects = [dataclasses.asdict(effect) for effect in step.effects]
                recorded = {"before": before, "effects": effects, "after": step.position}
                lines.append(json.dumps(recorded, ensure_ascii=False))
    here = pathlib.Path(__file__).parent
    (here / "steps.json").write_text("[\n  " + ",\n  ".join(lines) + "\n]\n", encoding="utf-8")
    print(dict(sorted(counts.items())))


if __name__ == "__main__":
    main()
