"""The command line in four languages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner, Result

import cairn
from cairn import terminal
from cairn.cli.app import app
from cairn.messages import LANGUAGES, messages, t, use_language

POSITION: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
COMMANDS: Final = [command.name or "" for command in app.registered_commands]
ENGLISH: Final = re.compile(r"\b(the|and|of|is|not|with|from|Show|Error|Usage|Missing|game|games)\b(?! N)")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    use_language("en")


def run(*arguments: str, typed: str = "", env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=typed, env=env)


@pytest.mark.parametrize("command", ["", *COMMANDS])
@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_help_pages_have_no_english_left(command: str, language: str) -> None:
    result = run("--lang", language, *filter(None, [command]), "--help")
    assert result.exit_code == 0
    assert not ENGLISH.findall(result.stdout)
    assert "cli." not in result.stdout
    assert "…." not in result.stdout
    if not command:
        for name in COMMANDS:
            assert f"\n  {name} " in result.stdout
        assert "..." not in result.stdout.partition("bot ")[2]


def test_the_option_works_before_and_after_the_command() -> None:
    before, after = run("--lang", "de", "play", "--help"), run("play", "--help", "--lang=de")
    assert before.stdout == after.stdout
    assert before.stdout.startswith("Aufruf: ")
    assert "Dein Stamm" in before.stdout


def test_the_language_comes_from_the_option_then_the_variable_then_the_locale() -> None:
    locale = {"LC_ALL": "", "LC_MESSAGES": "", "LANGUAGE": "", "LANG": "fr_CA.UTF-8", "CAIRN_LANG": ""}
    assert "Afficher la version" in run("--help", env=locale).stdout
    assert "Die Version" in run("--help", env={**locale, "CAIRN_LANG": "de"}).stdout
    assert "Показать версию" in run("--lang", "ru", "--help", env={**locale, "CAIRN_LANG": "de"}).stdout
    assert "Show the version" in run("--help", env={**locale, "LANG": "ja_JP.UTF-8"}).stdout


def test_an_unknown_language_is_reported_in_the_systems_language() -> None:
    result = run("--lang", "xx", "play", env={"LC_ALL": "de_DE.UTF-8"})
    assert (result.exit_code, result.stderr) == (2, "cairn: --lang muss en, fr, de oder ru sein, nicht xx\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["play", "--sed", "3"], "Unbekannte Option: --sed (ähnlich: --seed)"),
        (["chekc"], "Unbekannter Befehl: chekc (ähnlich: check)"),
        (["nonsense"], "Unbekannter Befehl: nonsense"),
        (["check"], "Dieses Argument fehlt: DATEI.cairn"),
        (["bot", "http://127.0.0.1"], "Diese Option fehlt: --token-file"),
        (["play", "--seed", "x"], "Ungültiger Wert für --seed: erwartet wird eine ganze Zahl ab 0"),
        (["serve", "--port", "0"], "Ungültiger Wert für --port: erwartet wird eine ganze Zahl von 1 bis 65535"),
        (["play", "--tribe", "x"], "Ungültiger Wert für --tribe: „x“ gehört nicht zu forest, sea"),
        (["play", "--seed"], "Die Option --seed braucht einen Wert."),
        (["engine", "extra"], "Überzähliges Argument: extra"),
    ],
)
def test_errors_of_the_framework_are_translated(arguments: list[str], sentence: str) -> None:
    result = run("--lang", "de", *arguments)
    assert result.exit_code == 2
    assert result.stderr.endswith(f"Fehler: {sentence}\n")
    if "braucht" not in sentence:  # the framework does not know the command yet
        assert result.stderr.startswith("Aufruf: cairn ")
        assert "Hilfe gibt es mit „cairn" in result.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_can_be_played_in_every_language(language: str, tmp_path: Path) -> None:
    saved = tmp_path / "game.cairn"
    typed = f"help\ntiles\nDR\nundo\nxyz\n1\n1\nsave {saved}\nresign\nundo\n\n"
    result = run("--lang", language, "play", "--seed", "3", "--against", "random", typed=typed)
    assert result.exit_code == 0
    use_language(language)
    for sentence in (
        t("cli.play.welcome.random", tribe="forest"),
        t("cli.play.commands"),
        t("cli.play.no-undo", why="nothing"),
        t("cli.play.no-choice", said="xyz", n="").partition("xyz")[0],
        t("cli.play.saved", path=saved),
        t("cli.play.over"),
        t("story.ended.resignation", winner="sea"),
    ):
        assert sentence in result.stdout
    assert cairn.MEGALITHS["DR"].powers[language] in result.stdout
    if language != "en":
        assert not ENGLISH.findall(result.stdout.replace(str(saved), ""))
    # A record is the same in every language.
    assert cairn.read_record(saved.read_bytes()).headers["Forest"] == "guest"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_fits_into_80_columns(language: str) -> None:
    use_language(language)
    positions = [
        "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        "5/5/4S/2S1S/SS1F1 c1MM,d1CD,e1CG,d3CS,e4SW -- -- - bdee 1-2 S".replace("-- -- -", "---- -"),
        "S1S1S/5/5/5/F1F1F b3SH,d3HE SSWC (ADCDCSFCHPMDPSSASW)MMTS bdee 0-0 F",
    ]
    from rich.console import Console

    for position in positions:
        console = Console(width=200, highlight=False, color_system=None)
        last = [cairn.Game(positions[0], ["a1-a2"]).tokens[0]]
        with console.capture() as captured:
            console.print(terminal.board(cairn.Board(position).setup, last=last))
        widths = [len(line) for line in captured.get().splitlines()]
        assert max(widths) <= terminal.WIDTH, captured.get()


def test_faults_are_told_in_the_chosen_language(tmp_path: Path) -> None:
    bad = tmp_path / "bad.cairn"
    bad.write_text(f'[Position "{POSITION}"]\n\n1 F a1-a5\n*\n', encoding="utf-8")
    result = run("check", "--lang", "fr", str(bad), str(tmp_path / "none.cairn"))
    assert result.exit_code == 1
    assert f"{bad}: Tour 1, coup 1 (a1-a5)\u00a0: " in result.stderr
    assert "Possible maintenant\u00a0: +d1, " in result.stderr
    assert "none.cairn: ce fichier ou dossier n\u2019existe pas\n" in result.stderr
    shown = run("show", "--lang", "ru", "S5/5/5/5/5 - ---- - wofm 0-0 F")
    assert shown.exit_code == 2
    assert shown.stderr.startswith("cairn: Шаманы: ")
    assert messages("ru")["fault.row-length"].format(row=5) in shown.stderr


def test_a_terminal_without_unicode_does_not_crash() -> None:
    command = [sys.executable, "-c", "from cairn.cli import main; main()", "--lang", "ru", "play", "--tribe", "x"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert "--tribe" in result.stderr


def test_every_fault_kind_has_a_message() -> None:
    from cairn.notation.faults import _SENTENCES

    hidden = {"comment-end", "told-by-the-game"}  # only written records can have these
    assert {kind for kind in _SENTENCES if f"fault.{kind}" not in messages("en")} <= hidden
