"""Compares the states and refusals of two implementations, and finds the smallest case in which they differ."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Sequence
from typing import Final

from cairn.notation import read_position, read_token, write_position
from cairn.vocabulary import FOREST, SEA, CairnError, Deck, Megalith, Setup, Token
from harness.implementations import CoreGame, Implementation, RulebookGame
from harness.token_universe import plain_tokens, well_formed_tokens

ACCEPTED: Final = "accepted"
SAMPLE: Final = 40
"""The number of tokens without a Shifting Stone prefix to sample per position.

In addition, half as many tokens are sampled from all well-formed tokens.
"""
EXHAUSTIVE: Final = 0.05
"""The probability of trying every token without a prefix instead of a sample."""


class Difference(Exception):
    """Two implementations disagree after ``tokens`` from ``position``."""

    def __init__(self, position: str, tokens: Sequence[str], sentence: str) -> None:
        super().__init__(position, tuple(tokens), sentence)
        self.position = position
        self.tokens = tuple(tokens)
        self.sentence = sentence

    def __str__(self) -> str:
        return f"position: {self.position}\ntokens:   {' '.join(self.tokens) or '(none)'}\n{self.sentence}"


def difference(reference: Implementation, other: Implementation) -> str | None:
    """Describe how the two states differ, or return ``None``."""
    expected, found = reference.state(), other.state()
    if expected != found:
        differing = [key for key in expected if expected[key] != found[key]]  # type: ignore[literal-required]
        return "\n".join(
            f"{key}: {type(reference).__name__} has {expected[key]!r}\n"  # type: ignore[literal-required]
            f"{' ' * len(key)}  {type(other).__name__} has {found[key]!r}"  # type: ignore[literal-required]
            for key in differing
        )
    if reference.reason() != other.reason():
        return f"the games ended for different reasons: {reference.reason()} and {other.reason()}"
    return None


def wrong_tokens(rng: random.Random, legal: Sequence[Token]) -> list[Token]:
    """Return a sample of the well-formed but illegal tokens.

    Occasionally returns every illegal token that has no Shifting Stone prefix instead.
    """
    if rng.random() < EXHAUSTIVE:
        tokens = [*plain_tokens()]
    else:
        tokens = rng.sample(plain_tokens(), SAMPLE) + rng.sample(well_formed_tokens(), SAMPLE // 2)
    return [token for token in tokens if token not in legal]


def refusal_difference(games: Sequence[Implementation], wrong: Sequence[Token]) -> str | None:
    """Describe the first illegal token that the games do not all refuse with the same error, or return ``None``."""
    for token in wrong:
        answers = [_answer(game, token) for game in games]
        if ACCEPTED in answers or len(set(answers)) > 1:
            named = ", ".join(f"{type(game).__name__}: {answer}" for game, answer in zip(games, answers, strict=True))
            return f"{token} is not legal, but the games do not refuse it with the same error ({named})"
    return None


def _answer(game: Implementation, token: Token) -> str:
    try:
        game.push(token)
    except CairnError as error:
        return type(error).__name__
    return ACCEPTED


# --- Reducing a difference to a minimal case


def first_difference(
    position: str,
    tokens: Sequence[str],
    reference: type[Implementation] = RulebookGame,
    other: type[Implementation] = CoreGame,
) -> Difference | None:
    """Return the first difference in a game, or ``None``.

    A token that only one implementation accepts is a difference.
    """
    games = reference(position), other(position)
    for number in range(len(tokens) + 1):
        if sentence := difference(*games):
            return Difference(position, tokens[:number], sentence)
        if number == len(tokens):
            break
        token = read_token(tokens[number])
        answers = [_answer(game, token) for game in games]
        if answers[0] != answers[1]:
            sentence = f"{token}: {reference.__name__} {answers[0]}, {other.__name__} {answers[1]}"
            return Difference(position, tokens[:number], sentence)
        if answers[0] != ACCEPTED:
            break
    return None


def minimal(
    found: Difference,
    last_turn: tuple[str, Sequence[str]],
    reference: type[Implementation] = RulebookGame,
    other: type[Implementation] = CoreGame,
) -> Difference:
    """Reduce a difference to the last turn and to the fewest pieces that still reproduce it."""
    smallest = first_difference(*last_turn, reference, other)
    if smallest is None:
        # The difference is in a refusal, or it only appears when the whole game is replayed (such as a repetition).
        return found
    while True:
        for position in _smaller(read_position(smallest.position)):
            smaller = first_difference(position, smallest.tokens, reference, other)
            if smaller:
                smallest = smaller
                break
        else:
            return smallest


def _smaller(setup: Setup) -> Iterator[str]:
    """Yield every valid position with one fewer piece or tile, or with both scores reset to 0."""
    for space in setup.shamans:
        yield from _valid(setup, shamans={key: value for key, value in setup.shamans.items() if key != space})
    for space in setup.megaliths:
        yield from _valid(setup, megaliths={key: value for key, value in setup.megaliths.items() if key != space})
    for tile in (*setup.deck.unknown, *setup.deck.known):
        yield from _valid(setup, deck=_without(setup.deck, tile))
    for slot in (0, 1):
        if setup.upcoming[slot]:
            yield from _valid(setup, upcoming=(None, setup.upcoming[1]) if slot == 0 else (setup.upcoming[0], None))
    if any(setup.scores.values()):
        yield from _valid(setup, scores={FOREST: 0, SEA: 0})


def _valid(setup: Setup, **changes: object) -> Iterator[str]:
    changed = dataclasses.replace(setup, **changes)  # type: ignore[arg-type]
    if not changed.faults():
        yield write_position(changed)


def _without(deck: Deck, tile: Megalith) -> Deck:
    return Deck.of(deck.unknown - {tile}, tuple(known for known in deck.known if known is not tile))
