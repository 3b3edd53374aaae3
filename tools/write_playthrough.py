"""Writes the playthrough of the OpenSpiel game again, after an intended change. A test replays it."""

from __future__ import annotations

import pathlib

from open_spiel.python.algorithms import generate_playthrough

from cairn.research.openspiel import NAME

FILE = pathlib.Path(__file__).parents[1] / "tests" / "research" / "playthrough.txt"
SEED = 17

if __name__ == "__main__":
    FILE.write_text(generate_playthrough.playthrough(f"{NAME}(variant=expert)", None, seed=SEED), encoding="utf-8")
