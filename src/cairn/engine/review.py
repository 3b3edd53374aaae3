"""The review of a game: what each decision gave away, how lucky each draw was, and why a choice was a mistake.

The core does all the work (``native/review.h``), so a review is the same here and in the browser. Values are millionths
of a game, so that the account adds up exactly; docs/review.md defines them.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import enum
import json
from collections.abc import Callable
from typing import Any, Final, Literal

from cairn._native import core
from cairn.game import Game
from cairn.story import Effect, Flipped, effect_of
from cairn.vocabulary import CHANCE, FOREST, SEA, Decider, Token, Tribe

CERTAIN: Final = 1_000_000
"""The value of a certain win. A draw is worth half as much."""
USUAL_NODES: Final = core.REVIEW_NODES
"""The usual number of nodes to search at each moment."""
MOST_THREADS: Final = 64


class Judgement(enum.Enum):
    """How bad a decision was. The value is the numeric annotation glyph in records, as in PGN."""

    INACCURACY = 6
    MISTAKE = 2
    BLUNDER = 4

    @property
    def least_loss(self) -> int:
        """The smallest loss that gets this judgement."""
        return {Judgement.INACCURACY: 50_000, Judgement.MISTAKE: 100_000, Judgement.BLUNDER: 200_000}[self]

    @property
    def sign(self) -> str:
        """The sign that players write after a token."""
        return {Judgement.INACCURACY: "?!", Judgement.MISTAKE: "?", Judgement.BLUNDER: "??"}[self]


@dataclasses.dataclass(frozen=True, slots=True)
class Claim:
    """Why a decision was a mistake: an event that happens in one line of play and not in the other."""

    kind: Literal["wins", "scores", "banishes", "extra-turn", "reaches", "activates"]
    tribe: Tribe
    """The tribe that profits from the event."""
    missed: bool
    """Whether the event happens after the better token, and not after the played one. Otherwise it is the reverse."""
    turns: int
    """The number of turns that end before the event."""
    event: Effect
    cause: Flipped | None
    """The flip by the played token that turned up the face that the event uses."""
    contrast: Literal["never", "elsewhere", "later"]
    """Whether the other line has no such event for the tribe, none on the same space, or none this soon."""


@dataclasses.dataclass(frozen=True, slots=True)
class Decision:
    """A token that a tribe chose."""

    index: int
    """The index of the token in the game."""
    turn: int
    """The number of the turn, from 1."""
    tribe: Tribe
    token: Token
    choices: int
    """The number of legal tokens."""
    before: int
    """The tribe's expectation with the best token."""
    loss: int
    """What the tribe gave away; never negative."""
    better: tuple[str, ...]
    """The best line. It begins with the played token if nothing was lost."""
    refutation: tuple[str, ...]
    """The best line after the played token."""
    claim: Claim | None
    """Why the decision was an inaccuracy or worse, if the reason can be shown."""

    @property
    def after(self) -> int:
        """The tribe's expectation after the played token."""
        return self.before - self.loss

    @property
    def judgement(self) -> Judgement | None:
        """The judgement; ``None`` if the decision was good enough."""
        fitting = [each for each in Judgement if self.loss >= each.least_loss]
        return max(fitting, key=lambda each: each.least_loss, default=None)


@dataclasses.dataclass(frozen=True, slots=True)
class Draw:
    """A drawn tile."""

    index: int
    turn: int
    token: Token
    luck: int
    """For Forest: the value of the tile that came, minus the mean over all tiles that might have come."""
    values: dict[str, int]
    """Forest's expectation after each tile that might have come, all searched with the same effort."""
    search: int
    """The part of the change in value that the luck does not explain."""


@dataclasses.dataclass(frozen=True, slots=True)
class PlayerReview:
    """How well a tribe played. Only decisions with a choice count."""

    decisions: int
    total_loss: int
    mean_loss: int
    accuracy: int
    """The average over the decisions: 1,000,000 without loss, half as much for a loss of 100,000."""
    level_by_loss: int
    """The level whose mean loss comes closest; 0 without decisions."""
    level_by_accuracy: int
    inaccuracies: int
    mistakes: int
    blunders: int


@dataclasses.dataclass(frozen=True, slots=True)
class Review:
    """An account of a game.

    ``result - values[0] == ledger[FOREST] + ledger[SEA] + luck + search + ending`` holds exactly.
    """

    result: int | None
    """Forest's result; ``None`` if the game is unfinished."""
    adjusted_result: int | None
    """The result without the luck of the draws."""
    luck: int
    search: int
    ending: int
    """What was declared and not played, for example by a resignation."""
    values: tuple[int, ...]
    """Forest's expectation at each moment."""
    decisions: tuple[Decision, ...]
    draws: tuple[Draw, ...]
    players: dict[Tribe, PlayerReview]
    turning_points: tuple[int, ...]
    """The indexes of the worst mistakes, at most three."""

    def of(self, tribe: Tribe) -> tuple[Decision, ...]:
        """The decisions of one player."""
        return tuple(decision for decision in self.decisions if decision.tribe is tribe)

    @property
    def ledger(self) -> dict[Tribe, int]:
        """What the decisions of each tribe changed, for Forest."""
        return {FOREST: -self.players[FOREST].total_loss, SEA: self.players[SEA].total_loss}


@dataclasses.dataclass(frozen=True, slots=True)
class Retry:
    """The judgement on a token that is tried instead of the played one."""

    value: int
    """Forest's expectation after the token."""
    loss: int
    good: bool
    """Whether the loss is too small for an inaccuracy."""
    reply: tuple[str, ...]
    """The best line after the token."""


class Reviewer:
    """Reviews one game. The result depends only on the game and the number of nodes."""

    def __init__(self, game: Game, nodes: int = USUAL_NODES) -> None:
        if nodes < 1:
            raise ValueError(f"the number of nodes must be positive, not {nodes}")
        winner = None if game.declared is None else [None, FOREST, SEA].index(game.declared.winner)
        self._tokens: Final = game.tokens
        self._core: Final = core.Reviewer(game.board, winner, nodes)

    def run(self, threads: int = 1, progress: Callable[[float], object] | None = None) -> Review:
        """Search all units and put the review together. Calls ``progress`` with the finished share, from 0 to 1."""
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"the number of threads must be from 1 to {MOST_THREADS}, not {threads}")
        weights = self._core.weights
        done = 0
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            futures = {pool.submit(self._core.search, unit): unit for unit in range(len(weights))}
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
                    done += weights[futures[future]]
                    if progress:
                        progress(done / sum(weights))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return self.assemble([future.result() for future in futures])

    def assemble(self, findings: list[str]) -> Review:
        """Put the findings of all units together. Raises ``ValueError`` if they do not fit the game."""
        return _review_of(json.loads(self._core.assemble(findings)), self._tokens)

    def retry(self, index: int, token: Token | str) -> Retry:
        """Judge a token that is tried instead of the one at ``index``. Call :meth:`run` first.

        Raises ``IndexError`` if no tribe decides there, and ``ValueError`` if the token is not legal there.
        """
        data = json.loads(self._core.retry(index, token))
        return Retry(data["value"], data["loss"], data["good"], tuple(data["reply"]))


def review_game(
    game: Game, nodes: int = USUAL_NODES, threads: int = 1, progress: Callable[[float], object] | None = None
) -> Review:
    """Review a game. Neither the number of threads nor the machine affects the result.

    >>> game = Game("5/4F/5/5/S3S - DRMD (ADCSPSSA) wofm 2-2 F", ["e4-e5", "a1-out", "=MD"])
    >>> review = review_game(game, nodes=1_000)
    >>> review.result, review.decisions[0].judgement
    (0, None)
    """
    return Reviewer(game, nodes).run(threads, progress)


def _review_of(data: dict[str, Any], tokens: tuple[Token, ...]) -> Review:
    values = tuple(data["values"])
    decisions, draws = [], []
    for index, (step, token) in enumerate(zip(data["steps"], tokens, strict=True)):
        decider = _decider(step["decider"])
        if isinstance(decider, Tribe):
            before = values[index] if decider is FOREST else CERTAIN - values[index]
            line, reply = tuple(step["better"]), tuple(step["refutation"])
            claim = _claim_of(step["claim"])
            decisions.append(
                Decision(index, step["turn"], decider, token, step["choices"], before, step["loss"], line, reply, claim)
            )
        else:
            tiles = dict(zip(step["tiles"], step["tile_values"], strict=True))
            draws.append(Draw(index, step["turn"], token, step["luck"], tiles, step["search"]))
    return Review(
        data["result"],
        data["adjusted_result"],
        data["luck"],
        data["search"],
        data["ending"],
        values,
        tuple(decisions),
        tuple(draws),
        {tribe: _player_of(data[tribe.value]) for tribe in Tribe},
        tuple(data["turning_points"]),
    )


def _decider(name: str) -> Decider:
    return CHANCE if name == CHANCE.value else Tribe(name)


def _player_of(data: dict[str, int]) -> PlayerReview:
    counts = (data["inaccuracy"], data["mistake"], data["blunder"])
    levels = (data["level_by_loss"], data["level_by_accuracy"])
    return PlayerReview(data["decisions"], data["total_loss"], data["mean_loss"], data["accuracy"], *levels, *counts)


def _claim_of(data: dict[str, Any] | None) -> Claim | None:
    if data is None:
        return None
    cause = effect_of(data["cause"]) if data["cause"] else None
    if cause is not None and not isinstance(cause, Flipped):
        raise AssertionError("only a flip can be the cause of an event")
    return Claim(
        data["kind"], Tribe(data["tribe"]), data["missed"], data["turns"], effect_of(data["event"]), cause,
        data["contrast"],
    )  # fmt: skip
