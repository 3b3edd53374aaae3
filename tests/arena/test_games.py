"""Games are paired, reproducible and recorded, and misbehaving players do not stop the arena."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cairn import Game, Reason, Variant
from cairn.arena import ArenaError, Job, Sprt, SprtVerdict, play_here, read_games
from cairn.arena.start import Draws, start, variant_of
from cairn.engine import Limit
from tests.arena.players import games_of, play, rogue, settings


def journal_of(folder: Path) -> list[dict[str, Any]]:
    _, *lines = (folder / "arena.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_both_games_of_a_pair_share_start_opening_and_draws(tmp_path: Path) -> None:
    wanted = settings("random", "level:1", "full,hash=1", pairs=3, opening_plies=5, seed=9)
    standings = play(wanted, tmp_path)
    assert standings.games == wanted.games == 18
    results = {job: each for each in games_of(journal_of(tmp_path)) if isinstance(job := each[0], Job)}
    assert len(results) == 18
    for pairing in ((0, 1), (0, 2), (1, 2)):
        for pair in range(3):
            _, start1, tokens1, *_ = results[Job(pairing, pair, swapped=False)]
            _, start2, tokens2, *_ = results[Job(pairing, pair, swapped=True)]
            assert isinstance(tokens1, tuple)
            assert isinstance(tokens2, tuple)
            assert start1 == start2 == start(9, pair).start_text
            assert tokens1[:5] == tokens2[:5] == tuple(map(str, start(9, pair, 5).tokens))
            for tokens in (tokens1, tokens2):
                assert_draws_follow_the_pair(str(start1), tokens, Draws(9, pair))
    assert {variant_of(pair) for pair in range(3)} == set(Variant)
    records = list(read_games((tmp_path / "arena.cairn").read_text(encoding="utf-8")))
    assert len(records) == 18
    first, second = records[:2]
    assert first.headers["Forest"] == second.headers["Sea"] == "random"
    assert first.headers["Sea"] == second.headers["Forest"] == "level:1"
    assert all(record.game.outcome for record in records)


def assert_draws_follow_the_pair(position: str, tokens: tuple[str, ...], draws: Draws) -> None:
    game = Game(position, tokens[:5])
    for token in tokens[5:]:
        if game.phase.value == "draw":
            assert token == str(draws.draw(game.legal_moves))
        game.push(token)


def test_random_openings_differ_from_pair_to_pair() -> None:
    assert len({start(1, 3 * pair, 4).tokens for pair in range(10)}) == 10
    assert start(1, 0).start_text != start(2, 0).start_text
    with pytest.raises(ValueError, match="too many"):
        start(1, 0, 100_000)


def test_the_number_of_jobs_does_not_change_the_games(tmp_path: Path) -> None:
    wanted = settings("full,hash=1", "level:2", pairs=4, sprt=Sprt(-300, 300), limit=Limit(nodes=400))
    runs = []
    for jobs in (1, 3):
        folder = tmp_path / str(jobs)
        standings = play(wanted, folder, jobs)
        runs.append((games_of(journal_of(folder)), standings.tested, standings.verdict))
    (games1, tested1, verdict1), (games3, tested3, verdict3) = runs
    assert (tested1, verdict1) == (tested3, verdict3)
    # With more jobs, more games may have finished when the sequential test stops.
    assert [game for game in games3 if game in games1] == games1


@pytest.mark.slow
def test_the_sequential_test_stops_the_arena(tmp_path: Path) -> None:
    wanted = settings("level:1", "random", pairs=200, sprt=Sprt(0, 200))
    standings = play(wanted, tmp_path)
    assert standings.verdict is SprtVerdict.ACCEPTED
    assert standings.games < 100
    again = play(wanted, tmp_path)
    assert again.games == len(journal_of(tmp_path))
    assert again.tested == standings.tested


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "kind", "reason", "words"),
    [
        ("crash", "crash", Reason.ABANDONED, "code 3"),
        ("illegal", "illegal", Reason.ABANDONED, "a1-e5"),
        ("complaint", "crash", Reason.ABANDONED, "this position is not legal"),
        ("slow", "time", Reason.TIME, "the limit is 50"),
        ("murder", "crash", Reason.ABANDONED, "signal 9"),
    ],
)
def test_a_misbehaving_player_loses_and_the_arena_continues(
    mode: str, kind: str, reason: Reason, words: str, tmp_path: Path
) -> None:
    limit = Limit(movetime_ms=50) if mode == "slow" else Limit(nodes=100)
    standings = play(settings("random", rogue(mode), "random", pairs=1, limit=limit), tmp_path)
    assert standings.games == 6
    assert dict(standings.forfeits) == {(1, kind): 4}
    assert standings.scores[0, 1].wins == 2
    assert standings.scores[1, 2].losses == 2
    assert standings.scores[0, 2].games == 2
    records = list(read_games((tmp_path / "arena.cairn").read_text(encoding="utf-8")))
    ended = [record for record in records if "Note" in record.headers]
    assert len(ended) == 4
    for record in ended:
        assert record.game.outcome is not None
        assert record.game.outcome.reason is reason
        assert words in record.headers["Note"]


def test_a_player_that_cannot_start_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"cmd:/no/such/engine cannot play"):
        play(settings("random", "cmd:/no/such/engine"), tmp_path)
    with pytest.raises(ArenaError, match="level:11 cannot play"):
        play(settings("random", "level:11"), tmp_path)


def test_a_game_that_gets_too_long_is_a_draw(tmp_path: Path) -> None:
    standings = play(settings("random", "random", pairs=1, longest=12), tmp_path)
    assert standings.scores[0, 1].draws == 2
    for record in read_games((tmp_path / "arena.cairn").read_text(encoding="utf-8")):
        assert len(record.game.tokens) == 12
        assert record.game.outcome is not None
        assert record.game.outcome.reason is Reason.AGREEMENT
        assert "12 tokens" in record.headers["Note"]


def test_closing_the_iterator_of_results_stops_the_games() -> None:
    wanted = settings("full,hash=1", "full,hash=1", limit=Limit(nodes=20_000), pairs=50)
    results = play_here(wanted, list(wanted.jobs()), jobs=2)
    assert next(results).result in ("F", "S", "=")
    results.close()
    with pytest.raises(StopIteration):
        next(results)
