"""Cairn as a contender in the speed benchmark. Only ``environments.py`` imports the ``cairn`` package, too."""

from __future__ import annotations

import itertools
from typing import Any, Final

from environments import cairn_batch
from measure import Batch, random_choice, require

STARTS: Final = (
    "S1S1S/5/5/5/F1F1F b3CG,d3CD SAAD (CSDRMDPS) boee 0-0 S",  # beginner
    "S1S1S/5/5/5/F1F1F b3MD,d3SW MMHP (ADCDCGCSDRFCPSSASSTS) wdem 0-0 S",  # standard
    "S1S1S/5/5/5/F1F1F b3DR,d3FC WCMD (ADCDCGCSHEHPMMPSSASHSSSWTS) boee 0-0 F",  # expert
)
PLAYOUTS: Final = 500
PERFT_DEPTH: Final = 7
REMEDY: Final = "build and install the package first, as `make bench` does"


def perft(position: str, depth: int) -> int:
    """The number of token sequences of length ``depth`` from the position."""
    return int(_board(position).perft(depth))


def random_playouts(position: str, count: int, seed: int) -> int:
    """Play random games to the end in the native core and return the number of tokens."""
    tokens, _ = _board(position).random_playouts(count, seed)
    return int(tokens)


def python_game(position: str, choose: Any) -> int:
    """Play one random game through the public Python API and return the number of tokens."""
    board = _board(position)
    tokens = 0
    while moves := board.legal_moves:
        board.push(choose(moves))
        tokens += 1
    return tokens


def cpu() -> str:
    """Which build of the core is loaded: ``baseline`` or ``v3``."""
    return str(require("cairn._native", REMEDY).cpu)


def facts() -> dict[str, Any]:
    """Facts about this contender for the report."""
    return {"cpu": cpu()}


def batches(seed: int) -> dict[str, Batch]:
    """The measurements. Each covers all three variants."""
    choose = random_choice(seed)
    seeds = itertools.count(seed)
    starts = itertools.cycle(STARTS)
    return {
        "playouts": lambda: random_playouts(next(starts), PLAYOUTS, next(seeds)),
        "perft": lambda: sum(perft(start, PERFT_DEPTH) for start in STARTS),
        "loop": lambda: sum(python_game(start, choose) for start in STARTS),
        "batch": cairn_batch(seed, ("observations", "masks")),
        "batch-bits": cairn_batch(seed, ("observations", "bits")),
    }


def _board(position: str) -> Any:
    return require("cairn", REMEDY).Board(position)
