"""The benchmark: its positions are fixed, and its ratings agree with plain computations."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from cairn import Board, Game
from cairn.arena import play_here, run
from cairn.arena.elo import POINTS, score_of
from cairn.benchmark import ladder_settings, positions, rate, result_of, solve_all
from cairn.benchmark.ladder import LEVEL_ELOS
from cairn.cli.app import app
from cairn.engine import EngineError, Limit, open_engine
from cairn.puzzles import Goal

DIGEST = "e6b9567c3480b521862532330ec2981fc80b6c633298ef0825110e5e360a7dc8"


def test_the_positions_do_not_change() -> None:
    """If this fails, the puzzles have changed: increase VERSION, and measure the baselines in docs/data.md again."""
    chosen = positions()
    assert len(chosen) == 1_000
    lines = [[puzzle.id, puzzle.position, *puzzle.tokens, puzzle.solution[0]] for puzzle in chosen]
    assert hashlib.sha256(json.dumps(lines).encode()).hexdigest() == DIGEST
    assert {puzzle.goal for puzzle in chosen} == set(Goal)
    assert len({puzzle.id for puzzle in chosen}) == 1_000
    for puzzle in chosen[::50]:
        assert puzzle.solution[0] in Board(puzzle.position, puzzle.tokens).legal_moves


def test_solving_counts_right_decisions() -> None:
    some = sorted(positions(), key=lambda puzzle: puzzle.rating or 0)[:60]
    strong = solve_all("full,hash=8", Limit(nodes=20_000), wanted=some)
    weak = solve_all("random", Limit(), wanted=some)
    assert strong.score > 0.9
    assert weak.score < 0.5
    low, high = strong.interval
    assert low < strong.score < high + 1e-9
    # Levels and random players are seeded, so results are reproducible, whatever the number of processes.
    assert solve_all("random", Limit(), jobs=2, wanted=some) == weak
    kinds = strong.by_kind()
    assert sum(total for _, total in kinds.values()) == 60
    assert sum(solved for solved, _ in kinds.values()) == sum(strong.solved.values())


def test_a_decision_counts_only_if_it_is_the_solution() -> None:
    chosen = positions()[:30]
    found = solve_all("greedy", Limit(), wanted=chosen)
    engine = open_engine("greedy")
    for puzzle in chosen:
        token = engine.play(Game(puzzle.position, puzzle.tokens)).token
        assert found.solved[puzzle.id] is (str(token) == puzzle.solution[0])


def test_a_wrong_engine_is_an_error_and_not_a_wrong_decision() -> None:
    with pytest.raises(ValueError, match="expected something like"):
        solve_all("nonsense", Limit())
    with pytest.raises((EngineError, ValueError)):
        solve_all("cmd:/no/such/program", Limit(nodes=1), wanted=positions()[:1])


def test_the_elos_of_the_levels_are_the_measured_ones(repository: Path) -> None:
    measured = json.loads((repository / "docs" / "results" / "levels.json").read_text(encoding="utf-8"))
    assert [round(level["elo"]) for level in measured["levels"]] == list(LEVEL_ELOS)


def test_the_rating_is_the_most_likely_one() -> None:
    counts = {1: [0, 0, 1, 1, 8], 4: [1, 0, 5, 1, 3], 5: [4, 1, 4, 0, 1], 9: [10, 0, 0, 0, 0]}

    def log_likelihood(elo: float) -> float:
        total = 0.0
        for level, pairs in counts.items():
            chance = score_of(elo - LEVEL_ELOS[level - 1])
            for count, point in zip(pairs, POINTS, strict=True):
                total += 2 * count * (point * math.log(chance) + (1 - point) * math.log(1 - chance))
        return total

    grid = np.arange(-500, 2500, 0.5)
    best = grid[np.argmax([log_likelihood(elo) for elo in grid])]
    elo, margin = rate(counts)
    assert elo == pytest.approx(best, abs=0.5)
    assert 50 < margin < 300


def test_the_interval_of_the_rating_covers_the_truth() -> None:
    random = np.random.default_rng(5)
    covered = 0
    for _ in range(300):
        counts = {level: [0, 0, 0, 0, 0] for level in range(1, 11)}
        for level, pairs in counts.items():
            wins = random.binomial(2, score_of(1_100 - LEVEL_ELOS[level - 1]), 12)
            for each in wins:
                pairs[2 * each] += 1
        elo, margin = rate(counts)
        covered += abs(elo - 1_100) < margin
    assert 0.90 < covered / 300 < 0.99


def test_a_rating_without_a_loss_or_a_win_is_only_a_bound() -> None:
    won = {level: [0, 0, 0, 0, 5] for level in range(1, 11)}
    lost = {level: [5, 0, 0, 0, 0] for level in range(1, 11)}
    best, above = rate(won)
    worst, below = rate(lost)
    assert (best, worst) == (math.inf, -math.inf)
    assert above > LEVEL_ELOS[-1]
    assert below < LEVEL_ELOS[0]
    # At the bound, all games would be won with a chance of 5 %.
    chance = math.prod(score_of(above - elo) ** 10 for elo in LEVEL_ELOS)
    assert chance == pytest.approx(0.05, rel=0.01)
    with pytest.raises(ValueError, match="no pair"):
        rate({1: [0, 0, 0, 0, 0]})


def test_levels_are_not_limited_by_the_engines_limit() -> None:
    settings = ladder_settings("full", Limit(nodes=5), 1)
    assert settings.limit_of(0) == Limit(nodes=5)
    assert all(settings.limit_of(player).is_endless for player in range(1, 11))
    assert settings.patience_s == 600
    limited = dataclasses.replace(settings, free_levels=False)
    assert limited.limit_of(3) == Limit(nodes=5)
    assert "free_levels" not in limited.to_json()
    assert type(settings).from_json(settings.to_json()) == settings
    assert type(settings).from_json(limited.to_json()) == limited


def test_an_engine_plays_the_levels(tmp_path: Path) -> None:
    settings = dataclasses.replace(ladder_settings("random", Limit(), 2), pairings=((0, 1), (0, 2)))
    standings = run(settings, tmp_path / "journal.jsonl", None, functools.partial(play_here, jobs=2))
    found = result_of(standings)
    assert {level: games for level, (_, games) in found.scores.items()} == {1: 4, 2: 4}
    assert found.elo < 400


def test_the_command_prints_the_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["benchmark", "random", "--pairs", "0", "--jobs", "1"])
    assert result.exit_code == 0
    assert "Positions solved: " in result.stdout
    assert "  win, turns 3: " in result.stdout
    wrong = CliRunner().invoke(app, ["benchmark", "level:11"])
    assert (wrong.exit_code, "level must be a whole number" in wrong.stderr) == (2, True)
