"""Games started with the first version of the fairness proof keep that version, and can still be verified."""

from __future__ import annotations

import dataclasses
import random
import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from cairn import FOREST, fairness
from cairn.fairness import Proof
from cairn.record import read_record
from cairn.server.settings import Settings
from cairn.server.storage.engines.database import Database
from cairn.server.storage.tables import games, standings
from cairn.vocabulary import Variant
from harness.server.client import Client, choices, updated
from harness.server.processes import listening
from harness.server.visitors import Visitor, application, begun, two
from tests.server.places import change_header, settings_at

pytestmark = pytest.mark.anyio


async def test_a_game_with_a_first_version_proof_can_be_continued(settings: Settings, place: Path | str) -> None:
    where = settings_at(settings, place)
    async with application(where) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, variant="standard")
        assert game["proof"]["version"] == fairness.VERSION
        database: Database = app.state.services.database
        start = await database.write(lambda connection: _as_first_version(connection, game["id"]))
        cookies = [visitor.http.cookies for visitor in (ann, ben)]
    async with application(where) as app, listening(app) as address, two(address) as (ann, ben):
        for visitor, known in zip((ann, ben), cookies, strict=True):
            visitor.http.cookies = known
        game = await ann.view(game)
        assert (game["start"], game["proof"]["version"]) == (start, 1)
        await _play_until_a_draw({"forest": ann, "sea": ben}, game)
        await ann.post(f"/games/{game['id']}/resign", {})
        record = read_record((await ann.http.get(f"/api/games/{game['id']}/record")).text)
    assert "Proof" not in record.headers
    assert any(str(token).startswith("?") for token in record.game.tokens)
    assert fairness.overall(fairness.verify(record)) is fairness.Verdict.RIGHT


def _as_first_version(connection: sa.Connection, game: str) -> str:
    """Make a game without tokens look as if an older server had started it; return its new starting position."""
    row = connection.execute(sa.select(games).where(games.c.id == game)).one()
    proof = Proof.begin(row.seed, game, Variant(row.variant), FOREST, version=1)
    numbers = {f"{name}_number": bytes.fromhex(getattr(row, f"{name}_number")) for name in ("forest", "sea")}
    start = dataclasses.replace(proof, **numbers).deal()  # type: ignore[arg-type]  # both are numbers
    assert start != row.start
    change_header(connection, game, start=start, proof_version=None)
    connection.execute(standings.update().where(standings.c.game == game).values(position=start))
    return start


async def _play_until_a_draw(players: dict[str, Visitor], game: Any) -> None:
    """Cross the field and leave it as soon as possible, because leaving builds a megalith, and then a tile is drawn."""
    rng = random.Random(1)
    while not any(step["by"] == "chance" for step in game["steps"]):
        decider = game["now"]["decider"]
        player: Client = players[decider]
        game = updated(game, await player.play(game, _forward(decider, choices(game), rng)))


def _forward(tribe: str, tokens: list[str], rng: random.Random) -> str:
    """Return a token that leaves the field, or one that goes as far as possible towards the other side."""

    def progress(token: str) -> float:
        if token.endswith("-out"):
            return 9
        step = re.fullmatch(r"[a-e]([1-5])-[a-e]([1-5])", token)  # other tokens, such as flip-add, do not advance
        rows = int(step[2]) - int(step[1]) if step else 0
        return (rows if tribe == "forest" else -rows) + rng.random() / 2

    return max(tokens, key=progress)
