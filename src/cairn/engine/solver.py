"""Proving a forced win: against every choice of the other tribe, with every tile that may be drawn."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import enum
from collections.abc import Callable
from typing import Final, TypeVar

from cairn import _native
from cairn.board import Board
from cairn.game import Game
from cairn.vocabulary import TRIBES, GameOverError, Token, Tribe

MEGABYTES: Final = 512
"""How large the table of what is proven may grow."""
MOST_TURNS: Final = 20
"""Nobody can wait for proofs of that length anyway."""

T = TypeVar("T")


class SolverResult(enum.Enum):
    """What was found out, for whoever decides now (at a draw: the active player)."""

    WIN = "win"
    LOSS = "loss"
    NOT_WITHIN = "not within"
    UNKNOWN = "unknown"


_RESULTS: Final = tuple(SolverResult)


@dataclasses.dataclass(frozen=True, slots=True)
class Solution:
    """What :func:`solve` found out."""

    result: SolverResult
    turns: int
    """Of a win or a loss: the turns of either tribe, the current one counted, after which it is over at the latest; no
    win within fewer can be forced. Otherwise: within so many turns nobody can force a win."""
    winner: Tribe | None
    """Who can force a win, if somebody can."""
    line: tuple[Token, ...]
    """The winner's tokens, against the tokens and tiles that hold out longest; empty if there is no winner."""
    nodes: int
    """How many tokens were played to find out."""


@dataclasses.dataclass(frozen=True, slots=True)
class ProofStep:
    """What a proof says about one of its moments."""

    turns: int
    """The win is forced within so many turns from here, and no fewer."""
    token: Token | None
    """Where the winner decides, what it plays. Elsewhere ``None``: every legal token leads to a moment of the proof."""


def solve(game: Game | Board, turns: int, nodes: int | None = None) -> Solution:
    """The shortest forced win of either tribe within ``turns`` turns, the current one counted.

    All choices of both tribes and all draws are considered, and the draw by repetition (G3) as far as the tokens that
    led here show it. ``nodes`` limits how many tokens are tried. :class:`~cairn.GameOverError` when the game is over;
    ``ValueError`` when a number is out of range.

    >>> board = Board("5/2F2/5/S3S/5 - ---- - wofm 2-0 F")
    >>> solution = solve(board, 3)
    >>> solution.result, solution.turns, [str(token) for token in solution.line]
    (<SolverResult.WIN: 'win'>, 3, ['c4-c5', '+b5', 'c5-out'])
    """
    board = _board_of(game, turns, nodes)
    solver = _native.core.Solver(MEGABYTES)
    verdict, number, line, played = _interruptible(solver, lambda: solver.solve(board, turns, nodes or 0))
    result = _RESULTS[verdict]
    viewer = TRIBES[board.decider_number] if board.decider_number < len(TRIBES) else board.active
    winner = {SolverResult.WIN: viewer, SolverResult.LOSS: viewer.enemy}.get(result)
    return Solution(result, number, winner, line, played)


def prove(game: Game | Board, winner: Tribe, turns: int, nodes: int | None = None) -> dict[int, ProofStep]:
    """The whole proof that ``winner`` wins within ``turns`` turns, by :attr:`cairn.Board.key` of its moments.

    Anybody can check it: from here on, play the step's token where it has one, and try every legal token where it has
    none; each leads to another moment of the proof, with no more turns to go, or to the winner's win. Empty if there is
    no such win, or ``nodes`` did not suffice.
    """
    board = _board_of(game, turns, nodes)
    solver = _native.core.Solver(MEGABYTES)
    steps = _interruptible(solver, lambda: solver.prove(board, TRIBES.index(winner), turns, nodes or 0))
    return {key: ProofStep(number, token) for key, number, token in steps}


def _board_of(game: Game | Board, turns: int, nodes: int | None) -> Board:
    if not 1 <= turns <= MOST_TURNS:
        raise ValueError(f"a win is looked for within 1 to {MOST_TURNS} turns, not {turns}")
    if nodes is not None and nodes < 1:
        raise ValueError(f"a limit of nodes is 1 or more, not {nodes}")
    if game.outcome is not None:
        raise GameOverError(f"the game is over ({game.outcome.reason.value}): there is nothing to solve")
    return game.board.copy() if isinstance(game, Game) else game.copy()


def _interruptible(solver: _native.core.Solver, ask: Callable[[], T]) -> T:
    """The answer, worked out in a thread of its own, so that an interruption can end it."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        future = pool.submit(ask)
        try:
            return future.result()
        finally:
            solver.stop()
