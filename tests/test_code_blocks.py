"""Every code block in the documentation is checked: it runs, or it is parsed by the code that it describes.

Pytest itself runs the doctests (``--doctest-glob=*.md``). This module checks all other blocks by what they contain. A
block that nothing here recognises fails.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pydantic
import pytest
import typer
from markdown_it import MarkdownIt

from cairn import read_position, read_record
from cairn.cli.app import app
from cairn.server.messages.commands import parse_command
from cairn.server.messages.lobby import NewChallenge

ROOT: Final = Path(__file__).parents[1]
DOCUMENTS: Final = [
    *sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")]),
    ROOT / "web" / "README.md",
    ROOT / "web" / "board" / "README.md",
]
PROGRAMS: Final = {
    "cairn_openings": "native/openings/program/main.cpp",
    "cairn_selfplay": "native/training/program/main.cpp",
}
"""Our own programs, with the files that read their options."""
FOREIGN: Final = {"cd", "createdb", "docker", "export", "git", "mkdir", "pg_dump"}
"""Programs of others, which the documents use but cannot run here."""
TESTED_ELSEWHERE: Final = {
    "import json, random, secrets": "tests/bot/test_example.py",
    "> position ": "tests/engine/test_docs.py",
    '[Variant "standard"]': "tests/test_fairness.py",
    "import { mount }": "tests/e2e/test_board_demo.py",
    "board.set({": "tests/e2e/test_board_demo.py",
    "parsePosition(game.now.position)": "tests/web/test_board_readme.py",
}
"""Blocks that other tests run, by text that they contain."""
NO_CODE: Final = (
    "Sea's village",
    "info depth D",
    '{"position":"…"',
    "result - expectation",
    "Content-Security-Policy: ",
    "1 F a1-a2 {towards the circle} {(",
)
"""Pictures, formulas and templates, by text that they contain."""


class Block(NamedTuple):
    """A code block in a document."""

    document: str
    line: int
    language: str
    text: str


def blocks() -> Iterator[Block]:
    for path in DOCUMENTS:
        for token in MarkdownIt().parse(path.read_text(encoding="utf-8")):
            if token.type in ("fence", "code_block") and ">>> " not in token.content:
                line = token.map[0] + 1 if token.map else 0
                yield Block(str(path.relative_to(ROOT)), line, token.info, token.content)


def check_commands(text: str) -> None:
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        if words:
            check_command(words)


def check_command(words: list[str]) -> None:
    """Check the command of a shell: our own commands with all their options, and the names of files and targets."""
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words = words[1:]
    program, *arguments = words
    if program == "cairn":
        parse_cairn(arguments)
    elif program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert {each for each in arguments if not re.match(r"[A-Z_]+=", each)} <= set(targets), words
    elif program in ("pipx", "uvx", "pip"):
        check_package(words)
    elif program.split("/")[-1] in ("python", "python3"):
        check_script(arguments)
    elif program.split("/")[-1] in PROGRAMS:
        known = (ROOT / PROGRAMS[program.split("/")[-1]]).read_text(encoding="utf-8")
        assert all(f'"{word}"' in known for word in arguments if word.startswith("--")), words
    else:
        assert program in FOREIGN, f"unknown program in {words}"


def parse_cairn(arguments: list[str]) -> None:
    """Parse a ``cairn`` command line, without running it. Brackets and bars of a synopsis are left out."""
    plain = " ".join(shlex.quote(each) for each in arguments).replace("'['", "").replace("']'", "")
    words = [re.sub(r"^(--[\w-]+)/--[\w-]+$", r"\1", each.strip("[]")) for each in shlex.split(plain)]
    if "|" in words:
        words = words[: words.index("|")]
    group = typer.main.get_command(app)
    context = group.make_context("cairn", words)
    name, command, rest = group.resolve_command(context, words)  # type: ignore[attr-defined]
    command.make_context(name, rest, parent=context)


def check_package(words: list[str]) -> None:
    """Check ``pip install`` and ``pipx run``: the names of our extras, and the command that follows."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for place, word in enumerate(words):
        package, _, extra = word.partition("[")
        if package == "cairn-game":
            assert not extra or re.search(rf"^{extra.rstrip(']')} = \[", project, re.MULTILINE), words
            if words[0] != "pip" and words[place + 1 :]:
                parse_cairn(words[place + 1 :])


def check_script(arguments: list[str]) -> None:
    """Check a call of one of our scripts: it exists, and its source has the options."""
    if arguments[0] == "-m":
        assert arguments[1] in ("http.server", "tests.e2e.screenshots"), arguments
        return
    source = (ROOT / arguments[0]).read_text(encoding="utf-8")
    for option in [each for each in arguments[1:] if each.startswith("--")]:
        assert f'"{option}"' in source, f"{arguments[0]} has no {option}"


def check_session(text: str, folder: Path) -> None:
    """Run a command after ``$`` and compare its output, in which ``...`` stands for any text."""
    fairness = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
    (folder / "game.cairn").write_text(fairness.partition("```text\n")[2].partition("```")[0], encoding="utf-8")
    first, _, expected = text.partition("\n")
    command = shlex.split(first.removeprefix("$ "))
    assert command[0] == "cairn"
    code = "from cairn.cli import main; main()"
    environment = {**os.environ, "CAIRN_LANG": "en"}
    ran = subprocess.run(
        [sys.executable, "-c", code, *command[1:]],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env=environment,
    )
    assert doctest.OutputChecker().check_output(expected, ran.stdout, doctest.ELLIPSIS), ran.stdout


def check_json(text: str) -> None:
    """Check JSON: commands and challenges as the server does, and lessons against the lessons of the tutorial."""
    given = json.loads(text)
    if given.get("type") == "play":
        parse_command(text)
    elif "open" in given:
        pydantic.TypeAdapter(NewChallenge).validate_json(text)
    elif "steps" in given:
        path = ROOT / "web" / "src" / "app" / "tutorial" / "lessons.json"
        lessons = json.loads(path.read_text(encoding="utf-8"))
        assert given in (lessons if isinstance(lessons, list) else lessons["lessons"])
    else:
        assert {"time", "process", "outcome"} <= given.keys()


def check_c(text: str, folder: Path) -> None:
    """Compile statements against the header."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        pytest.skip("there is no C compiler")
    program = folder / "block.c"
    program.write_text(f'#include "cairn.h"\nint main(void) {{\n{text}\nreturn frame.counts == 0;\n}}\n', "utf-8")
    header = ROOT / "native" / "batch"
    subprocess.run([compiler, "-std=c99", "-Wall", "-Werror", f"-I{header}", "-fsyntax-only", str(program)], check=True)


def check(block: Block, folder: Path) -> None:
    text = block.text.strip()
    if elsewhere := [test for part, test in TESTED_ELSEWHERE.items() if part in text]:
        assert (ROOT / elsewhere[0]).is_file()
    elif any(part in text for part in NO_CODE):
        return
    elif block.language == "c":
        check_c(text, folder)
    elif text.startswith("$ "):
        check_session(block.text, folder)
    elif text.startswith("{"):
        check_json(text)
    elif text.startswith("POST /api/"):
        json.loads(text.partition("{")[1] + text.partition("{")[2])
    elif text.startswith("["):
        read_record(block.text)
    elif re.match(r"[SF1-5/]+ \S+ \S+ \S+ [wb]", text):
        read_position(text)
    else:
        check_commands(block.text)


@pytest.mark.parametrize("block", list(blocks()), ids=lambda block: f"{block.document}:{block.line}")
def test_a_code_block_is_correct(block: Block, tmp_path: Path) -> None:
    check(block, tmp_path)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("cairn serve --prot 1", "--prot"),
        ("cairn sevre", "sevre"),
        ("make plya", "plya"),
        ("python tools/prove_sim.py --sed 3", "has no --sed"),
        ("pip install 'cairn-game[x]'", "cairn-game"),
        ("frobnicate", "unknown program"),
    ],
)
def test_a_wrong_command_is_found(text: str, fault: str) -> None:
    with pytest.raises(Exception, match=fault):
        check_commands(text)
