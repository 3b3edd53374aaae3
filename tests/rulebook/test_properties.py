"""Properties that hold at every moment of a game."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator

import pytest

from cairn import rulebook
from cairn.notation import read_position, read_token, write_position
from cairn.vocabulary import (
    TRIBES,
    Add,
    Banish,
    Copy,
    Phase,
    Push,
    Put,
    Setup,
    Space,
    Swap,
    Token,
    Transform,
    Travel,
    Variant,
)
from cairn.vocabulary.spaces import SIZE

LONGEST_GAME = 300


def random_moments(variant: Variant, seed: int) -> Iterator[rulebook.Moment]:
    """The moments of a game in which every choice is random."""
    rng = random.Random(seed)
    game = rulebook.ReferenceGame(rulebook.deal(variant, rng))
    yield game.moment
    while game.outcome is None and len(game.moments) < LONGEST_GAME:
        yield game.play(rng.choice(game.legal_tokens()))


games = pytest.mark.parametrize(("variant", "seed"), [(variant, seed) for variant in Variant for seed in range(3)])


@games
def test_every_moment_is_valid(variant: Variant, seed: int) -> None:
    for moment in random_moments(variant, seed):
        tiles = [*moment.setup.megaliths.values(), *moment.setup.deck.unknown, *moment.setup.deck.known]
        tiles += [tile for tile in moment.setup.upcoming if tile]
        assert sorted(tiles) == sorted(variant.megaliths)
        assert moment.moved <= set(moment.setup.shamans)
        if moment.phase is Phase.ACTION:
            assert read_position(write_position(moment.setup)) == moment.setup == moment.turn_start


@games
def test_tokens_are_in_ascii_order_and_round_trip(variant: Variant, seed: int) -> None:
    for moment in random_moments(variant, seed):
        tokens = rulebook.legal_tokens(moment)
        texts = [str(token) for token in tokens]
        assert texts == sorted(set(texts))
        assert [read_token(text) for text in texts] == tokens
        assert bool(tokens) == (moment.phase is not Phase.OVER)


@games
def test_a_moment_can_be_replayed_from_the_start_of_its_turn(variant: Variant, seed: int) -> None:
    for moment in random_moments(variant, seed):
        replayed = rulebook.begin(moment.turn_start)
        for token in moment.tokens:
            replayed = rulebook.play(replayed, token)
        assert write_position(replayed.setup) == write_position(moment.setup)
        if moment.phase is not Phase.OVER:  # only a game detects a draw by repetition
            assert replayed == moment


@games
def test_the_half_turn_with_swapped_tribes_gives_the_same_game(variant: Variant, seed: int) -> None:
    rng = random.Random(seed)
    here = rulebook.begin(rulebook.deal(variant, rng))
    there = rulebook.begin(turned_setup(here.setup))
    for _ in range(LONGEST_GAME):
        assert there.setup == turned_setup(here.setup)
        assert there.phase is here.phase
        tokens, turned = rulebook.legal_tokens(here), rulebook.legal_tokens(there)
        assert len(tokens) == len(turned)
        if not tokens:
            break
        token = rng.choice(tokens)
        (same,) = [each for each in turned_ways(token) if each in turned]
        here, there = rulebook.play(here, token), rulebook.play(there, same)


def turned_setup(setup: Setup) -> Setup:
    return dataclasses.replace(
        setup,
        shamans={turned_space(space): tribe.enemy for space, tribe in setup.shamans.items()},
        megaliths={turned_space(space): tile for space, tile in setup.megaliths.items()},
        scores={tribe: setup.scores[tribe.enemy] for tribe in TRIBES},
        active=setup.active.enemy,
    )


def turned_space(space: Space) -> Space:
    return Space(SIZE + 1 - space.column, SIZE + 1 - space.row)


def turned_ways(token: Token) -> list[Token]:
    """The possible forms of a token after the half-turn.

    A swap of megaliths has two, because it is written with the earlier space first.
    """
    match token:
        case Add(space) | Banish(space) | Transform(space):
            return [type(token)(turned_space(space))]
        case Travel(origin, target):
            return [Travel(turned_space(origin), turned_space(target) if target else None)]
        case Push(origin, target):
            return [Push(turned_space(origin), turned_space(target))]
        case Put(space, tile):
            return [Put(turned_space(space), tile)]
        case Swap(first, second):
            return [Swap(turned_space(first), turned_space(second)), Swap(turned_space(second), turned_space(first))]
        case Copy(tile, choice):
            return [Copy(tile, each) for each in turned_ways(choice)]
    return [token]
