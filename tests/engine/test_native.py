"""The native engine: limits, stopping streams, and reproducible searches."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Final

import pytest

from cairn import Game, GameOverError, Phase
from cairn.engine import Engine, Limit, NativeEngine, RandomEngine, Stopper
from harness.vectors import read_vectors

POSITION: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
GUARD: Final = 5.0


@pytest.fixture
def game() -> Game:
    return Game.start("expert", seed=3)


@pytest.mark.parametrize("limit", [Limit(nodes=5000), Limit(depth=3), Limit(movetime_ms=20), Limit(nodes=1)])
def test_play_respects_its_limit_and_does_not_change_the_game(game: Game, limit: Limit) -> None:
    before = game.tokens
    with NativeEngine() as engine:
        played = engine.play(game, limit)
    assert played.token in game.legal_moves
    assert played.line[0] == played.token
    assert limit.nodes is None or played.nodes <= limit.nodes
    assert limit.depth is None or played.depth == limit.depth
    assert game.tokens == before


def test_analysis_lines_are_legal_and_ordered_by_score(game: Game) -> None:
    with NativeEngine() as engine:
        for analysis in engine.analyse(game, Limit(nodes=50_000), lines=4):
            assert len({line.token for line in analysis.lines}) == len(analysis.lines) == 4
            scores = [line.score for line in analysis.lines]
            assert scores == sorted(scores, reverse=True)
            for line in analysis.lines:
                Game(game.start_text, [*game.tokens, *line.tokens])


def test_a_search_is_reproducible(game: Game) -> None:
    engine = NativeEngine()
    first = engine.play(game, Limit(nodes=30_000))
    engine.play(Game(POSITION), Limit(nodes=30_000))
    engine.new_game()
    assert engine.play(game, Limit(nodes=30_000)) == first
    assert NativeEngine().play(game, Limit(nodes=30_000)) == first


def test_each_depth_is_reported(game: Game) -> None:
    analyses = list(NativeEngine().analyse(game, Limit(depth=5)))
    assert [analysis.depth for analysis in analyses] == [1, 2, 3, 4, 5]
    nodes = [analysis.nodes for analysis in analyses]
    assert nodes == sorted(nodes)
    assert analyses[-1].best.token == NativeEngine().play(game, Limit(depth=5)).token


def test_a_game_may_continue_during_its_analysis(game: Game) -> None:
    with NativeEngine() as engine, engine.analyse(game) as stream:
        next(stream)
        legal = game.legal_moves
        game.push(legal[0])
        stream.stop()
        assert all(analysis.best.token in legal for analysis in stream)


def searching_threads() -> int:
    return sum(thread.name == "cairn-search" for thread in threading.enumerate())


def wait_for_searches_to_end() -> None:
    began = time.monotonic()
    while searching_threads():
        assert time.monotonic() - began < GUARD
        time.sleep(0.002)


def test_leaving_a_loop_stops_the_search(game: Game) -> None:
    engine = NativeEngine()
    for analysis in engine.analyse(game):
        if analysis.depth == 3:
            break
    wait_for_searches_to_end()
    assert engine.play(game, Limit(depth=2)).depth == 2


def test_leaving_an_asynchronous_loop_stops_the_search(game: Game) -> None:
    engine = NativeEngine()

    async def look() -> int:
        async for analysis in engine.analyse(game):
            if analysis.depth == 3:
                return analysis.depth
        raise AssertionError("an unlimited search ended by itself")

    assert asyncio.run(look()) == 3
    wait_for_searches_to_end()


def test_other_tasks_run_during_an_analysis_and_a_task_awaiting_it_can_be_cancelled(game: Game) -> None:
    async def look() -> list[int]:
        depths: list[int] = []

        async def follow() -> None:
            async with NativeEngine().analyse(game) as stream:
                async for analysis in stream:
                    depths.append(analysis.depth)  # noqa: PERF401  # appended as they arrive

        task = asyncio.create_task(follow())
        while not depths:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return depths

    assert asyncio.run(look())[0] == 1
    wait_for_searches_to_end()


def test_a_stream_can_be_paused_and_resumed(game: Game) -> None:
    async def look() -> list[int]:
        async with NativeEngine().analyse(game, Limit(depth=6)) as stream:
            first = [(await anext(stream)).depth, (await anext(stream)).depth]
            return first + [analysis.depth async for analysis in stream]

    assert asyncio.run(look()) == [1, 2, 3, 4, 5, 6]


def test_a_stop_before_the_search_is_not_lost(game: Game) -> None:
    engine = NativeEngine()
    stopper = Stopper()
    stopper.stop()
    assert engine.play(game, Limit(), stopper).token in game.legal_moves
    for _ in range(100):
        with engine.analyse(game) as stream:
            stream.stop()
            assert list(stream)


def test_an_old_stop_does_not_end_a_new_search(game: Game) -> None:
    engine = NativeEngine()
    old = engine.analyse(game, Limit(depth=1))
    list(old)
    new = engine.analyse(game, Limit(depth=5))
    old.stop()
    assert list(new)[-1].depth == 5


def test_concurrent_searches_wait_for_each_other(game: Game) -> None:
    engine = NativeEngine()
    streams = [engine.analyse(game, Limit(nodes=20_000)) for _ in range(4)]
    assert all(list(stream) for stream in streams)


def test_close_ends_a_search(game: Game) -> None:
    engine = NativeEngine()
    stream = engine.analyse(game)
    next(stream)
    engine.close()
    list(stream)
    wait_for_searches_to_end()


def test_a_program_that_never_stops_its_search_still_exits() -> None:
    code = """if True:
        import cairn
        from cairn.engine import NativeEngine
        stream = NativeEngine().analyse(cairn.Game.start(seed=1))
        print(next(stream).depth)
    """
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "1\n", "")


def test_the_stream_raises_search_errors(game: Game) -> None:
    class Broken(RandomEngine):
        def search(self, *_: object) -> None:
            raise OSError("broken")

    with pytest.raises(OSError, match="broken"):
        list(Broken().analyse(game))


@pytest.mark.parametrize("make", [NativeEngine, lambda: NativeEngine(level=1), RandomEngine])
def test_engines_reject_games_in_which_no_player_has_to_decide(make: Callable[[], Engine]) -> None:
    engine = make()
    drawn = next(vector for vector in read_vectors("special") if vector["winner"] == "draw")
    over = Game(drawn["position"], drawn["tokens"])
    for ask in (engine.play, engine.analyse):
        with pytest.raises(GameOverError):
            ask(over, Limit(depth=1))
    drawing = Game.start("beginner", seed=1)
    player = NativeEngine(hash_megabytes=1)
    while drawing.phase is not Phase.DRAW:
        drawing.push(player.play(drawing, Limit(nodes=2000)).token)
    for ask in (engine.play, engine.analyse):
        with pytest.raises(ValueError, match="tile draw"):
            ask(drawing, Limit(depth=1))


def test_invalid_engine_arguments_are_rejected(game: Game) -> None:
    with pytest.raises(ValueError, match="never end"):
        NativeEngine().play(game, Limit())
    with pytest.raises(ValueError, match="lines must be at least 1"):
        NativeEngine().analyse(game, lines=0)
    for threads, megabytes, level in ((0, 64, None), (65, 64, None), (1, 0, None), (1, 64, 0), (1, 64, 11)):
        with pytest.raises(ValueError, match=r"from 1 to"):
            NativeEngine(threads, megabytes, level)
    for values in ((-1, None, None), (None, 0, None), (None, None, 0)):
        with pytest.raises(ValueError, match="at least 1"):
            Limit(*values)
