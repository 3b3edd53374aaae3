"""The end of the game (G): a game with its history, which is needed to detect repetition.

``leaving.score`` handles a win by score (G1), and ``turn`` handles the loss of a player who has no action (G2).
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
        """The set-up at the start of the game."""
        return self._moments[0].setup

    @property
    def moments(self) -> tuple[Moment, ...]:
        """Every moment from the start to now."""
        return tuple(self._moments)

    @property
    def moment(self) -> Moment:
        """The current moment. Its outcome includes a draw by repetition."""
        return self._moments[-1]

    @property
    def phase(self) -> Phase:
        """The kind of token that comes next."""
        return self.moment.phase

    @property
    def decider(self) -> Decider:
        """Who chooses the next token."""
        return self.moment.decider

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it is in progress."""
        return self.moment.outcome

    def legal_tokens(self) -> list[Token]:
        """Every token that can be played now, in ASCII order; none when the game is over."""
        return legal_tokens(self.moment)

    def play(self, token: Token) -> Moment:
        """Play a token and return the moment after it. Raises the same errors as :func:`cairn.rulebook.play`."""
        before, after = self.moment, play(self.moment, token)
        if _at_start_of_turn(after) and self._occurrences(after.setup) + 1 == REPETITIONS_TO_DRAW:
            # The token ended the game, so it belongs to the last turn, and no new turn begins.
            after = replace(
                after,
                outcome=Outcome(None, Reason.REPETITION),
                turn_start=before.turn_start,
                tokens=(*before.tokens, token),
            )
        self._moments.append(after)
        return after

    def _occurrences(self, setup: Setup) -> int:
        """How many times a position has occurred at the start of a turn, including the first turn (G3)."""
        return sum(1 for moment in self._moments if _at_start_of_turn(moment) and moment.setup == setup)


def _at_start_of_turn(moment: Moment) -> bool:
    return moment.phase is Phase.ACTION
