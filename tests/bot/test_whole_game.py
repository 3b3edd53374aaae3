"""Two bots in separate processes play a whole rated game on a real server that is killed mid-game."""

from __future__ import annotations

from pathlib import Path

import pytest

from cairn import fairness
from cairn.record import read_record
from tests.bot.town import Town, bot, engine_command


@pytest.mark.slow
def test_a_rated_game_survives_a_killed_server(tmp_path: Path) -> None:
    with Town(tmp_path) as town:
        tokens = {
            **town.tokens("LevelOne"),
            **town.tokens("External"),
        }  # two owners, because one owner's bots cannot play rated games against each other
        files = {name: town.token_file(name, token) for name, token in tokens.items()}
        with (
            bot(town, files["LevelOne"], "--level", "1", "--accept", "none", "--games", "1") as one,
            bot(town, files["External"], "--engine", engine_command(), "--accept", "rated", "--games", "1") as other,
        ):
            one.until("LevelOne is connected, with the engine Cairn level 1")
            other.until("External is connected, with the engine Cairn")
            clock = {"kind": "real-time", "initial": 20_000, "increment": 200}
            game = town.challenge(tokens["LevelOne"], rated=True, clock=clock, variant="standard")["challenge"]["id"]
            other.until(f"challenge {game}: accepted")
            before = town.until(game, 6)
            assert before["now"]["outcome"] is None, "the game ended before the server was killed"
            town.kill()
            other.until("retrying")
            town.start()
            assert one.wait(120) == 0, one.text
            assert other.wait(120) == 0, other.text
            end = town.game(game)
            record = town.ask_text(f"/api/games/{game}/record")

    assert end["rated"]
    assert end["now"]["outcome"]["reason"] in ("score", "no-action", "repetition"), end["now"]["outcome"]
    played = [step["token"] for step in end["steps"]]
    assert played[: len(before["steps"])] == [step["token"] for step in before["steps"]], "acknowledged steps were lost"
    assert {end["players"][tribe]["kind"] for tribe in ("forest", "sea")} == {"bot"}
    assert all(end["players"][tribe]["rating"] for tribe in ("forest", "sea"))
    assert fairness.overall(fairness.verify(read_record(record))) is fairness.Verdict.RIGHT
    for program in (one, other):
        assert "reconnected" in program.text
        assert "all draws verified" in program.text
        assert "WARNING" not in program.text
        assert "finished games: 1" in program.text
    winner = end["now"]["outcome"]["winner"]
    results = sorted(word for word in ("won", "lost", "drawn") for each in (one, other) if f": {word} (" in each.text)
    assert results == (["lost", "won"] if winner else ["drawn", "drawn"])
