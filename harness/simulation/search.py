"""Search for the most hostile programs: those that put honest players under the most pressure survive and mutate."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Final

from harness.simulation.programs import Program
from harness.simulation.referee import MOST_LIMITED_EVENTS
from harness.simulation.scenario import Report, Size, simulate

POPULATION: Final = 12
SURVIVORS: Final = 4
GAMES: Final = 6


@dataclasses.dataclass(frozen=True)
class Found:
    """A program and its results."""

    program: Program
    pressure: float
    """How close the program came to violating an invariant. Each violation adds 1."""
    broken: tuple[str, ...]


def search(rounds: int, seed: int = 1, say: Callable[[str], object] = lambda _: None) -> list[Found]:
    """Mutate programs for up to ``rounds`` rounds, or until an invariant is violated. Return the best programs."""
    rng = random.Random(f"search {seed}")
    programs = [Program.invented(rng) for _ in range(POPULATION)]
    best: list[Found] = []
    for number in range(rounds):
        tried = [evaluate(program, rng.randrange(10**9)) for program in programs]
        best = sorted([*best, *tried], key=lambda found: -found.pressure)[:SURVIVORS]
        say(f"round {number + 1} of {rounds}: pressure {best[0].pressure:.2f}")
        if best[0].broken:
            break
        fresh = [Program.invented(rng) for _ in range(POPULATION // 3)]
        programs = fresh + [rng.choice(best).program.mutated(rng) for _ in range(POPULATION - len(fresh))]
    return best


def evaluate(program: Program, seed: int) -> Found:
    """Run one seed in which every hostile player follows the program."""
    report = simulate(seed, Size(games=GAMES, faults=False, hostile=1.0), [program] * GAMES)
    return Found(program, _pressure(report), tuple(report.broken))


def _pressure(report: Report) -> float:
    """Add up violations, refused decisions, losses on time, and the highest number of offers and undos in a turn."""
    refused = sum(count for name, count in report.counts.items() if name.startswith("refused decision: "))
    by_time = report.counts.get("end: time", 0) / max(1, report.games)
    return len(report.broken) + refused / max(1, report.tokens) + by_time + report.most_events / MOST_LIMITED_EVENTS
