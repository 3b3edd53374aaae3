"""Programs of hostile players: how fast they send commands, and how often each kind."""

from __future__ import annotations

import dataclasses
import random
from typing import Final, Self

COMMANDS: Final = (
    "offer to take a step back",
    "offer to take a turn back",
    "offer a draw",
    "withdraw",
    "decline",
    "accept",
    "undo a step",
    "undo a turn",
    "confirm",
    "play",
    "play and hold",
    "play or undo",
    "claim",
    "say",
    "hello",
    "ping",
    "garbage",
)
"""Everything that a hostile player may send. :mod:`harness.simulation.hostile` says how."""
RATES: Final = (2, 2, 5, 5, 10, 45)
"""Commands per second. The server slows a player down who sends many more."""


@dataclasses.dataclass(frozen=True)
class Program:
    """What a hostile player does: how fast, and how often each kind of command."""

    rate: float
    """Commands per second."""
    weights: tuple[float, ...]
    """One for each of :data:`COMMANDS`."""
    plays: float
    """The probability of playing on, instead of letting the clock run, at each of their own decisions."""

    @classmethod
    def only(cls, rate: float, plays: float, *commands: str) -> Self:
        """A program of these commands."""
        return cls(rate, tuple(float(command in commands) for command in COMMANDS), plays)

    @classmethod
    def invented(cls, rng: random.Random) -> Self:
        """A program of a few kinds of commands, or of all kinds with random weights."""
        chosen = rng.sample(range(len(COMMANDS)), rng.choice((1, 2, 3, len(COMMANDS))))
        weights = [rng.choice((1, 1, 3, 10)) if number in chosen else 0 for number in range(len(COMMANDS))]
        return cls(rng.choice(RATES), tuple(weights), rng.choice((0.2, 0.9, 1.0)))

    def mutated(self, rng: random.Random) -> Program:
        """A similar program."""
        weights = list(self.weights)
        weights[rng.randrange(len(weights))] = rng.choice((0, 1, 3, 10))
        if not any(weights):
            return self
        return Program(rng.choice((self.rate, *RATES)), tuple(weights), rng.choice((self.plays, 0.2, 0.9, 1.0)))


STALL: Final = Program.only(45, 0.0, "play or undo")
"""Play a token and undo it, again and again: the log grows, but the game does not go on."""
TAKE_BACK: Final = Program.only(10, 1.0, "offer to take a turn back")
"""Ask for a takeback of every turn, and play it again if the other player agrees."""
