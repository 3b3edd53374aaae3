"""The explorer of the server: finished games are added once, in the background, on both databases."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from cairn import Board, Game
from cairn.cli.app import app
from cairn.server.game.events import Event, GameEnded, TokenPlayed, TokensUndone
from cairn.server.game.log import GameProjection
from cairn.server.game.names import TribeName
from cairn.server.live.explorer import Explorer
from cairn.server.settings import Settings
from cairn.server.storage.engines.database import Database
from cairn.server.storage.games.explored import band_of
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.tables import events, explored_games, explored_moves
from cairn.symmetry import SYMMETRIES
from harness.server.client import START, Client, some_choice, updated
from harness.server.postgresql import PostgresServer
from harness.server.processes import running
from harness.server.visitors import begun, table, two
from tests.server.test_database import HEAD, NOW

pytestmark = pytest.mark.anyio

LATER: Final = NOW + datetime.timedelta(minutes=5)
TOKENS: Final = ("a1-a2", "a5-b4", "c1-c2")


@contextlib.asynccontextmanager
async def opened(place: Path | str) -> AsyncIterator[tuple[Database, GameRepository, Explorer]]:
    database = await Database.open(place)
    games = GameRepository(database)
    try:
        yield database, games, Explorer(database, games, lambda: LATER, pause_factor=0)
    finally:
        await database.close()


async def finish(
    games: GameRepository, name: str, winner: TribeName | None, *tokens: str, start: str = START, **changes: Any
) -> None:
    """Store a game that ends by resignation after some tokens."""
    header = dataclasses.replace(HEAD, id=name, start=start, **changes)
    board = Board(start, tokens)
    log: list[Event] = [*map(TokenPlayed, tokens), GameEnded(winner, "resignation" if winner else "agreement")]
    await games.create(header, [], GameProjection(0, NOW, 1, start, "forest", None, None, waits_for_computer=False))
    ended = GameProjection(len(log), LATER, 2, board.text, None, winner, log[-1].reason, waits_for_computer=False)  # type: ignore[union-attr]
    await games.append(name, 1, log, ended)


async def found(explorer: Explorer, board: Board, rating_from: int = 0) -> dict[str, tuple[int, int, int]]:
    tokens = await explorer.explore(board, None, rating_from, any_megaliths=False)
    return {each.token: (each.forest, each.drawn, each.sea) for each in tokens}


async def test_finished_games_are_added_once(place: Path | str) -> None:
    async with opened(place) as (_, games, explorer):
        await finish(games, "one", "forest", *TOKENS)
        await finish(games, "two", "sea", *TOKENS)
        await finish(games, "three", None, "+d1")
        assert await explorer.update() == 3
        assert await explorer.update() == 0
        assert await found(explorer, Board(START)) == {"a1-a2": (1, 0, 1), "+d1": (0, 1, 0)}
        assert await found(explorer, Board(START, TOKENS[:1])) == {"a5-b4": (1, 0, 1)}
        assert await found(explorer, Board(START, TOKENS)) == {}
    async with opened(place) as (_, games, explorer):
        assert await explorer.update() == 0
        assert await explorer.rebuild() == 3
        assert await found(explorer, Board(START)) == {"a1-a2": (1, 0, 1), "+d1": (0, 1, 0)}


async def test_rebuilding_waits_for_another_process(postgres: PostgresServer) -> None:
    async with opened(postgres.new_database("empty")) as (database, games, explorer):
        await finish(games, "one", "forest", *TOKENS)
        async with database.backend.only_process("explorer") as alone:
            assert alone
            assert await explorer.update() == 0
            rebuilding = asyncio.create_task(explorer.rebuild())
            await asyncio.sleep(0.2)
            assert not rebuilding.done()
        assert await rebuilding == 1


async def test_symmetric_positions_are_one(place: Path | str) -> None:
    async with opened(place) as (_, games, explorer):
        for number, symmetry in enumerate(SYMMETRIES):
            image = Board(symmetry.setup(Board(START).setup))
            token = next(each for each in image.legal_moves if str(each) == symmetry.token(Board(START).legal_moves[1]))
            won = symmetry.tribe(Board(START).active)
            await finish(games, f"game {number}", won.value, str(token), start=image.text)
        await explorer.update()
        for symmetry in SYMMETRIES:
            image = Board(symmetry.setup(Board(START).setup))
            results = [*(await found(explorer, image)).values()]
            assert results == [(0, 0, 4) if symmetry.turns else (4, 0, 0)]


async def test_only_real_finished_games_count(place: Path | str) -> None:
    async with opened(place) as (database, games, explorer):
        await finish(games, "custom", "forest", *TOKENS, variant=None)
        await finish(games, "deleted", "forest", *TOKENS)
        await games.set_deleted("deleted", True)
        running_header = dataclasses.replace(HEAD, id="running")
        now = GameProjection(1, LATER, 1, START, "sea", None, None, waits_for_computer=False)
        await games.create(running_header, [TokenPlayed("a1-a2")], now)
        record = dataclasses.replace(HEAD, id="record")
        ended = GameProjection(2, NOW, 2, START, None, "sea", "resignation", waits_for_computer=False)
        await games.create(record, [TokenPlayed("a1-a2"), GameEnded("sea", "resignation")], ended)
        assert await explorer.update() == 0
        assert await database.read(lambda one: one.execute(sa.select(explored_games)).all()) == []


async def test_tokens_that_were_taken_back_do_not_count(place: Path | str) -> None:
    async with opened(place) as (_, games, explorer):
        header = dataclasses.replace(HEAD, id="game")
        log: list[Event] = [
            TokenPlayed("a1-a2"),
            TokensUndone(1),
            TokenPlayed("c1-c2"),
            GameEnded("sea", "resignation"),
        ]
        begun_game = GameProjection(0, NOW, 1, START, "forest", None, None, waits_for_computer=False)
        await games.create(header, [], begun_game)
        ended = GameProjection(4, LATER, 2, START, None, "sea", "resignation", waits_for_computer=False)
        await games.append("game", 1, log, ended)
        assert await explorer.update() == 1
        assert await found(explorer, Board(START)) == {"c1-c2": (0, 0, 1)}


async def test_a_damaged_game_is_left_out_and_the_others_are_added(place: Path | str) -> None:
    async with opened(place) as (database, games, explorer):
        await finish(games, "a damaged one", "forest", *TOKENS)
        await finish(games, "b", "forest", *TOKENS)
        await database.execute(events.update().where(events.c.game == "a damaged one").values(hash="0" * 64))
        assert await explorer.update() == 1
        assert await found(explorer, Board(START)) == {"a1-a2": (1, 0, 0)}


async def test_decisions_are_in_the_band_of_the_deciders_rating(place: Path | str) -> None:
    """In this game, a person without a rating plays Forest, and level 3 plays Sea."""
    async with opened(place) as (_, games, explorer):
        await finish(games, "game", "sea", "a1-a2", "a5-b4")
        await explorer.update()
        assert await found(explorer, Board(START), rating_from=1200) == {}
        [token] = await explorer.explore(Board(START), None, 0, any_megaliths=False)
        assert token.mean_rating is None
        [answer] = await explorer.explore(Board(START, ["a1-a2"]), "expert", 0, any_megaliths=True)
        assert answer.mean_rating == 1120
    assert [band_of(rating) for rating in (None, -5, 1199.9, 1200, 1700, 3000)] == [0, 0, 0, 1200, 1600, 2000]


async def test_the_summary_counts_constructions_and_starts(place: Path | str) -> None:
    game = Game("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F")
    leaves = "F1S1S/5/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
    async with opened(place) as (_, games, explorer):
        await finish(games, "one", "forest", "a5-out", "=DR", "?AD", start=leaves)
        await finish(games, "two", "sea", str(game.legal_moves[0]))
        await explorer.update()
        summary = await explorer.summary("expert", 0)
        assert summary.games == 2
        assert [(each.code, each.offered, each.won, each.lost) for each in summary.megaliths] == [
            ("DR", 1, 1, 0),
            ("MD", 1, 0, 0),
        ]
        assert [(each.faces, each.lost) for each in summary.starts if each.lost] == [("ofm", 1)]
        assert (await explorer.summary("beginner", 0)).games == 0


async def test_the_api_answers_and_refuses(client: Client) -> None:
    assert await client.post("/explorer/moment", {"position": START, "tokens": ["a1-a2"]}) == {"tokens": []}
    assert (await client.get("/explorer/summary?variant=beginner&rating_from=1600"))["games"] == 0
    problem = await client.post("/explorer/moment", {"position": "nonsense"}, status=422)
    assert problem["faults"]
    problem = await client.post("/explorer/moment", {"position": START, "tokens": ["a1-a3"]}, status=422)
    assert problem["kind"] == "illegal-token"


async def test_an_online_game_is_added_with_the_ratings_before_it(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        await ann.sign_up("Ann")
        await ben.sign_up("Ben")
        game = await begun(ann, ben, rated=True, tribe="forest", first="forest")
        token = (await ann.view(game))["now"]["choices"][0]["token"]
        await ann.play(await ann.view(game), token)
        await ben.post(f"/games/{game['id']}/resign", {})
        start = (await ann.view(game))["start"]
    async with opened(settings.data / "cairn.db") as (_, _, explorer):
        assert await explorer.update() == 1
        [explored] = await explorer.explore(Board(start), None, 1200, any_megaliths=False)
        assert (explored.token, explored.forest, explored.mean_rating) == (token, 1, 1500)


def test_a_command_rebuilds_the_tables(tmp_path: Path, empty_database: Path, settings: Settings) -> None:
    async def make() -> None:
        async with opened(settings.data / "cairn.db") as (database, games, explorer):
            await finish(games, "one", "forest", *TOKENS)
            await explorer.update()
            await database.execute(explored_moves.delete())

    asyncio.run(make())
    result = CliRunner().invoke(app, ["rebuild-explorer", "--data", str(settings.data)])
    assert (result.exit_code, result.stdout) == (0, "The explorer contains 1 game.\n")

    async def look() -> None:
        async with opened(settings.data / "cairn.db") as (_, _, explorer):
            assert await found(explorer, Board(START)) == {"a1-a2": (1, 0, 0)}

    asyncio.run(look())
    missing = CliRunner().invoke(app, ["rebuild-explorer", "--data", str(tmp_path / "nowhere")])
    assert missing.exit_code == 1


async def test_a_server_adds_games_by_itself(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.server.web.lifespan.EXPLORER_SECONDS", 0.05)
    async with running(settings) as client:
        game, rng = await client.begin(), random.Random(3)
        while game["now"]["outcome"] is None:
            game = updated(game, await client.play(game, some_choice(game, rng)))
        async with asyncio.timeout(20):
            while not (found := await client.post("/explorer/moment", {"position": game["start"]}))["tokens"]:
                await asyncio.sleep(0.05)
        assert found["tokens"][0]["token"] == game["steps"][0]["token"]
