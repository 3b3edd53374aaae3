"""Numbers for tokens, masks of legal tokens, and observations.

Everything is seen from a tribe's chair: a *place* is ``5 * row + column``, counted from the tribe's own village and
left hand. Upcoming tiles are named by their slot. The same situation therefore has the same numbers for both tribes.
docs/environments.md lists all groups of numbers.

>>> from cairn import Board
>>> board = Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
>>> [str(token_of(board, number)) for number in legal_ids(board)]
['+d1', 'a1-b1', 'a1-a2', 'c1-b1', 'c1-d1', 'c1-c2', 'e1-d1', 'e1-e2']
>>> id_of(board, "+d1")
3
>>> int(mask(board).sum()), observe(board).shape
(8, (730,))
"""

from __future__ import annotations

import dataclasses
from typing import Any, Final, TypeAlias

import numpy as np

from cairn._native import core
from cairn.board import Board
from cairn.vocabulary import MEGALITHS, SPACES, TRIBES, IllegalTokenError, Token, Tribe

Array: TypeAlias = Any
"""A numpy array. The type is ``Any``, because type checks must work without numpy."""

VERSION: Final = core.ENCODING_VERSION
"""The version of all numbers. It changes if a number changes its meaning."""


@dataclasses.dataclass(frozen=True, slots=True)
class Group:
    """Consecutive numbers of one kind."""

    name: str
    first: int
    count: int

    @property
    def end(self) -> int:
        """The number after the last one."""
        return self.first + self.count


TOKEN_GROUPS: Final = tuple(Group(*group) for group in core.token_groups())
OBSERVATION_GROUPS: Final = tuple(Group(*group) for group in core.observation_groups())

ACTIONS: Final = core.ACTION_COUNT
"""Tribes choose among the numbers below this one."""
TOKENS: Final = TOKEN_GROUPS[-1].end
"""All numbers. Chance chooses those from ``ACTIONS`` on: ``ACTIONS + i`` draws the i-th tile of ``MEGALITHS``."""
CHOICES: Final = core.CHOICE_COUNT
"""The numbers of the choices of actions and powers. Two more blocks of this size are copies by the Shifting Stone."""
OBSERVATION_SIZE: Final = OBSERVATION_GROUPS[-1].end
PLACES: Final = len(SPACES)

TILES: Final = tuple(MEGALITHS)
"""The codes of the tiles, in the order in which the encoding numbers them."""


class IllegalActionError(ValueError):
    """A number that is not legal at this moment was played."""


def legal_ids(board: Board) -> list[int]:
    """The numbers of the legal tokens, in ascending order."""
    return core.legal_ids(board)


def mask(board: Board) -> Array:
    """A ``uint8`` array of size ``TOKENS``: 1 where the token is legal."""
    return np.frombuffer(core.legal_mask(board), np.uint8)


def pack(masks: Array) -> Array:
    """Masks as bits: 64 numbers to a word, the lowest in the lowest bit."""
    words = -(-masks.shape[-1] // 64)
    padding = [(0, 0)] * (masks.ndim - 1) + [(0, 64 * words - masks.shape[-1])]
    return np.packbits(np.pad(masks, padding), axis=-1, bitorder="little").view("<u8")


def id_of(board: Board, token: Token | str) -> int:
    """The number of a legal token. Raises :class:`~cairn.IllegalTokenError` for any other token."""
    number = core.id_of(board, token)
    if number is None:
        raise IllegalTokenError(f"{str(token)!r} is not legal here, so it has no number")
    return number


def token_of(board: Board, number: int) -> Token:
    """The legal token with this number. Raises :class:`IllegalActionError` for any other number."""
    token = core.token_of(board, int(number))
    if token is None:
        raise IllegalActionError(refusal(board, number))
    return token


def refusal(board: Board, number: int) -> str:
    """A sentence that says why a number cannot be played."""
    legal = legal_ids(board)
    shown = ", ".join(f"{each} ({core.token_of(board, each)})" for each in legal[:3])
    return f"{number} is not legal at {board.text}: expected one of {len(legal)} numbers, such as {shown}"


def observe(board: Board, viewer: Tribe | None = None) -> Array:
    """A ``uint8`` array of size ``OBSERVATION_SIZE``: the moment as ``viewer`` sees it.

    By default, the viewer is the decider; if chance or nobody decides, it is the active tribe.
    """
    number = TRIBES.index(viewer) if viewer else viewer_number(board)
    return np.frombuffer(core.observe(board, number), np.uint8)


def viewer_number(board: Board) -> int:
    """The number of the tribe that decides, or else of the active tribe."""
    return board.decider_number if board.decider_number < len(TRIBES) else board.active_number


def planes(observations: Array) -> Array:
    """The parts of observations that have a value for each place, as 21 planes of 5 rows and 5 columns.

    They are: own shamans, enemy shamans, a plane for each of the 17 megaliths, focus, moved.
    """
    front, more = OBSERVATION_GROUPS[0], OBSERVATION_GROUPS[8]
    parts = (observations[..., front.first : 19 * PLACES], observations[..., more.first : more.first + 2 * PLACES])
    return np.concatenate(parts, axis=-1).reshape(*observations.shape[:-1], 21, 5, 5)


def highest_values() -> Array:
    """The highest value at each index of an observation. The lowest is always 0."""
    highest = np.ones(OBSERVATION_SIZE, np.uint8)
    for group in OBSERVATION_GROUPS:
        if group.name == "known deck":
            highest[group.first : group.end] = len(TILES)
        elif group.name == "repeats":
            highest[group.first : group.end] = 2
    return highest


def describe(number: int) -> str:
    """What a number means, without a position. Places are named as Forest would: the chair's own row is row 1.

    >>> describe(3), describe(35), describe(5 + 26 * 24), describe(3635)
    ('add d1', 'travel b1-a2', 'travel e5-out', 'transform b2')
    """
    if not 0 <= number < TOKENS:
        raise IllegalActionError(f"expected a number from 0 to {TOKENS - 1}, not {number}")
    group = next(group for group in TOKEN_GROUPS if number < group.end)
    index = number - group.first
    if group.name == "copy":
        return f"copy slot {index // CHOICES}: {describe(index % CHOICES)}"
    return f"{group.name} {_argument(group.name, index)}".rstrip()


def _argument(name: str, index: int) -> str:
    match name:
        case "add" | "banish" | "transform":
            return _place(index)
        case "travel":
            origin, target = divmod(index, PLACES)
            return f"{_place(origin)}-{'out' if origin == target else _place(target)}"
        case "push":
            return f"{_place(index // 8)} {('n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw')[index % 8]}"
        case "swap":
            high = next(high for high in range(1, PLACES) if high * (high + 1) // 2 > index)
            return f"{_place(index - high * (high - 1) // 2)}/{_place(high)}"
        case "flip":
            return ("add", "move", "jump")[index]
        case "put":
            return f"{_place(index % PLACES)}=slot {index // PLACES}"
        case "use" | "build":
            return f"slot {index}"
        case "draw":
            return TILES[index]
        case _:
            return ""


def _place(place: int) -> str:
    return f"{'abcde'[place % 5]}{place // 5 + 1}"
