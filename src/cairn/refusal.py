"""Explains why a token cannot be played. The native core only says that it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from cairn.notation import read_token
from cairn.vocabulary import CairnError, GameOverError, IllegalTokenError, Token, Tribe

if TYPE_CHECKING:
    from cairn.board import Board

SHOWN = 12


def refuse(board: Board, token: object) -> NoReturn:
    """Raise the error that explains why ``token`` cannot be pushed."""
    raise refusal(board, token)


def refusal(board: Board, token: object) -> CairnError | TypeError:
    """The error that explains why ``token`` cannot be pushed."""
    if not isinstance(token, str | Token):
        return TypeError(f"expected a token or its text, not {type(token).__name__}")
    text = str(token)
    if isinstance(token, str):
        read_token(text)  # raises MalformedError if the text is not a token
    outcome = board.outcome
    if outcome is not None:
        won = f"{outcome.winner.value} has won" if outcome.winner else "it is a draw"
        return GameOverError(f"{text!r} cannot be played: the game is over, {won} ({outcome.reason.rule})")
    decider = board.decider
    who = decider.value if isinstance(decider, Tribe) else "chance"
    legal = [str(move) for move in board.legal_moves]
    shown = ", ".join(legal[:SHOWN]) + (f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else "")
    return IllegalTokenError(f"{text!r} is not legal: in phase {board.phase.value} {who} may play {shown}")
