"""The figures of the report, with 95 % intervals. Shares and values are fractions of a game."""

from __future__ import annotations

import dataclasses
import math
from typing import Final

import numpy as np

from cairn.arena.elo import NORMAL_95
from cairn.balance.facts import ACTIONS, ENDINGS, MILLIONTHS, SIDES, TILES, VARIANTS, WAYS, Array
from cairn.engine.score import Score

FACE_CLASSES: Final = tuple(move + jump + transformation for move in "od" for jump in "fe" for transformation in "me")
"""The classes of starts by their faces: move, jump, transformation. The add tile makes no class: in a mirrored start it
shows its other face (B2), and the deal is as likely."""


@dataclasses.dataclass(frozen=True, slots=True)
class Advantage:
    """The mean result of the first player in some games: 1 is a win, 0.5 a draw."""

    games: int
    raw: float
    """The mean of the results."""
    raw_margin: float
    """Half the width of its 95 % interval."""
    mean: float
    """The mean of the results without the luck of the draws."""
    margin: float


@dataclasses.dataclass(frozen=True, slots=True)
class VariantAdvantage:
    """The first player's advantage in a variant."""

    variant: str
    all: Advantage
    slope: float
    """How much of the result a unit of luck explains."""
    removed: float
    """The share of the variance that the luck explains."""
    mean_luck: float
    luck_margin: float
    add_difference: float
    """The mean without luck if the add tile shows white at the start, minus that if it shows black."""
    add_margin: float
    classes: dict[str, Advantage]
    """By the class of faces, as in :data:`FACE_CLASSES`."""
    spread: float
    """How different the classes are: the sum of squared distances from the common mean, in standard errors. If all
    classes were equal, it would follow a chi-squared distribution with one degree of freedom less than classes."""


def advantages(games: Array) -> list[VariantAdvantage]:
    """The first player's advantage, for each variant with games."""
    return [_variant_advantage(number, games) for number in _variants_in(games)]


def _variants_in(games: Array) -> list[int]:
    return [number for number in range(len(VARIANTS)) if (games["variant"] == number).any()]


def _variant_advantage(number: int, games: Array) -> VariantAdvantage:
    chosen = games[games["variant"] == number]
    results, luck = chosen["result"] / 2, chosen["luck"] / MILLIONTHS
    slope, removed = control(results, luck)
    without_luck = results - slope * luck
    numbers = face_class(chosen["faces"])
    classes = {
        name: _advantage(results[numbers == place], without_luck[numbers == place])
        for place, name in enumerate(FACE_CLASSES)
        if (numbers == place).any()
    }
    return VariantAdvantage(
        VARIANTS[number],
        _advantage(results, without_luck),
        slope,
        removed,
        float(luck.mean()),
        margin_of(luck),
        *_difference(without_luck[chosen["faces"] & 1 == 0], without_luck[chosen["faces"] & 1 == 1]),
        classes,
        _spread(list(classes.values())),
    )


def face_class(faces: Array) -> Array:
    """The place of each set of faces in :data:`FACE_CLASSES`."""
    move, jump, transformation = faces >> 1 & 1, faces >> 2 & 1, faces >> 3 & 1
    return 4 * move + 2 * jump + transformation


def control(results: Array, luck: Array) -> tuple[float, float]:
    """The slope with which the luck explains the results best, and the share of the variance that it explains."""
    if len(results) < 2 or not luck.var() or not results.var():
        return 0.0, 0.0
    covariance = float(((results - results.mean()) * (luck - luck.mean())).mean())
    slope = covariance / float(luck.var())
    return slope, slope * covariance / float(results.var())


def margin_of(values: Array) -> float:
    """Half the width of the 95 % interval of a mean."""
    return NORMAL_95 * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def _difference(one: Array, other: Array) -> tuple[float, float]:
    """The difference of two means, and half the width of its 95 % interval."""
    if not len(one) or not len(other):
        return 0.0, math.inf
    return float(one.mean() - other.mean()), math.hypot(margin_of(one), margin_of(other))


def _advantage(results: Array, without_luck: Array) -> Advantage:
    return Advantage(
        len(results), float(results.mean()), margin_of(results), float(without_luck.mean()), margin_of(without_luck)
    )


def _spread(classes: list[Advantage]) -> float:
    known = [each for each in classes if 0 < each.margin < math.inf]
    if not known:
        return 0.0
    weights = [(NORMAL_95 / each.margin) ** 2 for each in known]
    mean = sum(weight * each.mean for weight, each in zip(weights, known, strict=True)) / sum(weights)
    return sum(weight * (each.mean - mean) ** 2 for weight, each in zip(weights, known, strict=True))


@dataclasses.dataclass(frozen=True, slots=True)
class MegalithValue:
    """What it is worth to build a megalith."""

    tile: str
    value: float
    """The builder's gain over the average megalith of the variant."""
    margin: float
    offered: int
    """How often it was one of two upcoming megaliths to build."""
    chosen: float
    """The share of these in which it was built."""
    result: float
    """The mean result of those who built it."""


def megalith_values(pairs: Array) -> dict[str, list[MegalithValue]]:
    """The values of the megaliths in each variant, the best first."""
    return {VARIANTS[number]: _values(pairs[pairs["variant"] == number]) for number in _variants_in(pairs)}


def _values(pairs: Array) -> list[MegalithValue]:
    """Fit one value to each megalith, so that the differences of the values come closest to the gains.

    Each choice compares both megaliths by the same searches, whichever was built, so a megalith does not look better
    for being chosen in good positions.
    """
    tiles = sorted({*pairs["built"].tolist(), *pairs["other"].tolist()})
    places = {tile: place for place, tile in enumerate(tiles)}
    size = len(tiles)
    design, sums = np.zeros((size, size)), np.zeros(size)
    offered, chosen, results = np.zeros(size), np.zeros(size), np.zeros(size)
    squares = 0.0
    for pair in pairs:
        built, other = places[int(pair["built"])], places[int(pair["other"])]
        count, gain = float(pair["choices"]), float(pair["gain"]) / MILLIONTHS
        design[[built, other], [built, other]] += count
        design[[built, other], [other, built]] -= count
        sums[built] += gain
        sums[other] -= gain
        squares += float(pair["gain_squares"]) / MILLIONTHS**2
        offered[[built, other]] += count
        chosen[built] += count
        results[built] += float(pair["result"]) / 2
    # The values are determined up to a constant. The pseudo-inverse makes their mean 0.
    inverse = np.linalg.pinv(design, hermitian=True)
    values = inverse @ sums
    count = chosen.sum()
    residual = max(squares - float(values @ sums), 0.0) / max(count - size + 1, 1)
    margins = NORMAL_95 * np.sqrt(np.maximum(np.diag(inverse) * residual, 0.0))
    found = [
        MegalithValue(
            TILES[tile],
            float(values[place]),
            float(margins[place]),
            int(offered[place]),
            float(chosen[place] / offered[place]),
            float(results[place] / chosen[place]) if chosen[place] else math.nan,
        )
        for tile, place in places.items()
    ]
    return sorted(found, key=lambda each: -each.value)


@dataclasses.dataclass(frozen=True, slots=True)
class Length:
    """How long games are."""

    variant: str
    turns: float
    """The mean number of turns of both players."""
    turns_margin: float
    quartiles: tuple[float, float, float]
    longest: int
    tokens: float
    counts: list[int]
    """The number of games by their number of turns."""
    endings: dict[str, float]
    """The share of each ending."""


def lengths(games: Array) -> list[Length]:
    """The length of games in each variant."""
    found = []
    for number in _variants_in(games):
        chosen = games[games["variant"] == number]
        turns = chosen["turns"].astype(np.int64)
        low, middle, high = (float(each) for each in np.percentile(turns, [25, 50, 75]))
        shares = np.bincount(chosen["ending"], minlength=len(ENDINGS)) / len(chosen)
        found.append(
            Length(
                VARIANTS[number],
                float(turns.mean()),
                margin_of(turns),
                (low, middle, high),
                int(turns.max()),
                float(chosen["tokens"].mean()),
                np.bincount(turns).tolist(),
                dict(zip(ENDINGS, map(float, shares), strict=True)),
            )
        )
    return found


@dataclasses.dataclass(frozen=True, slots=True)
class Scoring:
    """How points are scored in a variant."""

    variant: str
    points: float
    """The mean number of points of both players in a game."""
    shares: dict[str, float]
    """The share of each way, for all points."""
    side_shares: dict[str, dict[str, float]]
    """The same for the points of the first player and of the other."""


def scorings(games: Array) -> list[Scoring]:
    """The ways to score in each variant."""
    found = []
    for number in _variants_in(games):
        points = games["points"][games["variant"] == number].astype(np.int64)
        by_side = points.sum(axis=0)
        found.append(
            Scoring(
                VARIANTS[number],
                float(points.sum() / len(points)),
                _shares(by_side.sum(axis=0)),
                {side: _shares(by_side[place]) for place, side in enumerate(SIDES)},
            )
        )
    return found


def _shares(counts: Array) -> dict[str, float]:
    total = max(int(counts.sum()), 1)
    return {way: int(count) / total for way, count in zip(WAYS, counts, strict=True)}


@dataclasses.dataclass(frozen=True, slots=True)
class Opening:
    """What the engine thinks of some starts, and how it begins."""

    games: int
    expected: float
    """The first player's expected result according to the search for the first token."""
    margin: float
    actual: float
    """The mean result of the first player, without the luck of the draws."""
    actions: dict[str, float]
    """How often each action is the first one."""


def openings(games: Array) -> dict[str, dict[str, Opening]]:
    """The opening by variant and class of faces. The class ``all`` has all starts of the variant."""
    found: dict[str, dict[str, Opening]] = {}
    scores, places = np.unique(games["opening"], return_inverse=True)
    expected = np.array([Score(int(score)).expected for score in scores])[places]
    for number, advantage in zip(_variants_in(games), advantages(games), strict=True):
        mine = games["variant"] == number
        numbers = face_class(games["faces"])
        found[advantage.variant] = {"all": _opening(games[mine], expected[mine], advantage.all.mean)} | {
            name: _opening(games[chosen], expected[chosen], advantage.classes[name].mean)
            for place, name in enumerate(FACE_CLASSES)
            if (chosen := mine & (numbers == place)).any()
        }
    return found


def _opening(games: Array, expected: Array, actual: float) -> Opening:
    shares = np.bincount(games["opening_tile"], minlength=len(ACTIONS)) / len(games)
    actions = dict(zip(ACTIONS, map(float, shares), strict=True))
    return Opening(len(games), float(expected.mean()), margin_of(expected), actual, actions)
