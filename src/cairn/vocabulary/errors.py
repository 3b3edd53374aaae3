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
    """What is wrong, for people."""
    details: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False, repr=False)
    """The values in the sentence and the place, for translations. For example, ``what`` is the text in question; others
    are a ``row``, a ``space``, a ``tribe`` or a ``megalith``. In a record, they include the ``line``, ``byte``,
    ``turn``, ``token`` and its ``text``, or the ``field`` of its position."""

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}"


class CairnError(ValueError):
    """The base class of all errors about positions, tokens and records."""


class MalformedError(CairnError):
    """A text or a set-up is not valid. ``faults`` lists everything that is wrong."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.faults,)


class IllegalTokenError(CairnError):
    """A well-formed token that cannot be played now."""


class GameOverError(CairnError):
    """A token was played or a decision was requested after the end of the game."""
