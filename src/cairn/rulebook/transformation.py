"""Transformation (X)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cairn.rulebook.leaving import banish
from cairn.rulebook.moment import Construction, Moment
from cairn.vocabulary import EIGHT_DIRECTIONS, SPACES, Pass, Space, Transform, TransformationFace

LineOfThree = tuple[Space, Space, Space]

LINES_OF_THREE: Final[tuple[LineOfThree, ...]] = tuple(
    (first, first.step(direction), first.step(direction, times=2))
    for first in SPACES
    for direction in EIGHT_DIRECTIONS
    if first.step(direction, times=2).on_field
)
"""Every line of three adjacent spaces, orthogonal or diagonal. Each line is listed twice, once from each end."""


def transformation_choices(moment: Moment) -> list[Transform | Pass]:
    """The enemies that may be transformed, and ``pass`` (X5); empty if no enemy may be transformed."""
    enemies = {enemy for enemy, line in _arrangements(moment) if not moment.moved.isdisjoint(line)}  # X2
    return [*map(Transform, enemies), Pass()] if enemies else []


def _arrangements(moment: Moment) -> Iterator[tuple[Space, LineOfThree]]:
    """Every line of three that matches the tile, with the space of the enemy in the line (X1)."""
    yours, theirs = moment.setup.active, moment.setup.active.enemy
    enemy_in_the_middle = moment.setup.faces.transformation is TransformationFace.MIDDLE
    pattern = (yours, theirs, yours) if enemy_in_the_middle else (yours, yours, theirs)
    for line in LINES_OF_THREE:
        if tuple(moment.setup.shamans.get(space) for space in line) == pattern:
            yield line[pattern.index(theirs)], line


def transform(moment: Moment, token: Transform | Pass) -> Moment:
    """Flip the tile, banish the enemy and construct on its space (X3), or decline (X5). At most once a turn (X4)."""
    moment = replace(moment, transformation_over=True)
    if isinstance(token, Pass):
        return moment
    moment = replace(moment, setup=replace(moment.setup, faces=moment.setup.faces.transformed()))
    moment = banish(moment, token.space)
    return replace(moment, waiting=Construction(moment.setup.active, token.space))
