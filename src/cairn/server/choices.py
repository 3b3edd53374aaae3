"""How a person can point at each legal token, so that neither board nor page needs to know a rule.

A path is a list of *picks*, made one after another: a space (``c3``), ``village:sea``, ``slot:0``, ``tile:jump``,
``button:pass`` or ``button:stop``. No path is the beginning of another token's path: as soon as one is complete, there
is no doubt what was meant.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from cairn.board import Board
from cairn.notation import read_setup
from cairn.server.models import ActionTileName, AimName, Choice
from cairn.vocabulary import (
    Add,
    Banish,
    Build,
    Copy,
    Flip,
    Megalith,
    Pass,
    Phase,
    Push,
    Put,
    Setup,
    Space,
    Stop,
    Swap,
    Token,
    Transform,
    Travel,
    Tribe,
    Use,
)

Path: TypeAlias = list[str]

MOST_SETUPS: Final = 2_048
_OF_MEGALITHS: Final = frozenset({"SA", "SW", "SS"})
"""Sanctuary, Stormwell and Source: their spaces are those of megaliths, whoever stands there."""


def choices(board: Board) -> list[Choice]:
    """Every legal token that a tribe may choose now, in ASCII order; nothing while chance decides.

    >>> board = Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    >>> add = choices(board)[0]
    >>> add.token, add.tile, add.paths
    ('+d1', 'add', [['village:forest', 'd1'], ['d1'], ['tile:add', 'd1']])
    """
    decider = board.decider
    if not isinstance(decider, Tribe):
        return []
    table = _Table(setup_of(board), board.focus, decider)
    if board.phase is Phase.ACTION:
        return [_action(token, table) for token in board.legal_moves]
    return [_decision(token, board.power_code, table) for token in board.legal_moves]


def setup_of(board: Board) -> Setup:
    """The seven fields as they stand now, to be read only.

    One and the same moment is looked at several times: when its token is told, for its choices, and before the next
    token. So the last ones are remembered.
    """
    return _setup(board.text)


@functools.lru_cache(MOST_SETUPS)
def _setup(text: str) -> Setup:
    return read_setup(text)


class _Table(NamedTuple):
    """What paths depend on."""

    setup: Setup
    focus: Space | None
    decider: Tribe


def _action(token: Token, table: _Table) -> Choice:
    """An action can be pointed at from its tile too."""
    tile, paths = _tile(token, table.setup), _paths(token, table)
    return Choice(token=str(token), tile=tile, paths=[*paths, [f"tile:{tile}", *paths[-1]]])


def _decision(token: Token, power: str | None, table: _Table) -> Choice:
    """A choice of a power, which may be a copied one, or of what to build or transform."""
    code = token.tile.code if isinstance(token, Copy) else power
    aim: AimName = "megalith" if code in _OF_MEGALITHS else "shaman"
    return Choice(token=str(token), tile=None, paths=_paths(token, table), power=code, aim=aim)


def _tile(token: Token, setup: Setup) -> ActionTileName:
    """The tile of an action: a step ends on the next space, a jump on the one behind it, on the field or beyond."""
    match token:
        case Travel(origin, None):
            return "move" if origin.row == setup.active.enemy.first_row else "jump"
        case Travel(origin, target):
            return "move" if _are_neighbours(origin, target) else "jump"
    return "add"


@functools.cache
def _are_neighbours(one: Space, other: Space) -> bool:
    return other in one.neighbours()


def _paths(token: Token, table: _Table) -> list[Path]:
    """The ways to point at a token."""
    match token:
        case Copy(tile, Use()):
            return [[_slot(table.setup, tile)]]
        case Copy(tile, choice):
            return [[_slot(table.setup, tile), *path] for path in _paths(choice, table)]
        case Stop():
            return [["button:stop"]]
        case Pass():
            return [["button:pass"]]
    return [*_shaman_paths(token, table), *_tile_paths(token, table.setup)]


def _shaman_paths(token: Token, table: _Table) -> Iterator[Path]:
    """Tokens that bring shamans onto the field, about it, or off it."""
    match token:
        case Add(space):
            yield [_village(table.decider), str(space)]
            yield [str(space)]  # nothing else begins there: it holds no shaman that could go
        case Travel(origin, target):
            goal = str(target) if target else _village(table.setup.shamans[origin].enemy)
            yield [str(origin), goal]
            if origin == table.focus:
                yield [goal]  # Menhir and Cromlech: no other shaman can go
        case Banish(space) | Transform(space):
            yield [str(space)]


def _tile_paths(token: Token, setup: Setup) -> Iterator[Path]:
    """Tokens that put, move or flip tiles; a swap can be of shamans too."""
    match token:
        case Push(origin, target):
            yield [str(origin), str(target)]
        case Swap(first, second):
            yield [str(first), str(second)]
            yield [str(second), str(first)]
        case Flip(action):
            yield [f"tile:{action.value}"]
        case Build(built):
            yield [_slot(setup, built)]
        case Put(space, put):
            yield [str(space), _slot(setup, put)]
            yield [_slot(setup, put), str(space)]


def _village(tribe: Tribe) -> str:
    return f"village:{tribe.value}"


def _slot(setup: Setup, tile: Megalith) -> str:
    return f"slot:{setup.upcoming.index(tile)}"
