"""What ``cairn bot`` does besides playing: it answers offers, resumes after interruptions and reports errors."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bot.town import Program, Town, bot, free_port


def until(look: Callable[[], Any], seconds: float = 60) -> Any:
    """Call ``look`` until its result is true, and return the result."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError("the condition never became true")


@pytest.mark.slow
def test_the_bot_answers_offers_and_resumes_after_an_interruption(tmp_path: Path) -> None:
    with Town(tmp_path) as town:
        tokens = town.tokens("Robot", "Person")
        file, person = town.token_file("Robot", tokens["Robot"]), tokens["Person"]

        def now(game: str) -> Any:
            return town.game(game)["now"]

        def post(game: str, path: str, **more: Any) -> Any:
            body = {"revision": town.game(game)["revision"], **more}
            return town.ask("POST", f"/api/games/{game}/{path}", body, token=person)

        with bot(town, file, "--level", "1") as robot:
            fields = {"variant": "standard", "tribe": "forest", "first": "forest"}
            game = str(town.challenge(person, **fields)["challenge"]["id"])
            robot.until(f"game {game}: Standard, not rated, Sea against Person")
            # 1. The answer to a draw offer depends on the engine's expected score.
            post(game, "offer", what="draw")
            line = robot.until("draw offered")
            expected = re.search(r"expected score of (\d\.\d\d): (accept|decline)", line)
            assert expected, line
            assert expected[2] == ("accept" if float(expected[1]) < 0.5 else "decline")
            if expected[2] == "accept":
                until(lambda: now(game)["outcome"])
                assert now(game)["outcome"]["reason"] == "agreement"
                game = str(town.challenge(person, **fields)["challenge"]["id"])
                robot.until(f"game {game}: Standard, not rated, Sea against Person")
            until(lambda: not now(game)["offers"])
            # 2. The bot plays on its turn. It accepts a takeback request because the game is not rated.
            token = now(game)["choices"][0]["token"]
            post(game, "tokens", tribe="forest", token=token)
            until(lambda: now(game)["decider"] == "forest" and len(town.game(game)["steps"]) > 1)
            post(game, "offer", what="takeback")
            robot.until("takeback requested: accept")
            until(lambda: not town.game(game)["steps"])
            # 3. On Ctrl+C, the bot exits immediately and reports the unfinished game.
            assert robot.interrupt() == 0, robot.text
            assert "unfinished games: 1; start the bot again to continue them" in robot.lines[-1]
            assert "Traceback" not in robot.text
        # 4. After a restart, the bot answers a move that was made in the meantime.
        post(game, "tokens", tribe="forest", token=now(game)["choices"][0]["token"])
        with bot(town, file, "--level", "1", "--games", "1") as robot:
            until(lambda: len(town.game(game)["steps"]) > 1)
            post(game, "resign")
            assert robot.wait() == 0, robot.text
            assert f"game {game}: won (resignation)" in robot.text


@pytest.mark.slow
def test_an_invalid_token_is_reported(tmp_path: Path) -> None:
    with Town(tmp_path) as town, bot(town, town.token_file("Nobody", "x" * 43), "--level", "1") as nobody:
        assert nobody.wait() == 1
        assert "cairn: This token does not exist, or it was revoked." in nobody.text
        assert "Traceback" not in nobody.text


@pytest.mark.slow
def test_the_bot_retries_an_unreachable_server(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("secret-token", encoding="utf-8")
    file.chmod(0o644)
    with Program("bot", f"http://127.0.0.1:{free_port()}", "--token-file", str(file), "--level", "1") as waiting:
        waiting.until("cannot reach .*; retrying in")
        assert f"other users of this machine can read {file}" in waiting.text
        assert waiting.interrupt() == 0
        assert "secret-token" not in waiting.text
        assert "Traceback" not in waiting.text


@pytest.mark.slow
def test_startup_errors_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("secret-token", encoding="utf-8")
    file.chmod(0o600)
    wrong = {
        ("example.org", "--token-file", str(file)): "“example.org” is not a server address",
        ("http://localhost", "--token-file", str(tmp_path / "none")): "no such file",
        ("http://localhost", "--token-file", str(file), "--engine", "/no/such/engine"): "cannot be started",
        ("http://localhost", "--token-file", str(file), "--engine", "x", "--level", "1"): "not both",
    }
    for arguments, sentence in wrong.items():
        with Program("bot", *arguments) as program:
            assert program.wait() in (1, 2)
            assert sentence in program.text
            assert "Traceback" not in program.text
