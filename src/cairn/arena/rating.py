"""One Elo scale for several players, from a maximum-likelihood fit of the logistic model (Bradley and Terry, 1952)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cairn.arena.elo import NORMAL_95, POINTS, score_of

ELO_PER_UNIT: Final = 400 / math.log(10)
"""Elo points per unit of the logistic model."""
STEPS: Final = 100
CLOSE_ENOUGH: Final = 1e-10
SINGULAR: Final = 1e-12
LONGEST_STEP: Final = 2.0
"""The maximum Newton step, in units of the model. If one player won nearly all games, a full step would overshoot."""

Pairing = tuple[int, int]
"""The numbers of two players."""


@dataclasses.dataclass(frozen=True, slots=True)
class Scale:
    """The ratings of the players, with mean 0, and their covariance."""

    elos: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]

    def margin(self, player: int) -> float:
        """Half the width of the 95% interval of a rating, relative to the mean of all players."""
        return NORMAL_95 * math.sqrt(max(self.covariance[player][player], 0.0))

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """The Elo difference between two players and half the width of its 95% interval."""
        both = self.covariance[first][first] + self.covariance[second][second] - 2 * self.covariance[first][second]
        return self.elos[first] - self.elos[second], NORMAL_95 * math.sqrt(max(both, 0.0))


def fit(players: int, results: Mapping[Pairing, Sequence[int]], prior: float = 1.0) -> Scale:
    """Fit the ratings to the pentanomial counts of the pairings. A draw counts as half a win.

    The intervals are robust: they come from the spread of the pairs, not from the model, because the two games in a
    pair are not independent. As in BayesElo, ``prior`` virtual drawn games per pairing keep the ratings finite if one
    player has won every game. The more games are played, the less the virtual games weigh.
    """
    elos = [0.0] * players
    for _ in range(STEPS):
        slopes, information, _ = _likelihood(elos, results, prior)
        step = _solve(information, [[slope] for slope in slopes])
        longest = max((abs(row[0]) for row in step), default=0.0)
        shrink = min(1.0, LONGEST_STEP / longest) if longest else 1.0
        elos = [elo + shrink * row[0] * ELO_PER_UNIT for elo, row in zip(elos, step, strict=True)]
        if longest < CLOSE_ENOUGH:
            break
    _, information, spread = _likelihood(elos, results, prior)
    inverse = _solve(information, [[float(row == column) for column in range(players)] for row in range(players)])
    covariance = _product(_product(inverse, spread), inverse)
    mean = sum(elos) / max(players, 1)
    return Scale(
        tuple(elo - mean for elo in elos),
        tuple(tuple(entry * ELO_PER_UNIT**2 for entry in row) for row in covariance),
    )


Matrix = list[list[float]]


def _likelihood(
    elos: Sequence[float], results: Mapping[Pairing, Sequence[int]], prior: float
) -> tuple[list[float], Matrix, Matrix]:
    """The gradient of the log-likelihood, the information matrix, and the sum of squared gradients over all pairs."""
    players = len(elos)
    slopes = [0.0] * players
    # The games determine the ratings only up to a constant. Adding the same value to every entry of the matrix fixes
    # the mean of the ratings at 0 and has no other effect.
    information = [[1.0 / players] * players for _ in range(players)]
    spread = [[0.0] * players for _ in range(players)]
    for (first, second), counts in results.items():
        expected = score_of(elos[first] - elos[second])
        # Each pair has two games. A virtual drawn game is half a win and half a loss.
        seen = [(2.0, point, float(count)) for point, count in zip(POINTS, counts, strict=True)]
        virtual = [(1.0, 0.0, prior / 2), (1.0, 1.0, prior / 2)]
        for games, score, times in (*seen, *virtual):
            surprise = games * (score - expected)
            slopes[first] += times * surprise
            slopes[second] -= times * surprise
            _add_edge(information, first, second, times * games * expected * (1 - expected))
            _add_edge(spread, first, second, times * surprise**2)
    return slopes, information, spread


def _add_edge(matrix: Matrix, first: int, second: int, weight: float) -> None:
    matrix[first][first] += weight
    matrix[second][second] += weight
    matrix[first][second] -= weight
    matrix[second][first] -= weight


def _solve(matrix: Matrix, right: Matrix) -> Matrix:
    """The solution X of ``matrix`` X = ``right``, by Gaussian elimination with pivoting."""
    size = len(matrix)
    rows = [[*left, *rest] for left, rest in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        if abs(rows[pivot][column]) < SINGULAR:
            raise ValueError("the pairings do not connect all players, so there is no common scale")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [below - factor * above for below, above in zip(rows[row], rows[column], strict=True)]
    return [[entry / rows[row][row] for entry in rows[row][size:]] for row in range(size)]


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[_dot(row, column) for column in columns] for row in left]


def _dot(left: Iterable[float], right: Iterable[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
