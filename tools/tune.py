"""Fits the weights of the estimate to games that the engine plays against itself, and writes native/weights.cpp.

Each round plays games with the weights that are built in, so rounds alternate with builds. A row of the material is a
turn: the counts of its features, what the search said, and who won. The weights are those under which the results are
likeliest (logistic regression, ridge-penalised, by Newton's method).
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import random
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from cairn import rulebook
from cairn._native import core
from cairn.notation import write_position
from cairn.vocabulary import Variant

ROOT: Final = Path(__file__).parents[1]
WEIGHTS: Final = ROOT / "native" / "weights.cpp"
POINTS_PER_DECADE: Final = 150.0
"""A lead of so many points makes a win ten times as likely as a loss; see ``cairn.engine``."""
SEARCH_SHARE: Final = 0.3
"""How much the search's own opinion counts beside the result of the game."""
RIDGE: Final = 2.0
BATCH: Final = 50
VARIANTS: Final = (Variant.BEGINNER, Variant.STANDARD, Variant.EXPERT)

Array = np.ndarray[Any, np.dtype[Any]]


def main() -> int:
    """Play, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--nodes", type=int, default=2_000, help="a decision (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    options = parser.parse_args()

    rows = play(options.games, options.nodes, options.seed, options.jobs)
    features, scores, results = rows[:, :-2].astype(np.float64), rows[:, -2], rows[:, -1]
    print(f"tune: {len(rows):,} turns; the player to move wins {np.mean(results > 0):.3f}", flush=True)
    targets = (1 - SEARCH_SHARE) * (results + 1) / 2 + SEARCH_SHARE * expected(scores.astype(np.float64))
    held_out = np.arange(len(rows)) % 10 == 0
    before = np.array(core.weights(), dtype=np.float64)
    print(f"tune: loss of the built-in weights {loss(before, features[held_out], targets[held_out]):.5f}")
    weights = fit(features[~held_out], targets[~held_out])
    print(f"tune: loss of the new weights      {loss(weights, features[held_out], targets[held_out]):.5f}")
    options.output.write_text(as_source(weights, options), encoding="utf-8")
    return 0


def play(games: int, nodes: int, seed: int, jobs: int) -> Array:
    """All turns of that many games."""
    batches = [(seed, number, nodes) for number in range(games // BATCH)]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        parts = []
        for number, part in enumerate(pool.map(_play_batch, batches), start=1):
            parts.append(part)
            print(f"\rtune: {number * BATCH:,} of {games:,} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return np.concatenate(parts)


def _play_batch(batch: tuple[int, int, int]) -> Array:
    seed, number, nodes = batch
    rng = random.Random(f"{seed} {number}")
    starts = [write_position(rulebook.deal(VARIANTS[game % 3], rng)) for game in range(BATCH)]
    data = core.play_itself(starts, nodes, rng.getrandbits(63))
    return np.frombuffer(data, dtype=np.int16).reshape(-1, len(core.weights()) + 2)


def expected(points: Array) -> Array:
    """The expected score of a lead of so many points."""
    return 1 / (1 + 10 ** (-np.clip(points, -3000, 3000) / POINTS_PER_DECADE))


def loss(weights: Array, features: Array, targets: Array) -> float:
    """The mean cross-entropy."""
    chances = np.clip(expected(features @ weights), 1e-9, 1 - 1e-9)
    return float(-np.mean(targets * np.log(chances) + (1 - targets) * np.log(1 - chances)))


def fit(features: Array, targets: Array) -> Array:
    """The weights under which the targets are likeliest."""
    scale = np.log(10) / POINTS_PER_DECADE
    weights = np.zeros(features.shape[1])
    for _ in range(12):
        chances = expected(features @ weights)
        gradient = scale * (features.T @ (targets - chances)) - RIDGE * scale**2 * weights
        curvature = scale**2 * ((features * (chances * (1 - chances))[:, None]).T @ features)
        curvature += RIDGE * scale**2 * np.eye(len(weights))
        weights += np.linalg.solve(curvature, gradient)
    return weights


def as_source(weights: Array, options: argparse.Namespace) -> str:
    """The weights as C++."""
    numbers = [str(round(weight)) for weight in np.clip(weights, -3000, 3000)]
    lines = [", ".join(numbers[start : start + 16]) for start in range(0, len(numbers), 16)]
    body = ",\n    ".join(lines)
    return (
        f"// Written by `tools/tune.py --games {options.games} --nodes {options.nodes} --seed {options.seed}`; "
        "the features are named in evaluation.h.\n"
        '#include "evaluation.h"\n\nnamespace cairn {\n\n// clang-format off\n'
        f"const Weights TunedWeights{{\n    {body}\n}};\n// clang-format on\n\n}}  // namespace cairn\n"
    )


if __name__ == "__main__":
    sys.exit(main())
