"""A batch of games played by both implementations in lockstep and compared at every moment."""

from __future__ import annotations

import dataclasses
import random
from typing import Final, NamedTuple

from harness.implementations import CoreGame, RulebookGame
from harness.parity.comparison import Difference, difference, minimal, refusal_difference, wrong_tokens
from harness.parity.coverage import Tally, count_start, count_token
from harness.parity.players import (
    INCLINATIONS,
    Inclination,
    choose,
    seeks_chains,
    seeks_copies,
    seeks_nothing,
    seeks_points,
    seeks_the_end,
)
from harness.positions import KINDS, text_of


class Plan(NamedTuple):
    """How games from one kind of position are played."""

    longest: int
    """The maximum length of a game in tokens. Short games suffice, because the rare events happen early."""
    inclination: Inclination
    """The players' inclination in half of the games. In the other half, it is chosen at random."""


PLANS: Final = {
    "start": Plan(150, seeks_nothing),
    "crowded": Plan(60, seeks_chains),
    "chains": Plan(40, seeks_chains),
    "copies": Plan(20, seeks_copies),
    "last points": Plan(30, seeks_points),
    "nearly blocked": Plan(20, seeks_the_end),
}
REFUSALS_EVERY: Final = 300
"""On average, illegal tokens are tried at one in this many moments."""


@dataclasses.dataclass(frozen=True)
class Batch:
    """Random games with at least ``moments`` moments in total, fully determined by a seed."""

    seed: str
    moments: int

    def compare(self) -> Tally:
        """Compare at least ``self.moments`` moments; raises :class:`Difference` at the first difference."""
        rng = random.Random(self.seed)
        tally = Tally()
        while tally["moments"] < self.moments:
            _compare_game(rng, tally)
        return tally


def _compare_game(rng: random.Random, tally: Tally) -> None:
    kind = rng.choice(list(KINDS))
    position = text_of(KINDS[kind](rng))
    longest, usual = PLANS[kind]
    inclination = usual if rng.random() < 0.5 else rng.choice(INCLINATIONS)
    reference, core = RulebookGame(position), CoreGame(position)
    played: list[str] = []
    count_start(tally, kind, reference.moment)
    while True:
        # 1. Check that both implementations are in the same state.
        if sentence := difference(reference, core):
            raise _reproduction(position, played, sentence, reference)
        legal = reference.legal()
        # 2. Occasionally, check that both refuse illegal tokens.
        if rng.random() * REFUSALS_EVERY < 1:
            wrong = wrong_tokens(rng, legal)
            if sentence := refusal_difference((reference, core), wrong):
                raise Difference(position, played, sentence)
            tally["tokens refused"] += len(wrong)
        # 3. Play the next token.
        if not legal or len(played) == longest:
            return
        token = choose(rng, core.game.board, legal, inclination)
        played.append(str(token))
        before = reference.moment
        reference.push(token)
        core.push(token)  # legal in the core too, because both lists were equal
        count_token(tally, before, token, reference.moment)


def _reproduction(position: str, played: list[str], sentence: str, reference: RulebookGame) -> Difference:
    """Reduce a difference to a minimal case: only the last turn, if that reproduces the difference."""
    before = reference.game.moments[-2] if played else reference.moment
    last_turn = text_of(before.turn_start), [*map(str, before.tokens), *played[-1:]]
    return minimal(Difference(position, played, sentence), last_turn)
