"""The errors for tokens that cannot be played. The core reports the reason; this module writes the sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from cairn.notation.faults import encode, fault_of
from cairn.vocabulary import CairnError, GameOverError, IllegalTokenError, MalformedError, Token

if TYPE_CHECKING:
    from cairn.board import Board


def refuse(board: Board, token: object) -> NoReturn:
    """Raise the error that explains why ``token`` cannot be pushed."""
    raise refusal(board, token)


def refusal(board: Board, token: object) -> CairnError | TypeError:
    """The error that explains why ``token`` cannot be pushed."""
    if not isinstance(token, str | Token):
        return TypeError(f"expected a token or its text, not {type(token).__name__}")
    refused = board.refusal(encode(str(token)))
    if refused is None:
        raise AssertionError(f"expected a token that cannot be pushed, not {str(token)!r}")
    return error_of(refused, str(token))


def error_of(refused: tuple[str, str, dict[str, bytes]], token: str) -> CairnError:
    """The error for a token that the core refused with this fault."""
    fault = fault_of(*refused)
    error: CairnError
    match fault.kind:
        case "game-over":
            error = GameOverError(f"{token!r} {fault.sentence}")
        case "illegal-token":
            error = IllegalTokenError(f"{token!r} is {fault.sentence}")
        case _:
            error = MalformedError([fault])
    error.faults, error.token = (fault,), token
    return error
