"""Deals and draws are fair and depend only on the seed."""

from __future__ import annotations

import collections
import itertools
import random

import pytest

from cairn import FOREST, MEGALITHS, SEA, Board, Variant
from cairn.fairness import KeyedRandom, draw
from cairn.server.game.chance import SEED_BYTES, SecretChance
from cairn.server.game.seated_game import SeatedGame

CHANCE = SecretChance()
TILES = tuple(MEGALITHS.values())


def seed(number: int) -> bytes:
    return number.to_bytes(SEED_BYTES)


def test_a_seed_always_gives_the_same_deal_and_draws() -> None:
    for variant in Variant:
        assert CHANCE.deal(seed(1), variant, None) == CHANCE.deal(seed(1), variant, None)
    assert draw(seed(1), 3, TILES) == draw(seed(1), 3, TILES)
    # Stored games depend on these values: they must never change.
    assert CHANCE.deal(seed(1), Variant.EXPERT, None) == DEAL
    assert [draw(seed(1), number, TILES).code for number in range(6)] == DRAWS


DEAL = "S1S1S/5/5/5/F1F1F b3SW,d3MD WCSH (ADCDCGCSDRFCHEHPMMPSSASSTS) bdem 0-0 S"
DRAWS = ["SH", "FC", "MM", "MM", "CD", "WC"]


def test_new_seeds_differ_and_have_the_full_length() -> None:
    seeds = {CHANCE.new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(each) for each in seeds} == {SEED_BYTES}


def test_deals_are_valid_positions_and_differ() -> None:
    deals = {CHANCE.deal(seed(number), Variant.STANDARD, None) for number in range(200)}
    assert len(deals) > 190
    assert {Board(deal).active for deal in deals} == {FOREST, SEA}


@pytest.mark.parametrize("first", [FOREST, SEA])
def test_the_first_tribe_can_be_chosen(first: object) -> None:
    for number in range(20):
        deal = Board(CHANCE.deal(seed(number), Variant.BEGINNER, first))  # type: ignore[arg-type]
        tossed = Board(CHANCE.deal(seed(number), Variant.BEGINNER, None))
        assert deal.active is first
        assert deal.text[:-1] == tossed.text[:-1]


def test_draws_are_fair() -> None:
    tiles = TILES[:5]
    drawn = collections.Counter(draw(seed(number), 0, tiles).code for number in range(5_000))
    expected = 5_000 / len(tiles)
    chi_square = sum((count - expected) ** 2 / expected for count in drawn.values())
    assert len(drawn) == len(tiles)
    assert chi_square < 18.47  # the 99.9th percentile of the chi-square distribution with four degrees of freedom


def test_draws_are_independent() -> None:
    tiles = TILES[:2]
    pairs = collections.Counter(tuple(draw(seed(s), n, tiles).code for n in (0, 1)) for s in range(4_000))
    assert all(800 < count < 1_200 for count in pairs.values())
    assert len(pairs) == 4


def test_a_request_for_more_bits_than_a_block_contains_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 256 bits"):
        KeyedRandom(b"", "").getrandbits(257)


def test_the_core_draws_the_same_tiles_as_the_fairness_module() -> None:
    for number, variant in itertools.product(range(40), Variant):
        rng, game, draws = random.Random(number), SeatedGame(CHANCE.deal(seed(number), variant, None)), 0
        while not game.is_over and draws < 12:
            before = game.board
            first_step, *drawn = game.play(str(rng.choice(game.legal_moves)), seed(number))
            before.push(first_step.token)
            for step in drawn:
                tiles = before.setup.deck.draws()
                assert step.token == f"?{draw(seed(number), draws, tiles)}"
                before.push(step.token)
                draws += 1
        assert draws > 0
