"""The phases of a turn, and how a game ends."""

from __future__ import annotations

import dataclasses
import enum

from cairn.vocabulary.tribes import Tribe


class Phase(enum.Enum):
    """The kind of token that comes next."""

    ACTION = "action"
    """The active player performs one of the three actions (T2). This phase occurs only at the start of a turn."""
    BUILD = "build"
    """The constructing player picks an upcoming megalith (E4)."""
    DRAW = "draw"
    """Chance fills the empty slot (E4)."""
    POWER = "power"
    """The owner of the activating shaman applies a power (P1)."""
    TRANSFORM = "transform"
    """The active player may transform (X1-X5)."""
    OVER = "over"
    """The game has ended."""


class Reason(enum.Enum):
    """Why a game ended."""

    SCORE = "score"
    NO_ACTION = "no-action"
    REPETITION = "repetition"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    TIME = "time"
    ABANDONED = "abandoned"

    @property
    def rule(self) -> str:
        """The number of the rule that defines this ending."""
        return {Reason.SCORE: "G1", Reason.NO_ACTION: "G2"}.get(self, "G3")


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game."""

    winner: Tribe | None
    """The winning tribe, or ``None`` for a draw."""
    reason: Reason
    """Why the game ended; ``reason.rule`` cites the rule."""

    @property
    def result(self) -> str:
        """``"F"``, ``"S"`` or ``"="``, as in game records."""
        return self.winner.letter if self.winner else "="
