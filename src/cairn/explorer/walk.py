"""Walk through a game: its decisions, by the look of the moment, and its constructions."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Final

from cairn.board import Board
from cairn.notation import read_token
from cairn.symmetry import Symmetry, look_of
from cairn.vocabulary import TRIBES, Build, Draw, Megalith, Phase, Token, Tribe

ANY_MEGALITHS: Final = "*"
"""Replaces the megaliths in a look that leaves them out."""


@dataclasses.dataclass(frozen=True, slots=True)
class PlayedDecision:
    """A decision between at least two tokens."""

    index: int
    """The number of tokens before it."""
    turn_index: int
    """The number of tokens before its turn."""
    looks: tuple[str, ...]
    """How the moment looks, in normal form; at the start of a turn, also without the megaliths. See :func:`look_at`."""
    token: str
    """The image of the token in the normal form."""
    active: Tribe
    decider: Tribe
    build: BuildChoice | None
    """The chosen megalith, if this is a construction."""


@dataclasses.dataclass(frozen=True, slots=True)
class BuildChoice:
    """A megalith was chosen from the upcoming ones, and built."""

    built: Megalith
    offered: tuple[Megalith, ...]
    before: int
    """The builder's score before."""


def decisions(start: str, tokens: Iterable[Token | str]) -> Iterator[PlayedDecision]:
    """The decisions of a game with at least two legal tokens. Draws are left out.

    Raises :class:`~cairn.CairnError` if the position or a token is not valid.
    """
    board = Board(start)
    walk = _Turn(board, 0)
    for index, each in enumerate(tokens):
        token = read_token(each) if isinstance(each, str) else each
        phase = board.phase
        if phase is Phase.ACTION:
            walk = _Turn(board, index)
        if phase is not Phase.DRAW:
            image = walk.symmetry.token(token)
            if len(board.legal_moves) > 1:
                decider = TRIBES[board.decider_number]
                build = _build_choice(board, token, decider) if isinstance(token, Build) else None
                looks = (walk.look, without_megaliths(walk.look)) if phase is Phase.ACTION else (walk.look,)
                yield PlayedDecision(index, walk.index, looks, image, board.active, decider, build)
            walk.look += f" {image}"
        board.push(token)


def look_at(board: Board, *, any_megaliths: bool = False) -> tuple[str, Symmetry]:
    """How the board's moment looks in normal form, and the symmetry that leads there.

    With ``any_megaliths``, a moment at the start of a turn looks the same whatever megaliths are on the field.

    >>> board = Board("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F", ["+d1"])
    >>> look_at(board)[0]
    'S1SSS/5/5/5/F1F1F b3CG,d3CD wofm 0-0 F'
    >>> look_at(board, any_megaliths=True)[0]
    'S1SSS/5/5/5/F1F1F * wofm 0-0 F'
    """
    turn = _Turn(Board(board.turn_start), 0)
    if any_megaliths and not board.turn_tokens:
        return without_megaliths(turn.look), turn.symmetry
    for token in board.turn_tokens:
        if not isinstance(token, Draw):
            turn.look += f" {turn.symmetry.token(token)}"
    return turn.look, turn.symmetry


def without_megaliths(look: str) -> str:
    """The look of a position, whatever megaliths are on the field."""
    shamans, _, *rest = look.split()
    return " ".join((shamans, ANY_MEGALITHS, *rest))


class _Turn:
    """The turn that begins now."""

    def __init__(self, board: Board, index: int) -> None:
        setup = board.setup
        self.index = index
        self.symmetry = Symmetry.normalizing(setup)
        self.look = look_of(self.symmetry.setup(setup))


def _build_choice(board: Board, token: Build, decider: Tribe) -> BuildChoice:
    offered = tuple(tile for tile in board.setup.upcoming if tile is not None)
    return BuildChoice(token.tile, offered, board.scores[decider])
