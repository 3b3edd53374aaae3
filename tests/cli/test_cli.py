"""The command line, except ``cairn verify``."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner, Result

import cairn
from cairn.cli.app import app

POSITION: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=typed)


def test_version_is_printed() -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("cairn 0.")


def test_help_lists_the_commands() -> None:
    result = run("--help")
    assert result.exit_code == 0
    commands = ("play", "show", "analyse", "check", "perft", "solve", "explore", "engine", "arena")
    for command in commands:
        assert f"\n  {command} " in result.stdout
        command_help = run(command, "--help").stdout
        assert "<bool>" not in command_help
        assert " ." not in command_help
    assert "..." not in result.stdout.partition("Commands:")[2]
    assert "[default: 1]" in run("play", "--help").stdout


@pytest.mark.parametrize(("option", "value"), [("--tribe", "x"), ("--variant", "huge")])
def test_an_invalid_choice_is_reported(option: str, value: str) -> None:
    result = run("play", option, value)
    assert result.exit_code == 2
    assert f"“{value}” is not one of " in result.stderr
    assert "Value error" not in result.stderr


def test_explore_lists_what_the_engine_played() -> None:
    lines = run("explore", POSITION).stdout.splitlines()
    games = [int(line.split()[1].replace(",", "")) for line in lines[1:]]
    assert lines[0] == f"{sum(games):,} games from here"
    assert games == sorted(games, reverse=True)
    assert {line.split()[0] for line in lines[1:]} <= set(map(str, cairn.Board(POSITION).legal_moves))
    fewer = run("explore", POSITION, "--variant", "expert", "--any-megaliths").stdout
    assert "games from here" in fewer
    unknown = run("explore", "5/5/5/2F2/5 - DRMD (ADCSPSSA) wofm 2-2 F")
    assert (unknown.exit_code, unknown.stdout) == (0, "No game has reached this position.\n")
    assert run("explore", "nonsense").exit_code == 2
    assert "“huge” is not one of" in run("explore", POSITION, "--variant", "huge").stderr


def test_perft_counts_and_reports_errors() -> None:
    assert run("perft", POSITION, "4").stdout == "2442\n"
    lines = run("perft", POSITION, "2", "--divide").stdout.splitlines()
    assert lines[-1] == "total 43"
    assert sum(int(line.split()[1]) for line in lines[:-1]) == 43
    assert run("perft", POSITION, "0", "--divide").stdout == "total 1\n"
    wrong = run("perft", "nonsense", "2")
    assert wrong.exit_code == 2
    assert "seven fields" in wrong.stderr
    for depth in ("-1", "100", "x", "1.5", ""):
        wrong = run("perft", POSITION, depth)
        assert (wrong.exit_code, wrong.stderr) == (
            2,
            f"cairn: DEPTH must be a whole number from 0 to 99, not “{depth}”\n",
        )


@pytest.mark.slow
def test_a_long_count_can_be_interrupted() -> None:
    command = [sys.executable, "-c", "from cairn.cli import main; main()", "perft", "--divide", POSITION, "10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()  # the count has begun
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=30)
    assert (process.returncode, complaint) == (130, "cairn: stopped before the count finished\n")


def test_show_prints_and_draws_the_position(tmp_path: Path) -> None:
    result = run("show", POSITION, "a1-a2")
    assert result.exit_code == 0
    assert "Sea is to play" in result.stdout
    assert "a5-b4" in result.stdout
    assert run("show", POSITION).stdout != run("show", POSITION, "--flip").stdout
    drawing = tmp_path / "board.svg"
    assert run("show", POSITION, "--svg", str(drawing)).exit_code == 0
    assert drawing.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("tokens", [["a1-a9"], ["a1-a5"], ["a1-a2", "a1-a2"]])
def test_show_reports_illegal_tokens(tokens: list[str]) -> None:
    result = run("show", POSITION, *tokens)
    assert result.exit_code == 2
    assert f"cairn: “{tokens[-1]}”: " in result.stderr
    assert "Traceback" not in result.stderr


def test_show_says_how_a_game_ended() -> None:
    over = "5/5/4S/2S1S/SS1F1 c1MM,d1CD,e1CG,d3CS,e4SW DRWC (ADFCHEHPMDPSSASHSSTS) wdfm 1-2 F"
    assert "Sea wins: Forest has no action left (G2).\n" in run("show", over).stdout


def test_show_prints_the_power_that_is_applied() -> None:
    result = run("show", "S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F", "a1-c3")
    power = cairn.MEGALITHS["FC"].powers["en"]
    assert f"Forest decides. Fairies Circle on c3: {power}\n" in result.stdout


def test_show_reports_invalid_positions() -> None:
    result = run("show", "")
    assert result.exit_code == 2
    assert result.stderr == "cairn: Position: A position has seven fields with one space between them.\n"


def test_an_unwritable_drawing_is_reported(tmp_path: Path) -> None:
    result = run("show", POSITION, "--svg", str(tmp_path / "no" / "such.svg"))
    assert (result.exit_code, "no such file" in result.stderr) == (1, True)


def test_check_reports_each_record(tmp_path: Path) -> None:
    good, bad, binary = tmp_path / "good.cairn", tmp_path / "bad.cairn", tmp_path / "binary.cairn"
    good.write_text(cairn.write_record(cairn.Record(cairn.Game(POSITION, ["a1-a2"]))), encoding="utf-8")
    bad.write_text(f'[Position "{POSITION}"]\n\n1 F a1-a5\n*\n', encoding="utf-8")
    binary.write_bytes(b"\xff\xfe")
    result = run("check", str(good))
    assert result.exit_code == 0
    assert result.stdout == f"{good}: OK, result * (unfinished), 1 token\n"
    result = run("check", str(good), str(bad), str(binary), str(tmp_path / "missing.cairn"))
    assert result.exit_code == 1
    assert "OK" in result.stdout
    assert f"{bad}: Turn 1, token 1 (a1-a5): The rules do not allow this here. Possible now: " in result.stderr
    assert f"{binary}: Byte 1: The file is not plain text in UTF-8.\n" in result.stderr
    assert "missing.cairn: no such file" in result.stderr


def test_a_few_turns_can_be_played_and_saved(tmp_path: Path) -> None:
    saved = tmp_path / "game.cairn"
    typed = f"1\nundo\nundo\nnonsense\nhelp\n\nboard\n1\n2\nsave {saved}\nsave {saved}\nsave\nquit\n"
    result = run("play", "--two", "--seed", "3", typed=typed)
    assert result.exit_code == 0
    for words in (
        "is to play",
        "nothing to take back",
        "“nonsense” is not a choice",
        "save FILE",
        "Saved to",
        "Goodbye.",
    ):
        assert words in result.stdout
    record = cairn.read_record(saved.read_text(encoding="utf-8"))
    assert len(record.game.tokens) == 2
    assert record.headers["Forest"] == record.headers["Sea"] == "guest"


def test_save_does_not_overwrite_other_files(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("mine", encoding="utf-8")
    result = run("play", "--seed", "3", typed=f"save {precious}\nsave {tmp_path}/no/such\nquit\n")
    assert f"already exists. To overwrite it, type save! {precious}" in result.stdout
    assert "Cannot write" in result.stdout
    assert precious.read_text(encoding="utf-8") == "mine"
    assert "Saved to" in run("play", "--seed", "3", typed=f"SAVE! {precious}\nq\n").stdout
    assert cairn.read_record(precious.read_bytes()).game.outcome is None


def test_play_introduces_the_players_and_the_options() -> None:
    first, second, *_ = run("play", "--seed", "3", typed="quit\n").stdout.splitlines()
    assert first == "You are Forest, against the computer at level 1."
    assert "cairn play --two" in second
    assert "--against LEVEL" in second
    assert run("play", "--two", typed="quit\n").stdout.startswith("Two people are playing.")
    assert run("play", "--tribe", "SEA", typed="quit\n").stdout.startswith("You are Sea,")
    assert run("play", "--two", "--against", "4").exit_code == 2


@pytest.mark.parametrize("word", ["q", "quit", "exit", "QUIT", "Exit", " q "])
def test_every_quit_command_ends_the_program(word: str) -> None:
    result = run("play", "--two", "--seed", "3", typed=f"{word}\n1\n")
    assert result.exit_code == 0
    assert result.stdout.endswith("Goodbye.\n")
    assert result.stdout.count("is to play") == 1


def test_the_powers_are_explained() -> None:
    result = run("play", "--two", "--seed", "3", typed="dr\nTiles\nquit\n")
    for tile in cairn.Variant.BEGINNER.megaliths:
        assert f"{tile.code}  {tile.name}: {tile.powers['en']}\n" in result.stdout
    assert "none of the choices" not in result.stdout


def test_choices_have_descriptions_and_ignore_case() -> None:
    game = cairn.Game.start("beginner", 3)
    step = next(str(token) for token in game.legal_moves if "-" in str(token))
    result = run("play", "--two", "--seed", "3", typed=f"{step.upper()}\nquit\n")
    origin, target = step.split("-")
    assert f"Move from {origin} to {target}\n" in result.stdout
    assert "none of the choices" not in result.stdout
    assert f"    {step}\n" in result.stdout  # shown as the last move


def test_a_resigned_game_is_over_and_can_be_saved(tmp_path: Path) -> None:
    saved, precious = tmp_path / "game.cairn", tmp_path / "precious.txt"
    precious.write_text("mine", encoding="utf-8")
    typed = f"1\nresign\nundo\nsave\nsave {precious}\nsave {saved}\nnever heard\n"
    result = run("play", "--two", "--seed", "3", typed=typed)
    assert result.exit_code == 0
    assert " resigned." in result.stdout
    assert result.stdout.endswith(f"Saved to {saved}.\n")
    outcome = cairn.read_record(saved.read_bytes()).game.outcome
    assert outcome
    assert outcome.reason is cairn.Reason.RESIGNATION
    assert precious.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("typed", ["\n", "", "quit\n"])
def test_a_finished_game_need_not_be_saved(typed: str) -> None:
    result = run("play", "--two", "--seed", "3", typed=f"resign\n{typed}")
    assert result.exit_code == 0
    assert "save FILE, or Enter to quit> " in result.stdout


def test_play_accepts_a_token_and_says_goodbye_at_the_end_of_input() -> None:
    board = cairn.Board.start("expert", 5)
    result = run("play", "--variant", "expert", "--seed", "5", typed=f"{board.legal_moves[0]}\n")
    assert result.exit_code == 0
    assert result.stdout.rstrip().endswith("Goodbye.")


@pytest.mark.parametrize("tribe", ["forest", "sea"])
def test_a_whole_game_against_the_computer_ends_with_its_result(tribe: str) -> None:
    result = run("play", "--seed", "1", "--tribe", tribe, "--against", "random", typed="1\n" * 500)
    assert result.exit_code == 0
    last = next(line for line in reversed(result.stdout.splitlines()) if " wins: " in line or "is drawn: " in line)
    assert last.endswith(").")


def test_undo_returns_to_a_persons_last_choice() -> None:
    typed = "1\nundo\nundo\nquit\n"
    result = run("play", "--seed", "3", "--tribe", "forest", "--against", "random", typed=typed)
    assert "Sea plays " in result.stdout
    assert "There is nothing to take back." in result.stdout
    assert result.exit_code == 0


def test_the_command_imports_only_what_it_needs() -> None:
    code = (
        "import sys, cairn.cli.app; print([name for name in ('rich.console', 'cairn.engine') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


@pytest.mark.parametrize("command", [("arena", "random", "random"), ("train", "settings.toml", "folder")])
def test_windows_is_told_which_commands_it_cannot_run(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.cli.screen.sys.platform", "win32")
    refused = run(*command)
    assert refused.exit_code == 1
    assert "this command needs Linux or macOS" in refused.output
