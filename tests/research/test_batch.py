"""Many games at once, from Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from cairn import Board, Game, MalformedError
from cairn.research import encoding
from cairn.research.batch import Autoreset, Batch
from cairn.vocabulary import TRIBES
from harness import positions


def test_a_batch_follows_the_rules_from_any_position() -> None:
    """Given choices, draws included, lead a batch and a game of the library to the same moments and results."""
    rng = random.Random(1)
    starts = [positions.text_of(kind(rng)) for kind in positions.KINDS.values() for _ in range(10)]
    starts = [start for start in starts if not Board(start).is_over]
    batch = Batch(
        len(starts), chooses_draws=True, autoreset=Autoreset.DISABLED, outputs=("observations", "masks", "bits")
    )
    games = [Game(start) for start in starts]
    for number, start in enumerate(starts):
        batch.place(number, start)
    for _ in range(120):
        choices = np.zeros(len(games), np.int32)
        for number, game in enumerate(games):
            assert batch.position(number) == game.board.text
            assert batch.key(number) == game.board.key
            over = game.outcome is not None
            legal = [] if over else encoding.legal_ids(game.board)
            frame = batch.frame
            assert sorted(frame.legal[number][: frame.counts[number]].tolist()) == legal
            assert np.flatnonzero(frame.masks[number]).tolist() == legal
            assert (encoding.pack(frame.masks[number]) == frame.bits[number]).all()
            assert (frame.observations[number] == encoding.observe(game.board)).all()
            if not over:
                choices[number] = rng.choice(legal)
                game.push(encoding.token_of(game.board, int(choices[number])))
        finished = batch.frame.terminations.copy()
        frame = batch.step(choices)
        for number, game in enumerate(games):
            if game.outcome is None or finished[number]:
                continue
            winner = game.outcome.winner
            expected = [0.0 if winner is None else 1.0 if winner is tribe else -1.0 for tribe in TRIBES]
            assert frame.rewards[number].tolist() == expected
            assert frame.terminations[number]
    assert sum(game.outcome is not None for game in games) > len(games) / 2


def test_the_same_seed_deals_and_plays_the_same_games() -> None:
    batches = [Batch(12, variant="all", seed=4, threads=threads) for threads in (1, 2)]
    for _ in range(200):
        first, second = (batch.step_random() for batch in batches)
        assert all((one == other).all() for one, other in zip(first, second, strict=True) if one is not None)
    for batch in batches:
        batch.reset(4)
    other = Batch(12, variant="all", seed=5)
    dealt = [[batch.position(game) for game in range(12)] for batch in (*batches, other)]
    assert dealt[0] == dealt[1] != dealt[2]


def test_the_frame_before_the_last_is_kept() -> None:
    batch = Batch(4, seed=1)
    first = batch.step_random()
    before = first.observations.copy()
    second = batch.step_random()
    assert (first.observations == before).all()
    assert not np.shares_memory(first.observations, second.observations)
    assert np.shares_memory(first.observations, batch.step_random().observations)


def test_frames_are_read_only_views_that_outlive_the_batch() -> None:
    frame = Batch(2, seed=1).frame
    with pytest.raises(ValueError, match="read-only"):
        frame.observations[0, 0] = 1
    assert frame.observations.sum() > 20
    assert (np.from_dlpack(frame.observations) == frame.observations).all()


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="games is out of range"):
        Batch(0)
    with pytest.raises(ValueError, match="threads is out of range"):
        Batch(1, threads=0)
    with pytest.raises(ValueError, match="expected outputs among observations, masks, bits, not pictures"):
        Batch(1, outputs=("pictures",))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'giant' is not a valid Variant"):
        Batch(1, variant="giant")
    batch = Batch(2, seed=1)
    before = [batch.position(game) for game in range(2)]
    with pytest.raises(encoding.IllegalActionError, match="game 1: 3654 is not legal at"):
        batch.step([batch.frame.legal[0, 0], encoding.ACTIONS - 1])
    assert [batch.position(game) for game in range(2)] == before
    with pytest.raises(ValueError, match="one entry for each game"):
        batch.step(np.zeros(3))
    with pytest.raises(MalformedError):
        batch.place(0, "nonsense")
    with pytest.raises(IndexError, match="no such game"):
        batch.position(2)


def test_no_draw_is_decided_before_it_is_made() -> None:
    """At every draw, every tile of unknown order is legal: nothing has decided yet which one comes."""
    batch = Batch(64, variant="expert", seed=9, chooses_draws=True)
    for _ in range(60):
        frame = batch.frame
        for game in np.flatnonzero(frame.deciders == 2):
            legal = frame.legal[game][: frame.counts[game]].tolist()
            unknown = batch.position(int(game)).split()[3]
            tiles = {encoding.TILES[number - encoding.ACTIONS] for number in legal}
            inside = unknown[unknown.find("(") + 1 : unknown.find(")")] if "(" in unknown else unknown[:2]
            assert tiles == {inside[index : index + 2] for index in range(0, len(inside), 2)}
        batch.step_random()
