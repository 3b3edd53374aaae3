"""The standings: counts by pairing, Elo, and the sequential test."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Final

from cairn.arena.elo import Estimate, estimate
from cairn.arena.rating import Pairing, Scale, fit
from cairn.arena.result import GameResult
from cairn.arena.settings import ArenaSettings
from cairn.arena.sprt import SprtVerdict, log_likelihood_ratio


class PairingScore:
    """The games between two players, from the point of view of the first player."""

    def __init__(self) -> None:
        self.wins = self.draws = self.losses = 0
        self.pentanomial: Final = [0, 0, 0, 0, 0]
        """How many finished pairs gave the first player 0, ½, 1, 1½ and 2 points."""
        self.pairs: Final[dict[int, int]] = {}
        """The score of each finished pair, as an index into :attr:`pentanomial`."""
        self._halves: Final[dict[int, float]] = {}

    def add(self, result: GameResult) -> None:
        """Count a finished game."""
        points = result.points
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        pair = result.job.pair
        if pair in self._halves:
            both = round(2 * (self._halves.pop(pair) + points))
            self.pairs[pair] = both
            self.pentanomial[both] += 1
        else:
            self._halves[pair] = points

    @property
    def games(self) -> int:
        """The number of finished games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The first player's points."""
        return self.wins + self.draws / 2


class Standings:
    """All scores in an arena. Neither the scores nor the sequential test depend on the order in which games finish."""

    def __init__(self, settings: ArenaSettings, results: Iterable[GameResult] = ()) -> None:
        self.settings: Final = settings
        self.scores: Final[dict[Pairing, PairingScore]] = {pairing: PairingScore() for pairing in settings.pairings}
        self.forfeits: Final[collections.Counter[tuple[int, str]]] = collections.Counter()
        """The number of forfeits by player and kind."""
        self.tested: Final = [0, 0, 0, 0, 0]
        """The pentanomial counts of the sequential test, which adds pairs in numerical order until it has a verdict."""
        self.verdict = SprtVerdict.CONTINUE
        for result in results:
            self.add(result)

    def add(self, result: GameResult) -> None:
        """Count a finished game."""
        if result.job.pairing not in self.scores:
            raise ValueError(f"{result.job.pairing} is not a pairing in this arena")
        self.scores[result.job.pairing].add(result)
        if result.forfeit:
            self.forfeits[result.forfeit.player, result.forfeit.kind] += 1
        self._test()

    def _test(self) -> None:
        sprt = self.settings.sprt
        pairs = self.scores[self.settings.pairings[0]].pairs
        while sprt and self.verdict is SprtVerdict.CONTINUE and (both := pairs.get(sum(self.tested))) is not None:
            self.tested[both] += 1
            self.verdict = sprt.verdict(self.tested)

    @property
    def games(self) -> int:
        """The number of finished games."""
        return sum(score.games for score in self.scores.values())

    @property
    def pentanomial(self) -> list[int]:
        """The pentanomial counts for two players; with a sequential test, only the pairs that it has counted."""
        return self.tested if self.settings.sprt else self.scores[self.settings.pairings[0]].pentanomial

    @property
    def log_likelihood_ratio(self) -> float | None:
        """The log-likelihood ratio of the sequential test, if there is one."""
        sprt = self.settings.sprt
        return log_likelihood_ratio(self.tested, sprt.elo0, sprt.elo1) if sprt else None

    def estimate(self) -> Estimate | None:
        """The Elo difference between two players."""
        return estimate(self.pentanomial)

    def scale(self) -> Scale:
        """All players on one Elo scale."""
        return fit(len(self.settings.players), {pairing: score.pentanomial for pairing, score in self.scores.items()})

    def totals(self, player: int) -> tuple[int, float]:
        """The number of games that a player has finished, and the player's points."""
        games, points = 0, 0.0
        for (first, second), score in self.scores.items():
            if player in (first, second):
                games += score.games
                points += score.points if player == first else score.games - score.points
        return games, points
