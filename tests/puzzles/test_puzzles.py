"""The released puzzles: what the set contains, that symmetric ones are one, and that the miner finds them."""

from __future__ import annotations

import collections
import dataclasses
import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from cairn import puzzles
from cairn.board import Board
from cairn.cluster import ClusterError
from cairn.engine.network import open_network
from cairn.notation.tokens import read_token
from cairn.puzzles import Goal, Puzzle, Theme
from cairn.puzzles.mining import LEAST_EXPECTED, LEAST_LEAD, MOST_EXPECTED, MOST_TURNS, Miner
from cairn.puzzles.proof import TooLongError, native_faults, rulebook_faults
from cairn.puzzles.puzzle import identity
from cairn.puzzles.shards import MiningSettings, mine
from cairn.puzzles.themes import themes_of
from cairn.puzzles.trial import Trial
from cairn.puzzles.web import DIGITS, write
from cairn.symmetry import SYMMETRIES, look
from cairn.vocabulary import TRIBES, Variant

RELEASED = puzzles.released()


def first(goal: Goal) -> Puzzle:
    return next(puzzle for puzzle in RELEASED if puzzle.goal is goal)


def test_there_are_a_thousand_forced_wins_over_all_variants() -> None:
    wins = collections.Counter(puzzle.variant for puzzle in RELEASED if puzzle.goal is Goal.WIN)
    assert wins.total() >= 1000
    assert min(wins[variant] for variant in Variant) >= 300
    assert {puzzle.turns for puzzle in RELEASED} == set(range(1, MOST_TURNS + 1))
    assert {theme for puzzle in RELEASED for theme in puzzle.themes} == set(Theme)


def test_no_two_puzzles_are_alike() -> None:
    assert len({look(puzzle.position, puzzle.tokens) for puzzle in RELEASED}) == len(RELEASED)
    assert len({puzzle.source.rpartition(":")[0] for puzzle in RELEASED}) == len(RELEASED)
    assert all(puzzle.id == identity(puzzle.position, puzzle.tokens) for puzzle in RELEASED)


def test_estimates_and_chances_are_within_their_limits() -> None:
    for puzzle in RELEASED:
        if puzzle.goal is Goal.DEFEND:
            assert puzzle.estimate >= LEAST_EXPECTED
        else:
            assert puzzle.estimate <= MOST_EXPECTED
        if puzzle.goal is Goal.ODDS:
            assert puzzle.chance
            assert puzzle.next_chance is not None
            assert puzzle.chance - puzzle.next_chance >= LEAST_LEAD


def test_solutions_can_be_played_and_have_the_themes() -> None:
    for puzzle in RELEASED:
        board = puzzle.board
        assert themes_of(board, puzzle.goal, puzzle.solution) == puzzle.themes
        for token in puzzle.solution:
            board.push(token)
        assert board.is_over == (puzzle.goal is Goal.WIN)
        if puzzle.goal is Goal.WIN:
            assert board.outcome
            assert board.outcome.winner is puzzle.decider


def test_some_puzzles_begin_inside_the_enemys_turn() -> None:
    assert any(puzzle.decider is not puzzle.board.active for puzzle in RELEASED)


@pytest.mark.parametrize("goal", Goal)
def test_a_second_search_proves_puzzles(goal: Goal) -> None:
    chosen = [puzzle for puzzle in RELEASED if puzzle.goal is goal][::40]
    assert [native_faults(puzzle) for puzzle in chosen] == [[]] * len(chosen)


def test_the_rulebook_proves_small_puzzles() -> None:
    proven = 0
    for puzzle in RELEASED[::100]:
        try:
            assert not rulebook_faults(puzzle, nodes=500)
            proven += 1
        except TooLongError:
            pass
    assert proven


def test_wrong_puzzles_are_detected() -> None:
    win, defence, odds = map(first, (Goal.WIN, Goal.DEFEND, Goal.ODDS))
    for puzzle in (win, defence):
        other = next(str(token) for token in puzzle.board.legal_moves if str(token) != puzzle.solution[0])
        assert native_faults(dataclasses.replace(puzzle, solution=(other,)))
        assert native_faults(dataclasses.replace(puzzle, turns=puzzle.turns - 1))
    three = next(puzzle for puzzle in RELEASED if (puzzle.goal, puzzle.turns) == (Goal.WIN, 1))
    assert native_faults(dataclasses.replace(three, turns=2))
    assert native_faults(dataclasses.replace(odds, chance=Fraction(1, 7)))
    assert native_faults(dataclasses.replace(odds, next_chance=Fraction(1, 97)))


def test_symmetric_moments_are_one() -> None:
    for puzzle in RELEASED[::50]:
        start = Board(puzzle.position)
        boards = [Board(symmetry.setup(start.setup)) for symmetry in SYMMETRIES]
        assert len({board.text for board in boards}) == len(SYMMETRIES)
        assert len({identity(board.text, ()) for board in boards}) == 1
        assert len({look(board.text, ()) for board in boards}) == 1


def test_a_puzzle_is_read_as_it_was_written() -> None:
    for puzzle in map(first, Goal):
        assert Puzzle.from_json(json.loads(puzzles.line_of(puzzle))) == puzzle
    with pytest.raises(ValueError, match="line 2 is not a puzzle: KeyError: 'id'"):
        puzzles.read_puzzles(f"{puzzles.line_of(RELEASED[0])}{{}}\n")


def test_shards_give_the_same_puzzles_again_and_are_kept(tmp_path: Path) -> None:
    settings = MiningSettings(seed=3, games=12, nodes=500)
    found = dict(mine(tmp_path / "one", settings, shards=2, jobs=1, ray_address=None))
    assert sum(map(len, found.values()))
    assert dict(mine(tmp_path / "one", settings, shards=2, jobs=1, ray_address=None)) == found
    (tmp_path / "one" / "0001.jsonl").unlink()
    assert dict(mine(tmp_path / "one", settings, shards=2, jobs=1, ray_address=None)) == found
    with pytest.raises(ValueError, match="other settings"):
        dict(mine(tmp_path / "one", dataclasses.replace(settings, seed=4), shards=2, jobs=1, ray_address=None))


@pytest.mark.filterwarnings("ignore")  # Ray does not close all of its sockets and files
def test_a_ray_cluster_mines_the_same_puzzles(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed. Run: make prove-ray")
    settings = MiningSettings(seed=3, games=12, nodes=500)
    here = dict(mine(tmp_path / "here", settings, shards=2, jobs=1, ray_address=None))
    ray.init(num_cpus=1, include_dashboard=False)
    try:
        address = ray.get_runtime_context().gcs_address
        assert dict(mine(tmp_path / "there", settings, shards=2, jobs=1, ray_address=address)) == here
    finally:
        ray.shutdown()


def test_mining_on_ray_says_which_package_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"pip install 'cairn-game\[ray\]'"):
        dict(mine(tmp_path, MiningSettings(seed=3, games=1, nodes=100), shards=1, jobs=1, ray_address="auto"))


def test_the_miner_finds_a_released_puzzle_in_its_solution() -> None:
    miner = Miner(open_network())
    wins = [each for each in RELEASED if each.goal is Goal.WIN and not each.tokens and each.estimate < 0.3]
    for puzzle in wins[::100]:
        winner = TRIBES.index(Board(puzzle.position).active) + 1
        solution = [read_token(token) for token in puzzle.solution]
        game = (tuple(Variant).index(puzzle.variant), puzzle.position, solution, winner, list[int | None]())
        again = next(each for each in miner.puzzles(game, "0:0:0") if each.goal is Goal.WIN)
        assert (again.id, again.turns, again.solution[0]) == (puzzle.id, puzzle.turns, puzzle.solution[0])


def test_the_strongest_level_solves_what_the_weakest_does_not() -> None:
    hard = RELEASED[-len(RELEASED) // 4 :]
    chosen = [puzzle for puzzle in hard if puzzle.goal is Goal.WIN][::30]
    trial = Trial()
    strong, weak = (sum(trial.solves(puzzle, level, seed=0) for puzzle in chosen) for level in (9, 1))
    assert strong > weak


def test_the_web_app_gets_every_puzzle_in_sixteen_files(tmp_path: Path) -> None:
    write(tmp_path)
    parts = {digit: json.loads((tmp_path / f"{digit}.json").read_text(encoding="utf-8")) for digit in DIGITS}
    assert all(puzzle["id"].startswith(digit) for digit, part in parts.items() for puzzle in part)
    assert {puzzle["id"] for part in parts.values() for puzzle in part} == {puzzle.id for puzzle in RELEASED}
