"""What can be taken back, as a message. The core decides this; see ``native/seated_game.h``."""

from __future__ import annotations

import dataclasses
import functools

from cairn.server.game.names import SCHEMA, UndoBarrier


@dataclasses.dataclass(frozen=True, slots=True)
class UndoOffer:
    """What can be taken back now."""

    __pydantic_config__ = SCHEMA

    step: bool
    """Whether the last decision of a person can be taken back."""
    turn: bool
    """Whether the person's current turn can be taken back or, at its start, their previous turn."""
    no_step: UndoBarrier | None = None
    """Why the last decision cannot be taken back: a tile was ``drawn`` since then, there is ``nothing`` to take
    back, the ``other`` player has decided since then, or the game is ``over``. ``null`` if it can."""
    no_turn: UndoBarrier | None = None
    """Why the turn cannot be taken back; ``null`` if it can."""


@functools.cache  # there are only a few combinations
def undo_offer(no_step: UndoBarrier | None, no_turn: UndoBarrier | None) -> UndoOffer:
    """The offer with these barriers."""
    return UndoOffer(step=no_step is None, turn=no_turn is None, no_step=no_step, no_turn=no_turn)
