"""Games for tests of reviews, and an independent check of the claims in a review."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from cairn import CHANCE, FOREST, Game, Outcome, Reason, Tribe, story
from cairn.engine import LEVELS, Limit, NativeEngine
from cairn.engine.review import Claim, Decision, Review
from cairn.story import Activated, Banished, Effect, Ended, ExtraTurn, Flipped, Left, Moved, Transformed
from cairn.vocabulary import Phase, Variant

RESIGN_EVERY = 10
"""One in this many games ends by a resignation or an agreement, after about half of its tokens."""


def played_game(seed: int, level: int | None = None) -> Game:
    """A game between two levels. Without ``level``, the seed determines both levels."""
    dice = random.Random(seed)
    game = Game.start(list(Variant)[seed % len(Variant)], seed=seed)
    numbers = [level or dice.randint(1, len(LEVELS)) for _ in range(2)]
    engines = {tribe: NativeEngine(level=number, seed=seed) for tribe, number in zip(Tribe, numbers, strict=True)}
    while game.outcome is None:
        if game.decider is CHANCE:
            game.push(dice.choice(list(game.legal_moves)))
        elif isinstance(game.decider, Tribe):
            game.push(engines[game.decider].play(game, Limit()).token)
    if level is None and seed % RESIGN_EVERY == 0:
        for _ in range(len(game.tokens) // 2):
            game.pop()
        winner = dice.choice([None, *Tribe])
        game.end(Outcome(winner, Reason.RESIGNATION if winner else Reason.AGREEMENT))
    return game


def ledger_faults(game: Game, review: Review) -> Iterator[str]:
    """What does not add up in a review; nothing if all is well."""
    if review.result is None or game.outcome is None:
        yield "there is no result"
        return
    winner = game.outcome.winner
    if review.result != (500_000 if winner is None else 1_000_000 * (winner is FOREST)):
        yield "the result is wrong"
    if review.result - review.values[0] != sum(review.ledger.values()) + review.luck + review.search + review.ending:
        yield "the sum is not exact"
    if game.declared is None and review.ending != 0:
        yield "a game that was played to its end has an ending term"
    for each in review.decisions:
        sign = 1 if each.tribe is FOREST else -1
        if each.loss < 0 or review.values[each.index + 1] - review.values[each.index] != -sign * each.loss:
            yield f"decision {each.index} does not explain the change in value"
    for draw in review.draws:
        mean = sum(draw.values.values()) / len(draw.values)
        if abs(draw.values[str(draw.token)] - mean - draw.luck) > 0.5:
            yield f"draw {draw.index}: the luck is not the difference from the mean"
        if review.values[draw.index + 1] - review.values[draw.index] != draw.luck + draw.search:
            yield f"draw {draw.index} does not explain the change in value"


_Told = list[tuple[int, Effect, bool, int]]
"""For each effect in a line: the turn, the effect, whether its tribe scores with this token, the index of the token."""


def claim_faults(game: Game, decision: Decision) -> Iterator[str]:
    """Replay both lines of a decision's claim; yields what is not as claimed."""
    claim = decision.claim
    if claim is None:
        return
    refuted = (str(decision.token), *decision.refutation)
    with_event, without = (decision.better, refuted) if claim.missed else (refuted, decision.better)
    told, other = _tell(game, decision.index, with_event), _tell(game, decision.index, without)
    fits = [row for row in told[0] if _is_claimed(claim, row) and row[1] == claim.event and row[0] == claim.turns]
    if not fits:
        yield "the event does not happen in its line"
    if (claim.tribe is decision.tribe) != claim.missed:
        yield "the wrong tribe profits"
    if other[1] < claim.turns:
        yield "the other line is too short"
    for turn, effect, scores, _ in other[0]:
        if not _is_claimed(claim, (turn, effect, scores, 0)):
            continue
        if (
            claim.contrast == "never"
            or (claim.contrast == "elsewhere" and _place(effect) == _place(claim.event))
            or (claim.contrast == "later" and turn <= claim.turns)
        ):
            yield "the event happens in the other line too"
    if claim.cause and fits:
        yield from _cause_faults(claim.cause, told[0], other[0], fits[0][3])


def _cause_faults(cause: Flipped, told: _Told, other: _Told, event: int) -> Iterator[str]:
    """What is wrong with the claim that the first token of the line turned up the face that the event uses."""
    flips = [(token, effect) for _, effect, _, token in told if isinstance(effect, Flipped) and token < event]
    if [each for each in flips if each[1].tile == cause.tile] != [(0, cause)]:
        yield "the played token did not turn up the face that the event uses"
    if any(isinstance(each, Flipped) and each.tile == cause.tile and token == 0 for _, each, _, token in other):
        yield "the better token flips the same tile"


def _is_claimed(claim: Claim, row: tuple[int, Effect, bool, int]) -> bool:
    """Whether an effect is of the claimed kind, to the profit of the claimed tribe."""
    _, effect, scores, _ = row
    tribe = claim.tribe.value
    match claim.kind:
        case "wins":
            return isinstance(effect, Ended) and effect.winner == tribe
        case "scores":
            return isinstance(effect, (Left, Transformed)) and effect.tribe == tribe and scores
        case "banishes":
            return isinstance(effect, Banished) and effect.tribe != tribe
        case "extra-turn":
            return isinstance(effect, ExtraTurn) and effect.tribe == tribe
        case "reaches":
            row_number = "5" if tribe == "forest" else "1"
            return isinstance(effect, Moved) and effect.tribe == tribe and effect.target[1] == row_number
        case "activates":
            return isinstance(effect, Activated) and effect.tribe == tribe and effect.result != "nothing"


def _place(effect: Effect) -> str | None:
    match effect:
        case Left():
            return effect.origin
        case Moved():
            return effect.target
        case Transformed() | Banished() | Activated():
            return effect.space
    return None


def _tell(game: Game, index: int, line: Sequence[str]) -> tuple[_Told, float]:
    """The effects in a line that begins before token ``index``, and the last turn about which it says something.

    If the game is over at the end of the line, that is every turn: nothing happens afterwards.
    """
    replayed = Game(game.start_text, game.tokens[:index])
    told: _Told = []
    turn = 0
    for number, token in enumerate(line):
        before = replayed.board.points
        replayed.push(token)
        for effect in story.tell(replayed):
            tribe = getattr(effect, "tribe", None)
            scores = tribe is not None and (
                replayed.board.points[tribe == "sea"] > before[tribe == "sea"]
                or (replayed.phase is Phase.BUILD and getattr(replayed.decider, "value", None) == tribe)
            )
            told.append((turn, effect, scores, number))
        turn += replayed.phase is Phase.ACTION
    if replayed.outcome is not None:
        return told, math.inf
    return told, turn if replayed.phase is Phase.DRAW else turn - 1
