"""Numbers of won, drawn and lost games."""

from __future__ import annotations

import dataclasses
from typing import Final

from cairn.vocabulary import Tribe


@dataclasses.dataclass(frozen=True, slots=True)
class Tally:
    """How games ended for a tribe.

    >>> Tally(3, 0, 1) + Tally.of(True)
    Tally(won=4, drawn=0, lost=1)
    >>> Tally(3, 1, 0).score
    0.875
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @classmethod
    def of(cls, won: bool | None) -> Tally:
        """The results of one game; ``None`` is a draw."""
        return cls(int(won is True), int(won is None), int(won is False))

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """The mean score, where a win is 1 and a draw is 0.5. Raises ``ZeroDivisionError`` if there are no games."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def reversed(self) -> Tally:
        """The results for the other tribe."""
        return Tally(self.lost, self.drawn, self.won)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


NO_GAMES: Final = Tally()


def won_by(tribe: Tribe, winner: Tribe | None) -> bool | None:
    """Whether a tribe has won; ``None`` for a draw."""
    return None if winner is None else winner is tribe
