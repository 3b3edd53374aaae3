"""Prove forced wins against every choice of the other tribe and every possible draw."""

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
"""The maximum size of the table of proven results, in megabytes."""
MOST_TURNS: Final = 20
"""The maximum number of turns in a proof. A search for longer proofs would take too long."""

T = TypeVar("T")


class SolverResult(enum.Enum):
    """The result for the decider, or for the active player when chance decides."""

    WIN = "win"
    LOSS = "loss"
    NOT_WITHIN = "not within"
    UNKNOWN = "unknown"


_RESULTS: Final = tuple(SolverResult)


@dataclasses.dataclass(frozen=True, slots=True)
class Solution:
    """The result of :func:`solve`."""

    result: SolverResult
    turns: int
    """For a win or a loss, the smallest number of turns within which it is forced, counting both tribes' turns and
    including the current one. Otherwise, a number of turns within which nobody can force a win."""
    winner: Tribe | None
    """The tribe that can force a win, if any."""
    line: tuple[Token, ...]
    """The winning line against the longest defence; empty if there is no winner."""
    nodes: int
    """The number of tokens played during the search."""


@dataclasses.dataclass(frozen=True, slots=True)
class ProofStep:
    """One moment in a proof."""

    turns: int
    """The smallest number of turns within which the win is forced."""
    token: Token | None
    """The winner's token if the winner decides. Otherwise ``None``, and every legal token leads to another moment in
    the proof."""


def solve(game: Game | Board, turns: int, nodes: int | None = None) -> Solution:
    """Find the shortest forced win of either tribe within ``turns`` turns, including the current one.

    The solver considers all choices, all tiles that can be drawn, and draws by repetition (G3) as far as ``game``
    contains the history. ``nodes`` limits the number of tokens played. Raises :class:`~cairn.GameOverError` if the game
    is over, and ``ValueError`` if a number is out of range.

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
    """The whole proof that ``winner`` wins within ``turns`` turns, keyed by the :attr:`cairn.Board.key` of each moment.

    To check the proof, start at the given moment. If a step has a token, play it; if not, play every legal token. Each
    of these tokens leads to the win, or to another moment in the proof with no more turns than before. The proof
    is empty if there is no such win, or if ``nodes`` was too small.
    """
    board = _board_of(game, turns, nodes)
    solver = _native.core.Solver(MEGABYTES)
    steps = _interruptible(solver, lambda: solver.prove(board, TRIBES.index(winner), turns, nodes or 0))
    return {key: ProofStep(number, token) for key, number, token in steps}


def _board_of(game: Game | Board, turns: int, nodes: int | None) -> Board:
    if not 1 <= turns <= MOST_TURNS:
        raise ValueError(f"the number of turns must be from 1 to {MOST_TURNS}, not {turns}")
    if nodes is not None and nodes < 1:
        raise ValueError(f"the node limit must be at least 1, not {nodes}")
    if game.outcome is not None:
        raise GameOverError(f"the game is over ({game.outcome.reason.value}): there is nothing to solve")
    return game.board.copy() if isinstance(game, Game) else game.copy()


def _interruptible(solver: _native.core.Solver, ask: Callable[[], T]) -> T:
    """Run a search in a thread, so that Ctrl+C can interrupt it."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        future = pool.submit(ask)
        try:
            return future.result()
        finally:
            solver.stop()
