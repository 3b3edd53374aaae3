"""External engines: our own engine, run as an external program, and programs that misbehave."""

from __future__ import annotations

import asyncio
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from cairn import Game
from cairn.engine import EngineError, ExternalEngine, Limit, NativeEngine

ENGINE: Final = [sys.executable, "-c", "from cairn.cli import main; main()", "engine"]
POSITION: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
ONE: Final = Limit(depth=1)

Make = Callable[..., ExternalEngine]

WELL_BEHAVED: Final = """
import sys
def say(line): print(line, flush=True)
def think(): say("info depth 1 score points 3 nodes 9 nps 1 time 1 pv a1-a2"); say("bestmove a1-a2")
for line in sys.stdin:
    command = line.split()[0]
    if command == "cep": say("id name Stranger"); say("option name Style type spin default 1 min 1 max 9"); say("cepok")
    elif command == "isready": say("readyok")
    elif command == "quit": break
    elif command == "go": think()
"""


@pytest.fixture
def program(tmp_path: Path) -> Make:
    """Make an engine from a script, by default the well-behaved one. ``think`` replaces its answer to ``go``."""

    def make(think: str | None = None, script: str = WELL_BEHAVED, **options: object) -> ExternalEngine:
        path = tmp_path / "stranger.py"
        if think is not None:
            script = script.replace(WELL_BEHAVED.splitlines()[3], f"def think(): {think}")
        path.write_text(textwrap.dedent(script), encoding="utf-8")
        return ExternalEngine([sys.executable, str(path)], **options)  # type: ignore[arg-type]

    return make


@pytest.mark.slow
def test_our_own_engine_plays_a_whole_game_and_agrees_with_the_native_engine() -> None:
    game = Game.start("beginner", seed=2)
    with ExternalEngine(ENGINE, {"Hash": 64}) as outside, NativeEngine() as inside:
        assert outside.name == "Cairn"
        while game.outcome is None and len(game.tokens) < 200:
            if game.phase.value == "draw":
                game.push(game.legal_moves[0])
                continue
            for engine in (outside, inside):
                engine.new_game()
            played = outside.play(game, Limit(nodes=1000))
            same = inside.play(game, Limit(nodes=1000))
            assert (played.token, played.nodes) == (same.token, same.nodes)
            game.push(played.token)
        assert len(game.tokens) > 10


@pytest.mark.slow
def test_an_analysis_by_our_own_engine_can_be_stopped() -> None:
    game = Game.start("expert", seed=3)
    with ExternalEngine(ENGINE) as engine:
        with engine.analyse(game, lines=3) as stream:
            for analysis in stream:
                assert len(analysis.lines) == 3
                if analysis.depth == 4:
                    break
        assert engine.play(game, Limit(depth=3)).depth == 3
        inside = list(NativeEngine().analyse(game, Limit(depth=5), lines=2))
        engine.new_game()
        outside = list(engine.analyse(game, Limit(depth=5), lines=2))
        assert [each.lines for each in outside] == [each.lines for each in inside]


@pytest.mark.slow
def test_our_own_engine_can_analyse_asynchronously() -> None:
    async def look(engine: ExternalEngine) -> int:
        async for analysis in engine.analyse(Game(POSITION)):
            if analysis.depth >= 3:
                return analysis.depth
        return 0

    with ExternalEngine(ENGINE) as engine:
        assert asyncio.run(look(engine)) == 3
        assert engine.play(Game(POSITION), ONE).depth == 1


@pytest.mark.slow
def test_an_external_engine_with_a_level_does_not_need_a_limit() -> None:
    with ExternalEngine(ENGINE, {"Level": 2, "Seed": 5}) as outside, NativeEngine(level=2, seed=5) as inside:
        assert outside.play(Game(POSITION)) == inside.play(Game(POSITION))


def test_a_well_behaved_engine_plays_and_analyses(program: Make) -> None:
    with program(options={"Style": 3}) as engine:
        assert engine.name == "Stranger"
        played = engine.play(Game(POSITION), ONE)
        assert (str(played.token), str(played.score), played.depth, played.nodes) == ("a1-a2", "points 3", 1, 9)
        assert [analysis.best.token for analysis in engine.analyse(Game(POSITION), ONE)] == [played.token]


def test_unknown_output_is_ignored_and_missing_output_is_tolerated(program: Make) -> None:
    talk = 'say("hm"); say("info string e4!"); say("info depth 3 currmove a1-a2"); say(""); say("bestmove a1-a2")'
    with program(talk) as engine:
        played = engine.play(Game(POSITION), ONE)
        assert (str(played.token), played.depth, len(played.line)) == ("a1-a2", 0, 1)
        (analysis,) = engine.analyse(Game(POSITION), ONE)
        assert analysis.best.token == played.token


def test_a_line_is_cut_where_it_stops_being_legal(program: Make) -> None:
    with program('say("info depth 2 score win 3 pv a1-a2 a5-a1"); say("bestmove a1-a2")') as engine:
        played = engine.play(Game(POSITION), ONE)
        assert ([str(token) for token in played.line], str(played.score)) == (["a1-a2"], "win 3")


@pytest.mark.parametrize(
    ("think", "sentence"),
    [
        ('say("bestmove a1-a5")', "played 'a1-a5', which is not legal now"),
        ('say("bestmove e2e4")', "broke the protocol: bestmove 'e2e4' is not a token"),
        ('say("bestmove")', "broke the protocol: bestmove '' is not a token"),
        ('say("error no idea")', "answered: error no idea"),
        ('say("info depth x score points 1 pv a1-a2")', "expected a whole number after depth, not 'x'"),
        ('say("info depth 1 score cp 1 pv a1-a2")', "'cp 1' is not a score"),
        ('say("info depth 1 score points 1 pv a1-a5")', "'a1-a5' is not legal"),
        ('sys.stdout.buffer.write(b"x" * 3000000); sys.stdout.flush()', "a line is too long"),
        ("sys.exit(3)", "ended with exit code 3 instead of answering go"),
        ('sys.exit("out of stones")', "ended with exit code 1 instead of answering go; it said: out of stones"),
        ("1 / 0", "it said: ZeroDivisionError"),
        ("None", "did not answer go in time"),
    ],
)
def test_an_engine_that_fails_during_a_search_is_reported_and_closed(program: Make, think: str, sentence: str) -> None:
    engine = program(think, timeout=1 if think == "None" else 10)
    with pytest.raises(EngineError) as caught:
        engine.play(Game(POSITION), Limit(movetime_ms=10))
    assert sentence in str(caught.value)
    with pytest.raises(EngineError, match="is closed"):
        engine.play(Game(POSITION), ONE)
    engine.close()


def test_the_stream_raises_engine_errors(program: Make) -> None:
    with program("sys.exit(3)") as engine, pytest.raises(EngineError, match="exit code 3"):
        list(engine.analyse(Game(POSITION), ONE))


def test_an_engine_that_does_not_stop_times_out(program: Make) -> None:
    with program("None", timeout=0.5) as engine, engine.analyse(Game(POSITION)) as stream:
        stream.stop()
        with pytest.raises(EngineError, match="did not answer go in time"):
            list(stream)


def test_an_engine_that_exceeds_the_patience_limit_times_out(program: Make) -> None:
    with program("None", patience=0.2) as engine, pytest.raises(EngineError, match="did not answer go in time"):
        engine.play(Game(POSITION), ONE)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("", "ended with exit code 0 instead of answering cep"),
        ("import time; time.sleep(60)", "did not answer cep in time"),
        ("import time; print('Welcome!', flush=True); time.sleep(60)", "did not answer cep in time"),
        ("print('error: what?')", "ended with exit code 0 instead of answering cep"),
        ("print('error what?')", "answered: error what?"),
        ("import sys; sys.stdout.buffer.write(bytes(range(256)))", "ended with exit code 0 instead of answering cep"),
        ("import sys\nprint('cepok', flush=True)\nsys.stdin.close()", "instead of answering isready"),
    ],
)
def test_a_failed_handshake_is_reported(program: Make, script: str, sentence: str) -> None:
    with pytest.raises(EngineError) as caught:
        program(script=script, timeout=1)
    assert sentence in str(caught.value)


def test_unknown_options_and_empty_commands_are_rejected(program: Make) -> None:
    with pytest.raises(EngineError, match="has no option 'Level'"):
        program(options={"Level": 3})
    with program() as engine, pytest.raises(EngineError, match="has no option 'MultiPV'"):
        list(engine.analyse(Game(POSITION), ONE, lines=2))
    with pytest.raises(ValueError, match="the command is empty"):
        ExternalEngine([])
    with pytest.raises(EngineError, match="answered: error setoption: Level must be a whole number"):
        ExternalEngine(ENGINE, {"Level": 99})


def test_an_engine_that_ignores_quit_is_killed(program: Make) -> None:
    stubborn = WELL_BEHAVED.replace('elif command == "quit": break', "") + "\nimport time; time.sleep(600)\n"
    engine = program(script=stubborn, timeout=1)
    engine.close()
    engine.close()
