"""The journal does not lose or repeat games, however the arena ends."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cairn.arena import ArenaError
from cairn.arena.journal import Journal
from harness.server.preloaded import PreloadedPopen
from tests.arena.players import games_of, play, settings

COMMAND = [sys.executable, "-c", "from cairn.cli import main; main()", "arena"]


def arena(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    command = [*COMMAND, *arguments, "--journal", "a.jsonl", "--record", "a.cairn"]
    return PreloadedPopen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(path: Path) -> int:
    return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0


@pytest.mark.slow
def test_a_killed_arena_can_be_resumed(tmp_path: Path) -> None:
    wanted = ["random", "level:1", "--pairs", "10", "--seed", "4"]
    journal = tmp_path / "killed" / "a.jsonl"
    kills = 0
    for goal in (1, 5, 9):
        with arena(tmp_path / "killed", *wanted, "--jobs", "2") as process:
            while finished(journal) < goal and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        kills += process.returncode == -signal.SIGKILL
    assert kills == 3
    assert 9 <= finished(journal) < 20
    # Simulate a kill in the middle of a line.
    with journal.open("ab") as file:
        file.write(b'{"pairing":[0,1],"pair":9,"swa')
    for folder in ("killed", "whole"):
        with arena(tmp_path / folder, *wanted, "--jobs", "1") as process:
            out, err = process.communicate()
        assert process.returncode == 0, err
        assert "20 games" in out
    lines = {
        folder: [json.loads(line) for line in (tmp_path / folder / "a.jsonl").read_text().splitlines()[1:]]
        for folder in ("killed", "whole")
    }
    assert len(lines["killed"]) == 20
    assert games_of(lines["killed"]) == games_of(lines["whole"])


def test_resuming_with_other_settings_is_an_error(tmp_path: Path) -> None:
    wanted = settings("random", "random,seed=5", pairs=1)
    play(wanted, tmp_path)
    before = (tmp_path / "arena.jsonl").read_bytes()
    with pytest.raises(ArenaError, match=r"different settings: seed was 1, now 2"):
        play(dataclasses.replace(wanted, seed=2), tmp_path)
    assert (tmp_path / "arena.jsonl").read_bytes() == before
    assert play(dataclasses.replace(wanted, pairs=2), tmp_path).games == 4
    assert play(wanted, tmp_path).games == 2


def test_only_one_arena_at_a_time_can_use_a_journal(tmp_path: Path) -> None:
    wanted = settings("random", "random")
    with Journal(tmp_path / "arena.jsonl", wanted), pytest.raises(ArenaError, match="in use"):
        Journal(tmp_path / "arena.jsonl", wanted)


@pytest.mark.parametrize("content", ["something else\n", "something else", '{"arena": 7}\n', "[1]\n"])
def test_a_file_that_is_not_a_journal_is_not_changed(content: str, tmp_path: Path) -> None:
    path = tmp_path / "arena.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ArenaError, match=r"arena\.jsonl"):
        Journal(path, settings("random", "random"))
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["random"], "two players"),
        (["random", "full", "--games", "3"], "pairs"),
        (["random", "full", "level:1", "--sprt", "0", "5"], "exactly two players"),
        (["random", "full", "--sprt", "5", "0"], "below the second"),
        (["random", "nonsense"], "nonsense"),
    ],
)
def test_the_command_reports_errors(arguments: list[str], words: str, tmp_path: Path) -> None:
    with arena(tmp_path / "wrong", *arguments) as process:
        _, err = process.communicate()
    assert process.returncode == 2
    assert words in err
    assert "Traceback" not in err
