"""The computer player decides, waits, cancels its search, and continues after a restart."""

from __future__ import annotations

import asyncio
import random

import pytest

from cairn import Game
from cairn.server.errors import StorageFullError
from cairn.server.live.engine_pool import EnginePool
from cairn.server.settings import Settings
from harness.server.client import AGAINST_COMPUTER, CHAIN, START, Client, some_choice, tokens, updated
from harness.server.processes import running

pytestmark = pytest.mark.anyio


class Sleeper:
    """A computer player that thinks until the test lets it answer."""

    def __init__(self) -> None:
        self.asked = 0
        self.cancelled = 0
        self.may_answer = asyncio.Event()

    async def choose(self, game: Game, level: int) -> str:
        assert level == 1
        self.asked += 1
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return str(game.legal_moves[0])

    async def close(self) -> None:
        self.may_answer.set()


async def until(condition: object) -> None:
    async with asyncio.timeout(10):
        while not condition():  # type: ignore[operator]
            await asyncio.sleep(0.005)


async def test_the_computer_plays_a_whole_game(client: Client) -> None:
    rng = random.Random(2)
    game = await client.begin(AGAINST_COMPUTER, variant="expert", first="sea")
    while (game := await client.until_asked(game))["now"]["outcome"] is None:
        game = updated(game, await client.play(game, some_choice(game, rng)))
    assert {step["by"] for step in game["steps"]} >= {"forest", "sea"}
    assert Game(game["start"], tokens(game)).outcome is not None


async def test_the_computer_decides_within_a_persons_turn(client: Client) -> None:
    game = await client.begin(AGAINST_COMPUTER, position=CHAIN, tokens=["a1-c3"])
    game = updated(game, await client.play(game, "d5-d4"))
    game = await client.until_asked(game)
    assert [step["by"] for step in game["steps"]][:3] == ["forest", "forest", "sea"]
    assert game["steps"][2]["active"] == "forest"


async def test_no_choices_are_shown_while_the_computer_decides(settings: Settings) -> None:
    async with running(settings, computer=Sleeper()) as client:
        game = await client.begin(AGAINST_COMPUTER, position=START.replace(" F", " S"))
        assert (game["now"]["decider"], game["now"]["choices"]) == ("sea", [])


async def test_undo_cancels_the_search(settings: Settings) -> None:
    computer = Sleeper()
    async with running(settings, computer=computer) as client:
        game = await client.begin(AGAINST_COMPUTER, position=START)
        game = updated(game, await client.play(game, "a1-a2"))
        await until(lambda: computer.asked == 1)
        game = updated(game, await client.undo(game))
        await until(lambda: computer.cancelled == 1)
        computer.may_answer.set()
        game = updated(game, await client.play(game, "a1-b1"))
        game = await client.until_asked(game)
        assert tokens(game)[0] == "a1-b1"
        assert computer.asked == 2


async def test_an_undo_that_is_not_stored_does_not_cancel_the_search(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    computer = Sleeper()
    async with running(settings, computer=computer) as client:
        game = await client.begin(AGAINST_COMPUTER, position=START)
        game = updated(game, await client.play(game, "a1-a2"))
        await until(lambda: computer.asked == 1)
        assert client.app is not None
        authority = client.app.state.services.authority

        async def fail(*_: object) -> None:
            raise StorageFullError("The disk is full.")

        with monkeypatch.context() as patched:
            patched.setattr(authority._games, "append", fail)
            assert (await client.undo(game, status=507))["kind"] == "storage-full"
        computer.may_answer.set()
        async with asyncio.timeout(10):  # poll the list, because that does not start a search
            while (await client.get("/games"))["games"][0]["turns"] < 2:
                await asyncio.sleep(0.01)
        assert [step["by"] for step in (await client.view(game))["steps"]] == ["forest", "sea"]


async def test_deleting_a_game_cancels_the_search_and_restoring_it_starts_another(settings: Settings) -> None:
    computer = Sleeper()
    async with running(settings, computer=computer) as client:
        game = await client.begin(AGAINST_COMPUTER, position=START)
        game = updated(game, await client.play(game, "a1-a2"))
        await until(lambda: computer.asked == 1)
        await client.ask("DELETE", f"/games/{game['id']}", status=204)
        await until(lambda: computer.cancelled == 1)
        computer.may_answer.set()
        await client.post(f"/games/{game['id']}/restore", status=204)
        assert len((await client.until_asked(game))["steps"]) >= 2


async def test_the_computer_continues_by_itself_after_a_restart(settings: Settings) -> None:
    async with running(settings, computer=Sleeper()) as client:
        game = await client.begin(AGAINST_COMPUTER, position=START)
        game = updated(game, await client.play(game, "a1-a2"))
        deleted = await client.begin(AGAINST_COMPUTER, position=START, tokens=["a1-a2"])
        await client.ask("DELETE", f"/games/{deleted['id']}", status=204)
    computer = Sleeper()
    computer.may_answer.set()
    async with running(settings, computer=computer) as client:
        await until(lambda: computer.asked == 1)
        async with asyncio.timeout(10):
            while (await client.get("/games"))["games"][0]["turns"] < 2:
                await asyncio.sleep(0.01)
    assert computer.asked == 1


async def test_the_computer_plays_more_games_than_are_kept_in_memory(settings: Settings) -> None:
    import dataclasses

    async with running(dataclasses.replace(settings, most_games_in_memory=2)) as client:
        games = [await client.begin(AGAINST_COMPUTER, position=START) for _ in range(6)]
        for _ in range(3):
            games = [updated(game, await client.play(game, some_choice(game, random.Random(1)))) for game in games]
            games = [await client.until_asked(game) for game in games]
        assert client.app is not None
        assert client.app.state.services.authority.games_in_memory <= 2
        assert all(len(game["steps"]) >= 6 for game in games)


async def test_an_engine_pool_runs_more_searches_than_it_has_threads() -> None:
    pool = EnginePool(2, seed=1)
    game = Game(START)
    answers = await asyncio.gather(*(pool.choose(game, level) for level in (1, 2, 3, 4, 1, 2)))
    assert all(answer in game.board.legal_moves for answer in answers)
    thinking = asyncio.create_task(pool.choose(game, 10))
    await asyncio.sleep(0.05)
    thinking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thinking
    async with asyncio.timeout(5):
        assert await pool.choose(game, 1) in game.board.legal_moves
        await pool.close()
