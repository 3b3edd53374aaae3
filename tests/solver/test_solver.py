"""Solver results, and proofs checked token by token against the rulebook."""

from __future__ import annotations

from typing import Final

import pytest
from typer.testing import CliRunner, Result

from cairn import Board, Game, GameOverError, Phase, Tribe, rulebook
from cairn.cli.app import app
from cairn.engine import solver
from cairn.notation import read_position
from cairn.rulebook import Moment
from harness.mined import read

START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
WON: Final = "5/2F2/5/S3S/5 - ---- - wofm 2-0 F"
LARGEST_PROOF: Final = 300
Proof = dict[int, solver.ProofStep]


def replay(moment: Moment, board: Board, proof: Proof, winner: Tribe, turns: int) -> int:
    """Check the proof against every defence, using the rulebook. The board is used only to look up the steps."""
    if moment.outcome:
        assert moment.outcome.winner is winner
        return 1
    assert turns >= 1
    step = proof[board.key]
    assert step.turns <= turns
    assert (step.token is not None) == (moment.decider is winner)
    ends = 0
    for token in [step.token] if step.token else rulebook.legal_tokens(moment):
        after = rulebook.play(moment, token)
        board.push(token)
        ends += replay(after, board, proof, winner, turns - (after.phase is Phase.ACTION))
        board.pop()
    return ends


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_proofs_hold_under_the_rulebook(turns: int) -> None:
    checked = 0
    for mined in [mined for mined in read() if mined.turns == turns][::2]:
        board, winner = Board(mined.position), Tribe(mined.winner)
        proof = solver.prove(board, winner, turns)
        assert proof[board.key].turns == turns
        if len(proof) > LARGEST_PROOF:
            continue  # the rulebook would take too long
        assert replay(rulebook.begin(read_position(mined.position)), board, proof, winner, turns)
        checked += 1
    assert checked >= 50


def test_there_is_no_proof_without_a_win() -> None:
    board = Board(START)
    assert not any(solver.prove(board, tribe, 3) for tribe in Tribe)
    assert not solver.prove(Board(WON), Tribe.FOREST, 2)
    assert not solver.prove(Board(WON), Tribe.FOREST, 3, nodes=2)


def test_the_solver_reports_a_win_a_loss_neither_or_unknown() -> None:
    win = solver.solve(Board(WON), 3)
    assert (win.result, win.winner, win.turns) == (solver.SolverResult.WIN, Tribe.FOREST, 3)
    loss = solver.solve(Board(WON, ["c4-c5"]), 3)
    assert (loss.result, loss.winner, loss.turns) == (solver.SolverResult.LOSS, Tribe.FOREST, 2)
    neither = solver.solve(Board(WON), 2)
    assert (neither.result, neither.winner, neither.turns, neither.line) == (
        solver.SolverResult.NOT_WITHIN,
        None,
        2,
        (),
    )
    unknown = solver.solve(Board(START), 9, nodes=100)
    assert unknown.result is solver.SolverResult.UNKNOWN
    assert unknown.nodes <= 100


def test_the_line_can_be_played_and_ends_the_game() -> None:
    for mined in read()[::9]:
        solution = solver.solve(Board(mined.position), 3)
        game = Game(mined.position, solution.line)
        assert (game.outcome and game.outcome.winner) is solution.winner


def test_a_draw_by_repetition_prevents_a_win() -> None:
    game = Game("2F2/5/5/S3S/5 - ---- - wdfm 2-0 S")
    back = ["a2-b3", "c5-c4", "b3-a2"]
    for token in [*back, "c4-c5", *back]:
        game.push(token)
    assert game.board.text == WON
    assert solver.solve(Board(WON), 3).winner is Tribe.FOREST
    assert solver.solve(game, 3).result is solver.SolverResult.NOT_WITHIN  # c4-c5 would be the third occurrence (G3)


def test_invalid_solver_arguments_are_rejected() -> None:
    over = Board(WON, ["c4-c5", "+b5", "c5-out"])
    with pytest.raises(GameOverError, match="nothing to solve"):
        solver.solve(over, 3)
    with pytest.raises(ValueError, match="turns must be from 1 to 20"):
        solver.solve(Board(WON), 0)
    with pytest.raises(ValueError, match="at least 1"):
        solver.solve(Board(WON), 3, nodes=0)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["solve", *arguments])


def test_the_command_prints_the_result_and_the_line() -> None:
    result = run(WON, "--turns", "3")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "Forest wins within 3 turns, and cannot force a faster win.\nline: c4-c5 +b5 c5-out\nnodes: "
    )
    assert run(WON, "c4-c5", "+b5").stdout.startswith("Forest wins this turn")
    assert run(WON, "--turns", "2").stdout.startswith("Nobody can force a win within 2 turns.\n")
    assert run(START, "--turns", "9", "--nodes", "100").stdout.startswith("Unknown: ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "seven fields"),
        ([WON, "c4-c1"], "c4-c1"),
        ([WON, "--turns", "21"], "turns must be from 1 to 20"),
        ([WON, "c4-c5", "+b5", "c5-out"], "The game is over."),
    ],
)
def test_the_command_reports_errors(arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
