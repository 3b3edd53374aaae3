"""Cached results for positions equal freshly computed ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType

from cairn.board import Board
from cairn.game import Game
from cairn.server.game import choices as choices_module
from cairn.server.game.choices import choices
from cairn.server.game.seated_game import SeatedGame
from cairn.story import narration, play
from cairn.vocabulary import Phase
from harness.server.client import CHAIN, LEAVES, START

STARTS = (START, CHAIN, LEAVES) * 4
LONGEST = 200
"""The maximum number of tokens in a game."""


def forget(module: ModuleType) -> int:
    """Clear every cache in a module; return the number of caches."""
    caches = [each.cache_clear for each in vars(module).values() if hasattr(each, "cache_clear")]
    for clear in caches:
        clear()
    return len(caches)


def boards() -> Iterator[Board]:
    """Yield the boards of random games. Every call yields the same boards."""
    rng = random.Random(1)
    for start in STARTS:
        game = Game(start)
        while game.outcome is None and len(game.tokens) < LONGEST:
            yield game.board
            game.push(str(rng.choice(list(game.legal_moves))))


def test_cached_steps_equal_fresh_ones() -> None:
    rng = random.Random(1)
    games, remembered = [SeatedGame(start) for start in STARTS], []
    for game in games:
        while game.outcome is None and len(game.tokens) < LONGEST:
            remembered.append(game.follow(str(rng.choice(list(game.legal_moves)))))
    fresh = []
    for start, game in zip(STARTS, games, strict=True):
        plain = Game(start)
        for token in game.tokens:
            assert forget(narration) >= 2
            fresh.append(play(plain, token))
    assert [step.effects for step in remembered] == fresh
    assert len(fresh) > 500


def test_cached_choices_equal_fresh_ones() -> None:
    for board in boards():
        choices(board)
    remembered = [choices(board) for board in boards()]
    fresh = []
    for board in boards():
        assert forget(choices_module) >= 1
        fresh.append(choices(board))
    assert remembered == fresh
    assert sum(map(len, fresh)) > 1_000


def test_the_tile_of_a_choice_is_the_tile_that_the_action_flips() -> None:
    looked = set()
    for board in boards():
        if board.phase is not Phase.ACTION:
            assert {choice.tile for choice in choices(board)} <= {None}
            continue
        before = board.setup.faces
        for choice in choices(board):
            after = board.copy()
            after.push(choice.token)
            faces = after.setup.faces
            assert [name for name in ("add", "move", "jump") if getattr(faces, name) != getattr(before, name)] == [
                choice.tile
            ]
            looked.add((choice.tile, choice.token.endswith("-out")))
    assert looked == {("add", False), ("move", False), ("move", True), ("jump", False), ("jump", True)}
