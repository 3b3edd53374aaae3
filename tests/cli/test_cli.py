"""The commands, as somebody at a terminal meets them."""

from __future__ import annotations

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


def test_version() -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("cairn 0.")


def test_help_lists_the_commands() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for command in ("play", "show", "check", "perft", "engine"):
        assert command in result.stdout


def test_perft() -> None:
    assert run("perft", POSITION, "4").stdout == "2442\n"
    lines = run("perft", POSITION, "2", "--divide").stdout.splitlines()
    assert lines[-1] == "total 43"
    assert sum(int(line.split()[1]) for line in lines[:-1]) == 43
    assert run("perft", POSITION, "0", "--divide").stdout == "total 1\n"
    wrong = run("perft", "nonsense", "2")
    assert wrong.exit_code == 2
    assert "seven fields" in wrong.stderr
    assert run("perft", POSITION, "-1").exit_code == 2


def test_show(tmp_path: Path) -> None:
    result = run("show", POSITION, "a1-a2")
    assert result.exit_code == 0
    assert "Sea is to play" in result.stdout
    assert "a5-b4" in result.stdout
    assert run("show", POSITION).stdout != run("show", POSITION, "--flip").stdout
    drawing = tmp_path / "board.svg"
    assert run("show", POSITION, "--svg", str(drawing)).exit_code == 0
    assert drawing.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("tokens", [["a1-a9"], ["a1-a5"], ["a1-a2", "a1-a2"]])
def test_show_says_what_cannot_be_played(tokens: list[str]) -> None:
    result = run("show", POSITION, *tokens)
    assert result.exit_code == 2
    assert repr(tokens[-1]) in result.stderr
    assert "Traceback" not in result.stderr


def test_show_tells_how_a_game_ended() -> None:
    over = "5/5/4S/2S1S/SS1F1 c1MM,d1CD,e1CG,d3CS,e4SW DRWC (ADFCHEHPMDPSSASHSSTS) wdfm 1-2 F"
    assert "Sea has won: Forest has no action left" in run("show", over).stdout


def test_check(tmp_path: Path) -> None:
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
    assert f"{bad}: turn 1, token 1 'a1-a5': not legal" in result.stderr
    assert f"{binary}: byte 1: the file is not UTF-8" in result.stderr
    assert "missing.cairn: No such file" in result.stderr


def test_play_a_few_turns_and_save(tmp_path: Path) -> None:
    saved = tmp_path / "game.cairn"
    typed = f"1\nundo\nundo\nnonsense\nhelp\n\nboard\n1\n2\nsave {saved}\nsave {saved}\nsave\nquit\n"
    result = run("play", "--seed", "3", typed=typed)
    assert result.exit_code == 0
    for words in ("is to play", "nothing to take back", "'nonsense' is none", "save FILE", "Saved in", "Goodbye."):
        assert words in result.stdout
    record = cairn.read_record(saved.read_text(encoding="utf-8"))
    assert len(record.game.tokens) == 2
    assert record.headers["Forest"] == record.headers["Sea"] == "guest"


def test_play_does_not_overwrite_what_it_did_not_write(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("mine", encoding="utf-8")
    result = run("play", "--seed", "3", typed=f"save {precious}\nsave {tmp_path}/no/such\nquit\n")
    assert "exists already" in result.stdout
    assert "cannot be written" in result.stdout
    assert precious.read_text(encoding="utf-8") == "mine"


def test_play_takes_a_token_and_leaves_politely_at_the_end_of_input() -> None:
    board = cairn.Board.start("expert", 5)
    result = run("play", "--variant", "expert", "--seed", "5", typed=f"{board.legal_moves[0]}\n")
    assert result.exit_code == 0
    assert result.stdout.rstrip().endswith("Goodbye.")


@pytest.mark.parametrize("tribe", ["forest", "sea"])
def test_a_whole_game_against_the_computer_ends_with_a_sentence(tribe: str) -> None:
    result = run("play", "--seed", "1", "--tribe", tribe, "--against", "random", typed="1\n" * 500)
    assert result.exit_code == 0
    last = result.stdout.rstrip().splitlines()[-1]
    assert " has won: " in last or "The game is drawn: " in last


def test_undo_against_the_computer_comes_back_to_the_person() -> None:
    typed = "1\nundo\nundo\nquit\n"
    result = run("play", "--seed", "3", "--tribe", "forest", "--against", "random", typed=typed)
    assert "Sea plays " in result.stdout
    assert "There is nothing to take back." in result.stdout
    assert result.exit_code == 0


def test_the_installed_command_starts_without_what_it_does_not_need() -> None:
    code = (
        "import sys, cairn.cli.app; print([name for name in ('rich.console', 'cairn.engine') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
