"""The example bot in the documentation works."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.server.preloaded import PreloadedPopen
from tests.bot.town import Town, bot


def example(repository: Path) -> str:
    (code,) = re.findall(
        r"```python\n(.*?)```", (repository / "docs" / "bots.md").read_text(encoding="utf-8"), re.DOTALL
    )
    return str(code)


def test_the_example_is_short(repository: Path) -> None:
    written = [line for line in example(repository).splitlines() if line.strip()]
    assert 20 < len(written) <= 40


@pytest.mark.slow
def test_the_example_plays_a_whole_game(repository: Path, tmp_path: Path) -> None:
    program = tmp_path / "example.py"
    program.write_text(example(repository), encoding="utf-8")
    with Town(tmp_path) as town:
        tokens = town.tokens("Example", "Partner")
        files = {name: town.token_file(name, token) for name, token in tokens.items()}
        running = PreloadedPopen(
            [sys.executable, str(program), town.address, files["Example"]], stdout=subprocess.PIPE, text=True
        )
        try:
            with bot(town, files["Partner"], "--level", "2", "--accept", "none", "--games", "1") as partner:
                partner.until("Partner is connected")
                game = town.challenge(tokens["Partner"], variant="expert")["challenge"]["id"]
                assert partner.wait(120) == 0, partner.text
            assert running.stdout
            end = town.game(game)["now"]["outcome"]
            assert running.stdout.readline() == f"{game} is over: {end['reason']}\n"
            time.sleep(0.2)
            assert running.poll() is None, "the bot exited instead of waiting for the next challenge"
        finally:
            running.kill()
            running.communicate()
