"""Decides how many tokens a player can take back. A drawn tile is never taken back."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection

from cairn.server.game.names import SCHEMA, UndoBarrier, UndoScope
from cairn.server.game.state import GameState
from cairn.vocabulary import Tribe


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


def undoable(state: GameState, scope: UndoScope) -> int:
    """How many tokens can be taken back without the other player's consent; 0 if none.

    A step goes back to the last decision of a person, across decisions of the computer. A turn goes back to the start
    of a person's turn: the current one, or the previous one at its start. In an online game, only the player to move
    can take back, and only their own decisions; after the end, nobody can.
    """
    reach = _reach(state, scope)
    return reach if isinstance(reach, int) else 0


def takeback_length(state: GameState, tribe: Tribe, scope: UndoScope) -> int:
    """How many tokens a takeback with consent covers. It may cover the other player's decisions, but no drawn tile."""
    reach = "over" if state.game.outcome is not None else _reach_of(state, scope, [tribe])
    return reach if isinstance(reach, int) else 0


def undo_offer(state: GameState) -> UndoOffer:
    """What can be taken back now, or why nothing can."""
    step = _reach(state, "step")
    if not isinstance(step, int):  # a turn begins with a decision: without a step there is no turn either
        return _offer(step, step)
    # The first decision of a turn is both a step and a turn.
    turn = step if state.steps[-step].phase == "action" else _reach(state, "turn")
    return _offer(None, None if isinstance(turn, int) else turn)


@functools.cache  # there are only a few
def _offer(no_step: UndoBarrier | None, no_turn: UndoBarrier | None) -> UndoOffer:
    return UndoOffer(step=no_step is None, turn=no_turn is None, no_step=no_step, no_turn=no_turn)


def _reach(state: GameState, scope: UndoScope) -> int | UndoBarrier:
    """The number of tokens for :func:`undoable`, or the barrier."""
    online = state.header.online
    if online is None:
        return "over" if state.game.declared else _reach_of(state, scope, state.persons)
    if state.game.outcome is not None or state.to_move is None:
        return "over"
    if not online.rated and len(state.persons) == 1:
        return _reach_of(state, scope, state.persons)
    if state.to_move not in state.persons:
        return "other"
    return _reach_of(state, scope, [state.to_move], own_only=True)


def _reach_of(
    state: GameState, scope: UndoScope, tribes: Collection[Tribe], *, own_only: bool = False
) -> int | UndoBarrier:
    """The number of tokens back to the last decision of one of the tribes, or to the start of one of their turns."""
    names = {tribe.value for tribe in tribes}
    for back, step in enumerate(reversed(state.steps), start=1):
        if step.by == "chance":
            return "drawn"
        if own_only and step.by not in names:
            return "other"
        if scope == "step" and step.by in names:
            return back
        if scope == "turn" and step.phase == "action" and step.active in names:
            return back
    return "nothing"
