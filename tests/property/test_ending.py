"""Every random game ends, and a finished game accepts no more tokens."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given

from cairn import Board, Game, GameOverError
from cairn.vocabulary import Phase, Reason, Setup
from tests.strategies import SEEDS, Line, lines, setups

LONGEST_PLAYOUT: Final = 10_000
"""The maximum number of tokens in a game. The longest of tens of thousands of random games had about 1,100 tokens."""


@given(setups(), SEEDS)
def test_every_playout_ends(setup: Setup, seed: int) -> None:
    games = 20
    tokens, (unfinished, forest, sea) = Board(setup).random_playouts(games, seed, LONGEST_PLAYOUT)
    assert unfinished == 0
    assert forest + sea == games
    assert tokens < games * LONGEST_PLAYOUT
    assert Board(setup).random_playouts(games, seed, LONGEST_PLAYOUT) == (tokens, [0, forest, sea])


@pytest.mark.slow
@given(lines(longest=200))
def test_a_finished_game_accepts_no_more_tokens(line: Line) -> None:
    game = Game(line.position)
    for token in line.tokens:
        if game.outcome:
            with pytest.raises(GameOverError):
                game.push(token)
            break
        assert game.legal_moves
        assert game.decider is not None
        game.push(token)
    assert (game.outcome is None) == (game.phase is not Phase.OVER) == bool(game.legal_moves)
    if game.outcome:
        assert game.decider is None
        assert game.outcome.reason in (Reason.SCORE, Reason.NO_ACTION, Reason.REPETITION)
        assert (game.outcome.winner is None) == (game.outcome.reason is Reason.REPETITION)


@given(lines(longest=60))
def test_scores_only_grow_and_tiles_are_never_lost(line: Line) -> None:
    board = Board(line.position)

    def tiles() -> list[str]:
        setup = board.setup
        everywhere = [*setup.megaliths.values(), *setup.upcoming, *setup.deck.unknown, *setup.deck.known]
        return sorted(tile.code for tile in everywhere if tile)

    expected = tiles()
    for token in line.tokens:
        before = board.scores
        board.push(token)
        grown = sum(board.scores.values()) - sum(before.values())
        assert grown in (0, 1)
        assert tiles() == expected
