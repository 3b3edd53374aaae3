"""A moment of a game: the position, and how far the turn has progressed."""

from __future__ import annotations

import dataclasses

from cairn.vocabulary import CHANCE, Decider, Megalith, Outcome, Phase, Setup, Space, Token, Tribe


@dataclasses.dataclass(frozen=True, slots=True)
class Construction:
    """A tribe has to construct a megalith on a space (E4)."""

    tribe: Tribe
    space: Space


@dataclasses.dataclass(frozen=True, slots=True)
class EmptySlot:
    """The upcoming slot with this index has to be filled from the deck (E4)."""

    index: int


@dataclasses.dataclass(frozen=True, slots=True)
class Activation:
    """The shaman on this space has just arrived on the megalith there (P1)."""

    space: Space


Waiting = Construction | EmptySlot | Activation | None
"""The step to resolve before the turn continues. There is at most one, because a chain never branches (T3)."""


@dataclasses.dataclass(frozen=True, slots=True)
class Moment:
    """An immutable moment of a game.

    Two moments are equal if their positions and everything that they record about the turn are equal.
    """

    setup: Setup
    """The current position. :attr:`Setup.active` is the player whose turn it is, even while the opponent decides."""
    turn_start: Setup
    """The position at the start of this turn or, once the game is over, of the last turn."""
    next_player: Tribe
    """The tribe that has the next turn: the opponent, unless Pillars of Spring was activated (T5)."""
    tokens: tuple[Token, ...] = ()
    """The tokens played since :attr:`turn_start`."""
    waiting: Waiting = None
    """The step that must be resolved before the turn continues."""
    acted: bool = False
    """Whether this turn's action has been played (T2)."""
    transformation_over: bool = False
    """Whether this turn's transformation has been made, declined or found impossible (X4)."""
    moved: frozenset[Space] = frozenset()
    """The spaces of the shamans that were added or moved this turn (X2, P7)."""
    activations: tuple[tuple[Tribe, Megalith], ...] = ()
    """Every arrival on a megalith this turn: the shaman's tribe, and the megalith (P6)."""
    outcome: Outcome | None = None
    """How the game ended, or ``None`` while it is in progress."""

    @property
    def phase(self) -> Phase:
        """The kind of token that comes next."""
        if self.outcome:
            return Phase.OVER
        match self.waiting:
            case Construction():
                return Phase.BUILD
            case EmptySlot():
                return Phase.DRAW
            case Activation():
                return Phase.POWER
        return Phase.TRANSFORM if self.acted else Phase.ACTION

    @property
    def decider(self) -> Decider:
        """Who chooses the next token."""
        if self.outcome:
            return None
        match self.waiting:
            case Construction(tribe=tribe):
                return tribe
            case EmptySlot():
                return CHANCE
            case Activation(space=space):
                return self.setup.shamans[space]  # P1: the owner of the shaman, even if the other tribe moved it
        return self.setup.active
