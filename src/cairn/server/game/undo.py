"""The message that says what can be taken back. The core decides this; see ``native/seated_game.h``."""

from __future__ import annotations

import dataclasses
import functools

from cairn.server.game.names import SCHEMA, UndoBarrier


@dataclasses.dataclass(frozen=True, slots=True)
class UndoOffer:
    """Says what can be taken back now."""

    __pydantic_config__ = SCHEMA

    step: bool
    """Whether the last decision of a person can be taken back."""
    turn: bool
    """Whether a person's current turn can be taken back or, if it has only just begun, their previous turn."""
    no_step: UndoBarrier | None = None
    """Why the last decision cannot be taken back: a tile was ``drawn`` since then, there is ``nothing`` to take
    back, the ``other`` player has decided since then, or the game is ``over``. ``null`` if it can be taken back."""
    no_turn: UndoBarrier | None = None
    """Why the turn cannot be taken back; ``null`` if it can be."""


@functools.cache  # there are only a few combinations
def undo_offer(no_step: UndoBarrier | None, no_turn: UndoBarrier | None) -> UndoOffer:
    """What can be taken back, given these barriers."""
    return UndoOffer(step=no_step is None, turn=no_turn is None, no_step=no_step, no_turn=no_turn)
