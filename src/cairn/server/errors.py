"""Errors of the server. No web framework, database or message type is known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Final

from cairn.vocabulary import CairnError, Fault, GameOverError, MalformedError


class Refusal(Exception):
    """A request that the server refuses.

    ``kind`` is a stable slug for programs, ``sentence`` is for people, ``status`` is the HTTP status that fits.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        sentence: str,
        faults: Sequence[Fault] = (),
        *,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status: Final = status
        self.kind: Final = kind
        self.sentence: Final = sentence
        self.faults: Final = tuple(faults)
        self.headers: Final = headers


def malformed(error: MalformedError, what: str) -> Refusal:
    """Refuse a text that cannot be parsed, with all its faults."""
    return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed", f"{what}: {error}", error.faults)


def refused_token(error: CairnError) -> Refusal:
    """Refuse a token that cannot be parsed, that is illegal, or that comes after the end of the game."""
    match error:
        case MalformedError():
            sentence = f"Not a valid token: {error}"
            return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed-token", sentence, error.faults)
        case GameOverError():
            return Refusal(HTTPStatus.CONFLICT, "game-over", str(error))
        case _:
            return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "illegal-token", str(error))


class StorageError(Exception):
    """The operation failed and changed nothing. The text is a sentence for operators."""


class StorageFullError(StorageError):
    """The disk is full."""


class ConnectionLostError(StorageError):
    """The database is unreachable or too busy. Nothing was stored; a retry may succeed."""


class OutcomeUnknownError(StorageError):
    """The connection was lost during a commit, so the outcome is unknown."""

    def __init__(self) -> None:
        super().__init__(
            "The connection to the database was lost. Reload the game to see whether the last change was stored."
        )


class RevisionTakenError(Exception):
    """Another command was stored under this revision first."""


class NameTakenError(Exception):
    """Another player has this name."""


class ChallengeGoneError(Exception):
    """The challenge was accepted or withdrawn in the meantime. No game was created."""


class RematchOfferedError(Exception):
    """The game already has an open offer of a rematch."""


class DataError(Exception):
    """The data folder or the database cannot be used. The text is a sentence for people."""


class InUseError(DataError):
    """Another server uses the data folder."""

    def __init__(self, folder: Path, address: str | None) -> None:
        self.address: Final = address
        where = f" at {address}" if address else ""
        super().__init__(f"Cairn is already running{where}, with the games in {folder}.")
