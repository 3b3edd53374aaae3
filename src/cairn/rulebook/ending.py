"""The end of the game (G): a game with its history, which alone can know of repetition.

Winning by score (G1) belongs to ``leaving.score``, losing without an action (G2) to the start of a turn in ``turn``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cairn.rulebook.moment import Moment
from cairn.rulebook.turn import begin, legal_tokens, play
from cairn.vocabulary import Decider, Outcome, Phase, Reason, Setup, Token

REPETITIONS_TO_DRAW: Final = 3


class ReferenceGame:
    """A game from a start position: its moments so far, and the draw by repetition (G3)."""

    def __init__(self, start: Setup) -> None:
        self._moments = [begin(start)]

    @property
    def start(self) -> Setup:
        """The set-up that the game began with."""
        return self._moments[0].setup

    @property
    def moments(self) -> tuple[Moment, ...]:
        """Every moment since the start, the first and the present one included."""
        return tuple(self._moments)

    @property
    def moment(self) -> Moment:
        """The present moment; a draw by repetition shows in it."""
        return self._moments[-1]

    @property
    def phase(self) -> Phase:
        """What kind of token is asked for."""
        return self.moment.phase

    @property
    def decider(self) -> Decider:
        """Who chooses the next token."""
        return self.moment.decider

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""
        return self.moment.outcome

    def legal_tokens(self) -> list[Token]:
        """Every token that can be played now, in ASCII order; none when the game is over."""
        return legal_tokens(self.moment)

    def play(self, token: Token) -> Moment:
        """Play a token, and return the moment after it. Raises what :func:`cairn.rulebook.play` raises."""
        before, after = self.moment, play(self.moment, token)
        if _at_start_of_turn(after) and self._times_stood(after.setup) + 1 == REPETITIONS_TO_DRAW:
            # The last turn stays on record, as with every token that ends the game.
            after = replace(
                after,
                outcome=Outcome(None, Reason.REPETITION),
                turn_start=before.turn_start,
                tokens=(*before.tokens, token),
            )
        self._moments.append(after)
        return after

    def _times_stood(self, setup: Setup) -> int:
        """How often that position has stood at the start of a turn so far, the game's first one counted (G3)."""
        return sum(1 for moment in self._moments if _at_start_of_turn(moment) and moment.setup == setup)


def _at_start_of_turn(moment: Moment) -> bool:
    return moment.phase is Phase.ACTION
