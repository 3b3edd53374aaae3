"""The score of a moment."""

from __future__ import annotations

import dataclasses
import re
from typing import Final

POINTS_PER_TENFOLD: Final = 150
"""With a lead of this many points, a win is ten times as likely as a loss."""

WON: Final = 30_000
"""A proven win within n turns has the value ``WON - n``, as in the core."""
PROVEN_FROM: Final = 29_000
MOST_TURNS: Final = WON - PROVEN_FROM


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Score:
    """Points in hundredths of a megalith, or a proven win or loss, from the point of view of the decider.

    A win is better than any number of points, and an earlier win is better than a later one.

    >>> Score.loss(2) < Score.loss(5) < Score(-35) < Score(35) < Score.win(5) < Score.win(3)
    True
    >>> str(Score(35)), str(-Score.win(2))
    ('points 35', 'loss 2')
    """

    value: int
    """Points. Absolute values of ``PROVEN_FROM`` or more are proven results; see :meth:`win` and :meth:`loss`."""

    def __post_init__(self) -> None:
        if abs(self.value) >= WON:
            raise ValueError(f"a score must be between {-WON} and {WON}, not {self.value}")

    @classmethod
    def win(cls, turns: int) -> Score:
        """A proven win within ``turns`` turns, counting both players' turns and including the current one."""
        if not 1 <= turns <= MOST_TURNS:
            raise ValueError(f"the number of turns must be from 1 to {MOST_TURNS}, not {turns}")
        return cls(WON - turns)

    @classmethod
    def loss(cls, turns: int) -> Score:
        """A proven loss within ``turns`` turns, counting both players' turns and including the current one."""
        return -cls.win(turns)

    @classmethod
    def read(cls, text: str) -> Score:
        """Parse a score. Raises ``ValueError`` if it is not valid.

        >>> Score.read("win 3") == Score.win(3)
        True
        """
        match = re.fullmatch("(points) (0|-?[1-9][0-9]{0,4})|(win|loss) ([1-9][0-9]{0,3})", text)
        if not match:
            raise ValueError(f"{text[:40]!r} is not a score such as points 35, win 3 or loss 2")
        if match[1]:
            score = cls(int(match[2]))
            if score.is_proven:
                raise ValueError(f"{text!r} is out of range: points are between {-PROVEN_FROM} and {PROVEN_FROM}")
            return score
        return cls.win(int(match[4])) if match[3] == "win" else cls.loss(int(match[4]))

    @property
    def is_proven(self) -> bool:
        """Whether the score is a proven win or loss."""
        return abs(self.value) >= PROVEN_FROM

    @property
    def is_win(self) -> bool:
        """Whether the score is a proven win."""
        return self.value >= PROVEN_FROM

    @property
    def points(self) -> int | None:
        """Hundredths of a megalith; ``None`` for a proven win or loss."""
        return None if self.is_proven else self.value

    @property
    def turns(self) -> int | None:
        """The number of turns to the proven win or loss; ``None`` for points."""
        return WON - abs(self.value) if self.is_proven else None

    @property
    def expected(self) -> float:
        """The expected score of the game: 1 is a win, 0 a loss.

        >>> round(Score(150).expected, 3)
        0.909
        """
        if self.is_proven:
            return 1.0 if self.is_win else 0.0
        return float(1 / (1 + 10.0 ** (-self.value / POINTS_PER_TENFOLD)))

    def __neg__(self) -> Score:
        """The score from the point of view of the other tribe."""
        return Score(-self.value)

    def __str__(self) -> str:
        if not self.is_proven:
            return f"points {self.value}"
        return f"{'win' if self.is_win else 'loss'} {self.turns}"

    def __repr__(self) -> str:
        if not self.is_proven:
            return f"Score({self.value})"
        return f"Score.{'win' if self.is_win else 'loss'}({self.turns})"
