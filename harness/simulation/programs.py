"""Programs for hostile players: how fast they send commands, and how often they send each kind."""

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
"""The commands that a hostile player may send. :mod:`harness.simulation.hostile` builds the messages."""
RATES: Final = (2, 2, 5, 5, 10, 45)
"""Commands per second. The server slows down players who send much faster."""


@dataclasses.dataclass(frozen=True)
class Program:
    """How fast a hostile player sends commands, and how often it sends each kind."""

    rate: float
    """Commands per second."""
    weights: tuple[float, ...]
    """The relative frequency of each of the :data:`COMMANDS`."""
    plays: float
    """The probability of making a decision when it is this player's turn, instead of letting the clock run."""

    @classmethod
    def only(cls, rate: float, plays: float, *commands: str) -> Self:
        """A program that sends only these commands, equally often."""
        return cls(rate, tuple(float(command in commands) for command in COMMANDS), plays)

    @classmethod
    def invented(cls, rng: random.Random) -> Self:
        """A random program with one to three kinds of commands, or with all kinds."""
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
"""Play a token and undo it, again and again: the log grows, but the game does not advance."""
STALL_SLOWLY: Final = Program.only(3, 0.0, "play or undo")
"""The same, with enough time between the commands to gain from lag compensation."""
TAKE_BACK: Final = Program.only(10, 1.0, "offer to take a turn back")
"""Ask to take back every turn, and replay the turn if the other player agrees."""
