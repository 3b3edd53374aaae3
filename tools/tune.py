"""Fits the evaluation weights to self-play games.

    tune.py play --games N --output FILE.npy     play games with the built-in weights
    tune.py fit FILE.npy --output WEIGHTS.json   find the weights that best explain the games
    tune.py match A.json B.json --pairs N        compare two sets of weights in paired games with equal node limits
    tune.py write WEIGHTS.json                   make these the built-in weights (native/weights.cpp)

Each row of the data describes a turn: the feature counts, the score from the search, and the result of the game. The
fit maximises the likelihood of a mixture of result and score (ridge-penalised logistic regression, by Newton's method).
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import json
import math
import os
import random
import sys
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from cairn import Game, rulebook
from cairn._native import Engine, core
from cairn.notation import write_position
from cairn.vocabulary import FOREST, Phase, Variant

ROOT: Final = Path(__file__).parents[1]
WEIGHTS: Final = ROOT / "native" / "weights.cpp"
POINTS_PER_DECADE: Final = 150.0
"""A lead of this many points makes a win ten times as likely as a loss; see ``cairn.engine``."""
RIDGE: Final = 2.0
BATCH: Final = 50
VARIANTS: Final = (Variant.BEGINNER, Variant.STANDARD, Variant.EXPERT)
# The indexes of the features (evaluation.h) for points that can be scored immediately.
SCORES_AT_ONCE: Final = (22, 50, 51, 52)
LONGEST_GAME: Final = 600

Array: TypeAlias = Any
"""A numpy array. The type is ``Any``, because type checks must work without numpy."""


def play(options: argparse.Namespace) -> None:
    """Play games and save their turns."""
    batches = [(options.seed, number, options.nodes) for number in range(options.games // BATCH)]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        rows = np.concatenate(list(pool.map(_play_batch, batches)))
    np.save(options.output, rows)
    print(f"tune: {len(rows):,} turns in {options.games:,} games; the mover's win rate: {np.mean(rows[:, -1] > 0):.3f}")


def _play_batch(batch: tuple[int, int, int]) -> Array:
    seed, number, nodes = batch
    rng = random.Random(f"{seed} {number}")
    starts = [write_position(rulebook.deal(VARIANTS[game % 3], rng)) for game in range(BATCH)]
    data = core.play_itself(starts, nodes, rng.getrandbits(63))
    return np.frombuffer(data, dtype=np.int16).reshape(-1, len(core.weights()) + 2)


def fit(options: argparse.Namespace) -> None:
    """Find the maximum-likelihood weights."""
    rows = np.load(options.material)
    if options.quiet:
        rows = rows[rows[:, SCORES_AT_ONCE].sum(axis=1) == 0]
    features, scores, results = rows[:, :-2].astype(np.float32), rows[:, -2], rows[:, -1]
    targets = (1 - options.search) * (results + 1) / 2 + options.search * expected(scores.astype(np.float32))
    held_out = np.arange(len(rows)) % 10 == 0
    before = np.array(core.weights(), dtype=np.float32)
    weights = likeliest(features[~held_out], targets[~held_out])
    for name, each in (("built-in", before), ("new", weights)):
        value = loss(each, features[held_out], targets[held_out])
        print(f"tune: {len(rows):,} turns, loss of the {name} weights {value:.5f}")
    rounded = [round(float(weight)) for weight in np.clip(weights, -3000, 3000)]
    options.output.write_text(json.dumps({"command": " ".join(sys.argv[1:]), "weights": rounded}), encoding="utf-8")


def expected(points: Array) -> Array:
    """The expected score for a lead of ``points`` points."""
    return 1 / (1 + 10 ** (-np.clip(points, -3000, 3000) / POINTS_PER_DECADE))


def loss(weights: Array, features: Array, targets: Array) -> float:
    """The mean cross-entropy."""
    chances = np.clip(expected(features @ weights), 1e-6, 1 - 1e-6)
    return float(-np.mean(targets * np.log(chances) + (1 - targets) * np.log(1 - chances)))


def likeliest(features: Array, targets: Array) -> Array:
    """Maximise the penalised likelihood by Newton's method."""
    scale = math.log(10) / POINTS_PER_DECADE
    weights = np.zeros(features.shape[1])
    for _ in range(12):
        chances = expected(features @ weights.astype(np.float32))
        gradient = scale * (features.T @ (targets - chances)) - RIDGE * scale**2 * weights
        curvature = scale**2 * ((features * (chances * (1 - chances))[:, None]).T @ features)
        curvature += RIDGE * scale**2 * np.eye(len(weights))
        weights += np.linalg.solve(curvature, gradient)
    return weights


def match(options: argparse.Namespace) -> None:
    """Let two sets of weights play each other."""
    sides = [read_weights(name) for name in (options.first, options.second)]
    job = functools.partial(_play_pair, sides, options.nodes, options.seed)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        points = np.array(list(pool.map(job, range(options.pairs))))
    mean, error = points.mean() / 2, points.std() / 2 / math.sqrt(len(points))
    low, high = (elo(mean + sign * 1.96 * error) for sign in (-1, 1))
    print(f"{options.first} - {options.second}: {mean:.3f}, Elo {elo(mean):+.0f} [{low:+.0f}, {high:+.0f}]", flush=True)


def read_weights(name: str) -> list[int]:
    """Read weights from a file; ``built-in`` means the weights in the core."""
    if name == "built-in":
        return core.weights()
    weights: list[int] = json.loads(Path(name).read_text(encoding="utf-8"))["weights"]
    return weights


def elo(share: float) -> float:
    """The rating difference that corresponds to a share of the points."""
    return 400 * math.log10(share / (1 - share)) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)


def _play_pair(sides: list[list[int]], nodes: int, seed: int, number: int) -> float:
    """Play two games from the same start with sides swapped, and return the first side's points."""
    engine = Engine(8, 1)
    points = 0.0
    for first_is_forest in (True, False):
        rng = random.Random(f"{seed} {number}")
        game = Game(write_position(rulebook.deal(VARIANTS[number % 3], rng)))
        opening = rng.randrange(7)
        while game.outcome is None and len(game.tokens) < LONGEST_GAME:
            if game.phase is Phase.DRAW or len(game.tokens) < opening:
                game.push(rng.choice(game.legal_moves))
                continue
            core.set_weights(sides[(game.decider is FOREST) != first_is_forest])
            engine.clear()
            game.push(engine.search(game.board, nodes, 0, 1, 0, None)[0][2][0])
        winner = game.outcome.winner if game.outcome else None
        points += 0.5 if winner is None else float((winner is FOREST) == first_is_forest)
    return points


def write(options: argparse.Namespace) -> None:
    """Write the weights into the source as the built-in weights."""
    found = json.loads(options.weights.read_text(encoding="utf-8"))
    numbers = [str(weight) for weight in found["weights"]]
    body = ",\n    ".join(", ".join(numbers[start : start + 16]) for start in range(0, len(numbers), 16))
    WEIGHTS.write_text(
        f"// Written by tools/tune.py from `{found['command']}`. evaluation.h lists the features.\n"
        '#include "evaluation.h"\n\nnamespace cairn {\n\n// clang-format off\n'
        f"constinit const Weights TunedWeights{{\n    {body}\n}};\n// clang-format on\n\n}}  // namespace cairn\n",
        encoding="utf-8",
    )


def main() -> int:
    """Run one of the four steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(required=True)
    step = {run.__name__: steps.add_parser(run.__name__) for run in (play, fit, match, write)}
    for run in (play, fit, match, write):
        step[run.__name__].set_defaults(run=run)
    for name in ("play", "match"):
        step[name].add_argument("--nodes", type=int, default=3_000, help="nodes per decision (default: %(default)s)")
        step[name].add_argument("--seed", type=int, default=1)
        step[name].add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    step["play"].add_argument("--games", type=int, default=20_000)
    step["play"].add_argument("--output", type=Path, required=True)
    step["fit"].add_argument("material", type=Path)
    step["fit"].add_argument("--quiet", action="store_true", help="leave out turns that can score immediately")
    step["fit"].add_argument("--search", type=float, default=0.3, help="weight of the search score, 0 to 1")
    step["fit"].add_argument("--output", type=Path, required=True)
    step["match"].add_argument("first")
    step["match"].add_argument("second")
    step["match"].add_argument("--pairs", type=int, default=200)
    step["write"].add_argument("weights", type=Path)
    options = parser.parse_args()
    options.run(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
