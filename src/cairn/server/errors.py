"""Server errors. This module imports no web framework, database or message type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Final

from cairn.messages import t
from cairn.vocabulary import CairnError, Fault, GameOverError, MalformedError


class Refusal(Exception):
    """The server refuses a request.

    ``kind`` is a stable slug for programs, ``sentence`` is for people, and ``status`` is the matching HTTP status.
    ``seconds`` is how long to wait before trying again, if waiting helps.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        sentence: str,
        faults: Sequence[Fault] = (),
        *,
        headers: Mapping[str, str] | None = None,
        seconds: int | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status: Final = status
        self.kind: Final = kind
        self.sentence: Final = sentence
        self.faults: Final = tuple(faults)
        self.seconds: Final = seconds
        self.headers: Final = {"Retry-After": str(seconds), **(headers or {})} if seconds is not None else headers


def malformed(error: MalformedError, what: str) -> Refusal:
    """Return the refusal for a malformed text, with all its faults."""
    return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed", f"{what}: {error}", error.faults)


def refused_token(error: CairnError) -> Refusal:
    """Return the refusal for a token that is malformed, illegal, or played after the end of the game."""
    match error:
        case MalformedError():
            sentence = f"Not a valid token: {error}"
            return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed-token", sentence, error.faults)
        case GameOverError():
            return Refusal(HTTPStatus.CONFLICT, "game-over", str(error))
        case _:
            return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "illegal-token", str(error))


class StorageError(Exception):
    """The operation failed and changed nothing, unless this is an :class:`OutcomeUnknownError`.

    The message is meant for operators.
    """


class StorageFullError(StorageError):
    """The disk is full."""


class FilesMovedError(StorageError):
    """A database file is no longer where the server opened it, so nothing can be stored."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"{file} was moved, replaced or deleted while the server was using it, so nothing can be stored. "
            "Move the file back, or restart the server."
        )


class DatabaseLockedError(StorageError):
    """Another program is holding a lock on the database."""


class DatabaseDamagedError(StorageError):
    """All or part of the database cannot be read."""


class ConnectionLostError(StorageError):
    """The database is unreachable or too busy. Nothing was stored; a retry may succeed."""


class OutcomeUnknownError(StorageError):
    """The connection was lost during a commit, so the outcome is unknown."""

    def __init__(self) -> None:
        super().__init__(
            "The connection to the database was lost. Reload the game to see whether the last change was stored."
        )


class DamagedGameError(Refusal):
    """The stored log or header of a game is damaged. Other games are not affected."""

    def __init__(self, game: str, damage: str) -> None:
        sentence = "This game is damaged in the database, so it cannot be opened. Other games are not affected."
        super().__init__(HTTPStatus.SERVICE_UNAVAILABLE, "damaged-game", sentence)
        self.game: Final = game
        self.damage: Final = damage
        """A description of the damage, for operators."""


class RevisionTakenError(Exception):
    """Another command was stored under this revision first."""


class GameExistsError(Exception):
    """There is already a game with this id. No game was created."""


class NameTakenError(Exception):
    """Another player has this name."""


class ChallengeGoneError(Exception):
    """The challenge was accepted or withdrawn in the meantime. No game was created."""


class RematchOfferedError(Exception):
    """A rematch of the game has already been offered or accepted."""


class QuotaError(Exception):
    """The quota for this kind of row has been reached. Nothing was stored."""


class DataError(Exception):
    """The data folder or the database cannot be used. The message is meant for people."""


class InUseError(DataError):
    """Another server is using the data folder."""

    def __init__(self, folder: Path, address: str | None) -> None:
        self.address: Final = address
        super().__init__(t("cli.data.in-use", address=address or "none", folder=folder))
