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
MOST_CHOICES: Final = 4_096
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
    if board.phase is Phase.ACTION:
        return [_action(token, decider) for token in board.legal_moves]
    setup, focus = setup_of(board), board.focus
    plain = _Table(decider, power=board.power_code)
    at_focus, with_slots = plain._replace(focus=focus), plain._replace(focus=focus, upcoming=setup.upcoming)
    found = []
    for token in board.legal_moves:
        # Each depends on as little as possible, so that most were made before.
        if isinstance(token, Copy | Build | Put):
            table = with_slots
        else:
            table = at_focus if isinstance(token, Travel) and token.origin == focus else plain
        found.append(_decision(token, table, _goer(token, setup) or decider))
    return found


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
    """What choices depend on beside their tokens: so little that most of them were made before, and are shared."""

    decider: Tribe
    focus: Space | None = None
    power: str | None = None
    upcoming: tuple[Megalith | None, Megalith | None] = (None, None)


@functools.cache
def _action(token: Token, active: Tribe) -> Choice:
    """An action can be pointed at from its tile too."""
    tile, paths = _tile(token, active), _paths(token, _Table(active), active)
    return Choice(token=str(token), tile=tile, paths=[*paths, [f"tile:{tile}", *paths[-1]]])


@functools.lru_cache(MOST_CHOICES)
def _decision(token: Token, table: _Table, goer: Tribe) -> Choice:
    """A choice of a power, which may be a copied one, or of what to build or transform."""
    code = token.tile.code if isinstance(token, Copy) else table.power
    aim: AimName = "megalith" if code in _OF_MEGALITHS else "shaman"
    return Choice(token=str(token), tile=None, paths=_paths(token, table, goer), power=code, aim=aim)


def _goer(token: Token, setup: Setup) -> Tribe | None:
    """Whose shaman leaves the field, if one does."""
    match token:
        case Travel(origin, None) | Copy(_, Travel(origin, None)):
            return setup.shamans[origin]
    return None


def _tile(token: Token, active: Tribe) -> ActionTileName:
    """The tile of an action: a step ends on the next space, a jump on the one behind it, on the field or beyond."""
    match token:
        case Travel(origin, None):
            return "move" if origin.row == active.enemy.first_row else "jump"
        case Travel(origin, target):
            return "move" if target in origin.neighbours() else "jump"
    return "add"


def _paths(token: Token, table: _Table, goer: Tribe) -> list[Path]:
    """The ways to point at a token; ``goer`` is whose shaman leaves the field, if one does."""
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
    """Tokens that bring shamans onto the field, about it, or off it."""
    match token:
        case Add(space):
            yield [_village(table.decider), str(space)]
            yield [str(space)]  # nothing else begins there: it holds no shaman that could go
        case Travel(origin, target):
            goal = str(target) if target else _village(goer.enemy)
            yield [str(origin), goal]
            if origin == table.focus:
                yield [goal]  # Menhir and Cromlech: no other shaman can go
        case Banish(space) | Transform(space):
            yield [str(space)]


def _tile_paths(token: Token, table: _Table) -> Iterator[Path]:
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
            yield [_slot(table, built)]
        case Put(space, put):
            yield [str(space), _slot(table, put)]
            yield [_slot(table, put), str(space)]


def _village(tribe: Tribe) -> str:
    return f"village:{tribe.value}"


def _slot(table: _Table, tile: Megalith) -> str:
    return f"slot:{table.upcoming.index(tile)}"
