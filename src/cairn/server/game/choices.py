"""Lists the picks for each legal token, and what each token causes at once, so that the user interface needs no rules.

A path is a list of *picks*, made one after another: a space (``c3``), ``village:sea``, ``slot:0``, ``tile:jump``,
``button:pass`` or ``button:stop``. No path is a prefix of another token's path, so a complete path identifies one
token.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable
from typing import Final, TypeAlias

from cairn._native import core
from cairn.board import Board
from cairn.server.game.names import SCHEMA, ActionTileName, AimName, TribeName
from cairn.story import Effect

Path: TypeAlias = list[str]

MOST_CHOICES: Final = 4_096


@dataclasses.dataclass(frozen=True, slots=True)
class Choice:
    """A legal token, and the picks that lead to it."""

    __pydantic_config__ = SCHEMA

    token: str
    tile: ActionTileName | None
    """In phase ``action``: the action tile that the token uses."""
    paths: list[Path]
    """Alternative lists of picks: a space (``c3``), ``village:sea``, ``slot:0``, ``tile:jump``, ``button:pass`` or
    ``button:stop``. No path is a prefix of another token's path."""
    power: str | None = None
    """In phase ``power``: the code of the megalith whose power the token applies or copies."""
    aim: AimName = "shaman"
    """Whether picking a space with a shaman and a megalith selects the shaman or the megalith."""


@dataclasses.dataclass(frozen=True, slots=True)
class Opportunity:
    """A transformation that the active tribe can make right after a token."""

    __pydantic_config__ = SCHEMA

    space: str
    """The space of the enemy."""
    scores: bool
    """Whether it builds and scores. It does not where a megalith stands (E4)."""
    wins: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Consequence:
    """What a legal token causes at once, beyond what the player picks."""

    __pydantic_config__ = SCHEMA

    token: str
    effects: tuple[Effect, ...]
    """The banished shaman, the activated megalith, the extra turn, nothing built (E4), or the end of the game."""
    scorer: TribeName | None
    """The tribe that scores a point by it."""
    next: list[str]
    """If it activates a megalith: what the owner of the power can pick first."""
    lines: list[Path]
    """Of a transformation: each line of three with this enemy, from end to end."""
    transformations: list[Opportunity]
    """If the transformation comes next: what the active tribe can transform then."""
    ignored: bool
    """Whether the activated megalith has no effect because the tribe has activated it twice already (P6)."""


def choices(board: Board) -> list[Choice]:
    """Every legal token of the deciding tribe, in ASCII order; empty while chance decides.

    >>> board = Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    >>> add = choices(board)[0]
    >>> add.token, add.tile, add.paths
    ('+d1', 'add', [['village:forest', 'd1'], ['d1'], ['tile:add', 'd1']])
    """
    return describe(board.choices())


def describe(numbers: Iterable[int]) -> list[Choice]:
    """The choices to which the core assigns these numbers."""
    return [_choice(number) for number in numbers]


@functools.lru_cache(MOST_CHOICES)
def _choice(number: int) -> Choice:
    """The choice to which the core assigns this number."""
    return Choice(*core.describe_choice(number))
