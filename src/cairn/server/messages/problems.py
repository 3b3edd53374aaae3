"""Messages for refusals and failures."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

from cairn.server.errors import (
    DatabaseDamagedError,
    DatabaseLockedError,
    FilesMovedError,
    OutcomeUnknownError,
    Refusal,
    StorageError,
    StorageFullError,
)
from cairn.server.messages.base import Message

MOST_FAULTS: Final = 20
LONGEST_SENTENCE: Final = 300

_log: Final = logging.getLogger("cairn.server")


class FaultView(Message):
    """One fault in a text: a kind for programs, a place, and a sentence for people."""

    kind: str
    field: str
    sentence: str
    details: dict[str, str] = {}
    """The values that the sentence mentions, for translations."""


class Problem(Message):
    """Why a request was refused."""

    kind: str
    """A stable slug, such as ``stale-revision``, which the web app translates."""
    sentence: str
    faults: list[FaultView] = []
    seconds: int | None = None
    """How long to wait before trying again, if you have exceeded a rate limit."""


def problem_of(refusal: Refusal) -> Problem:
    """The message for a refusal."""
    faults = [
        FaultView(
            kind=fault.kind,
            field=shortened(fault.field),
            sentence=shortened(fault.sentence),
            details={name: shortened(value) for name, value in fault.details.items()},
        )
        for fault in refusal.faults[:MOST_FAULTS]
    ]
    return Problem(kind=refusal.kind, sentence=shortened(refusal.sentence), faults=faults, seconds=refusal.seconds)


def fault_sentence(fault: Mapping[str, Any]) -> str:
    """The sentence for a fault that Pydantic found in a message."""
    if fault["type"] == "predicate_failed":  # in a command id or a link
        return "contains an invalid character"
    return str(fault["msg"]).removeprefix("Value error, ")


def storage_problem(error: StorageError) -> Problem:
    """The message for a storage error. The details go only to the log, because they contain paths and host names."""
    _log.warning("storage error: %s", error)
    if isinstance(error, StorageFullError):
        return Problem(kind="storage-full", sentence=public_sentence(error))
    return Problem(kind="storage-failed", sentence=public_sentence(error))


def public_sentence(error: StorageError) -> str:
    """The public sentence for a storage error."""
    match error:
        case StorageFullError():
            return "The server's disk is full, so nothing more can be stored."
        case FilesMovedError():
            return "The server's database files were moved or replaced. It cannot store anything until it is restarted."
        case DatabaseLockedError():
            return "Another program has locked the server's database. Please try again in a moment."
        case DatabaseDamagedError():
            return "The server's database is damaged."
        case OutcomeUnknownError():
            return str(error)
        case _:
            return "The server cannot reach its database, or its disk is full. Please try again in a moment."


def shortened(text: str) -> str:
    """The text, truncated to a readable length, with lone surrogates replaced."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"
