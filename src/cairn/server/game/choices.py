"""The picks that lead to each legal token, so that neither the board nor the page needs to know the rules.

A path is a list of *picks*, made one after another: a space (``c3``), ``village:sea``, ``slot:0``, ``tile:jump``,
``button:pass`` or ``button:stop``. No path is a prefix of another token's path, so a complete path names one token.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from cairn.board import Board
from cairn.notation import read_setup
from cairn.server.game.names import SCHEMA, ActionTileName, AimName
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
MOST_CHOICES: Final = 4_096
_OF_MEGALITHS: Final = frozenset({"SA", "SW", "SS"})
"""Sanctuary, Stormwell and Source: picking a space means its megalith, even with a shaman on it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Choice:
    """A legal token, and the picks that lead to it."""

    __pydantic_config__ = SCHEMA

    token: str
    tile: ActionTileName | None
    """The action tile that it uses, in phase ``action``."""
    paths: list[Path]
    """Alternative lists of picks: a space (``c3``), ``village:sea``, ``slot:0``, ``tile:jump``, ``button:pass`` or
    ``button:stop``. No path is a prefix of another token's path."""
    power: str | None = None
    """The code of the megalith whose power it applies: in phase ``power`` the current one, or the one copied."""
    aim: AimName = "shaman"
    """What a picked space means if it holds both a shaman and a megalith."""


def choices(board: Board) -> list[Choice]:
    """Every legal token of the deciding tribe, in ASCII order; empty while chance decides.

    >>> board = Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    >>> add = choices(board)[0]
    >>> add.token, add.tile, add.paths
    ('+d1', 'add', [['village:forest', 'd1'], ['d1'], ['tile:add', 'd1']])
    """
    decider = board.decider
    if not isinstance(decider, Tribe):
        return []
    if board.phase is Phase.ACTION:
        return [_action(token, decider) for token in board.legal_moves]
    setup, focus = setup_of(board), board.focus
    plain = _Table(decider, power=board.power_code)
    at_focus, with_slots = plain._replace(focus=focus), plain._replace(focus=focus, upcoming=setup.upcoming)
    found = []
    for token in board.legal_moves:
        # Each choice depends on as little as possible, so that most are found in the cache.
        if isinstance(token, Copy | Build | Put):
            table = with_slots
        else:
            table = at_focus if isinstance(token, Travel) and token.origin == focus else plain
        found.append(_decision(token, table, _goer(token, setup) or decider))
    return found


def setup_of(board: Board) -> Setup:
    """The seven fields of the current position; do not modify.

    Cached, because each position is needed several times: for its step, its choices, and the step after it.
    """
    return _setup(board.text)


@functools.lru_cache(MOST_SETUPS)
def _setup(text: str) -> Setup:
    return read_setup(text)


class _Table(NamedTuple):
    """What a choice depends on besides its token; this is the cache key."""

    decider: Tribe
    focus: Space | None = None
    power: str | None = None
    upcoming: tuple[Megalith | None, Megalith | None] = (None, None)


@functools.cache
def _action(token: Token, active: Tribe) -> Choice:
    """A choice in phase ``action``. Its paths can also start with the action tile."""
    tile, paths = _tile(token, active), _paths(token, _Table(active), active)
    return Choice(token=str(token), tile=tile, paths=[*paths, [f"tile:{tile}", *paths[-1]]])


@functools.lru_cache(MOST_CHOICES)
def _decision(token: Token, table: _Table, goer: Tribe) -> Choice:
    """A choice in any other phase: a power, perhaps copied, a megalith to build, or a transformation."""
    code = token.tile.code if isinstance(token, Copy) else table.power
    aim: AimName = "megalith" if code in _OF_MEGALITHS else "shaman"
    return Choice(token=str(token), tile=None, paths=_paths(token, table, goer), power=code, aim=aim)


def _goer(token: Token, setup: Setup) -> Tribe | None:
    """The tribe whose shaman leaves the field, if one does."""
    match token:
        case Travel(origin, None) | Copy(_, Travel(origin, None)):
            return setup.shamans[origin]
    return None


def _tile(token: Token, active: Tribe) -> ActionTileName:
    """The tile of an action: a move ends on a neighbouring space, a jump two spaces away, on or off the field."""
    match token:
        case Travel(origin, None):
            return "move" if origin.row == active.enemy.first_row else "jump"
        case Travel(origin, target):
            return "move" if target in origin.neighbours() else "jump"
    return "add"


def _paths(token: Token, table: _Table, goer: Tribe) -> list[Path]:
    """The paths to a token; ``goer`` is the tribe whose shaman leaves the field, if one does."""
    match token:
        case Copy(tile, Use()):
            return [[_slot(table, tile)]]
        case Copy(tile, choice):
            return [[_slot(table, tile), *path] for path in _paths(choice, table, goer)]
        case Stop():
            return [["button:stop"]]
        case Pass():
            return [["button:pass"]]
    return [*_shaman_paths(token, table, goer), *_tile_paths(token, table)]


def _shaman_paths(token: Token, table: _Table, goer: Tribe) -> Iterator[Path]:
    """Paths to tokens that add, move or remove shamans."""
    match token:
        case Add(space):
            yield [_village(table.decider), str(space)]
            yield [str(space)]  # unambiguous: the space holds no shaman that could move
        case Travel(origin, target):
            goal = str(target) if target else _village(goer.enemy)
            yield [str(origin), goal]
            if origin == table.focus:
                yield [goal]  # Menhir and Cromlech: no other shaman can move
        case Banish(space) | Transform(space):
            yield [str(space)]


def _tile_paths(token: Token, table: _Table) -> Iterator[Path]:
    """Paths to tokens that put, move or flip tiles; a swap may also be of shamans."""
    match token:
        case Push(origin, target):
            yield [str(origin), str(target)]
        case Swap(first, second):
            yield [str(first), str(second)]
            yield [str(second), str(first)]
        case Flip(action):
            yield [f"tile:{action.value}"]
        case Build(built):
            yield [_slot(table, built)]
        case Put(space, put):
            yield [str(space), _slot(table, put)]
            yield [_slot(table, put), str(space)]


def _village(tribe: Tribe) -> str:
    return f"village:{tribe.value}"


def _slot(table: _Table, tile: Megalith) -> str:
    return f"slot:{table.upcoming.index(tile)}"
