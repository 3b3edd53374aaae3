"""Errors as data: a kind for programs, a place, and a sentence for people."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """One problem with a text or a set-up."""

    kind: str
    """A stable slug for programs, such as ``"unknown-code"``."""
    field: str
    """The place: a field of the position text, ``"token"``, ``"turn 3, token 2"``, a header's name, ..."""
    sentence: str
    """What is wrong, as a sentence for people."""
    details: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False, repr=False)
    """The values in the sentence and the place, by name, for translations. Examples are ``what`` (the text in
    question), ``row``, ``space``, ``tribe`` and ``megalith``. A fault in a record may also have a ``line``, a ``byte``,
    a ``turn``, a ``token`` (its number in the turn) with its ``text``, or a ``field`` (of the record's position)."""

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}"


class CairnError(ValueError):
    """The base class of all errors about positions, tokens and records."""

    faults: tuple[Fault, ...] = ()
    """What is wrong, as data, if it is known."""
    token: str = ""
    """The token that was refused, if one was."""


class MalformedError(CairnError):
    """A text or a set-up is not valid. ``faults`` lists everything that is wrong."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.faults,)


class IllegalTokenError(CairnError):
    """A token is well-formed, but it cannot be played now."""


class GameOverError(CairnError):
    """A token was played or a decision was requested after the end of the game."""
