"""The server's engine for pages that cannot run it: best lines, limits, and no help in running online games."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest

from cairn import Game
from cairn.server.players.analysis import MOST_WAITING
from cairn.server.players.limits import Limits
from cairn.server.settings import Settings
from harness.server.client import START, Client
from harness.server.people import guest, unlimited
from harness.server.processes import running
from harness.server.visitors import begun, table, two

pytestmark = pytest.mark.anyio

WINS = "S1F1S/5/1S3/5/F3F e2PS,b3CG,d3CD,b4AD,d4DR SAMD CS wofm 2-1 F"
DRAWS = "F1S1S/5/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
"""A position in which Forest can leave from a5 and build, after which a tile is drawn."""


async def analyse(client: Client, position: str, *tokens: str, status: int = 200, **more: Any) -> Any:
    return await client.post(
        "/positions/analysis", {"position": position, "tokens": list(tokens), **more}, status=status
    )


async def test_the_best_lines_are_found(settings: Settings) -> None:
    async with unlimited(settings) as client:
        found = await analyse(client, WINS)
        assert found["lines"][0]["score"] == 29_999  # a win in this turn
        assert found["lines"][0]["tokens"][0] == "c5-out"
        found = await analyse(client, START, "a1-a2", lines=5)
        scores = [line["score"] for line in found["lines"]]
        assert len(scores) == 5
        assert scores == sorted(scores, reverse=True)
        legal = set(map(str, Game(START, ["a1-a2"]).legal_moves))
        assert {line["tokens"][0] for line in found["lines"]} <= legal
        assert await analyse(client, START, "a1-a2", lines=5) == found  # other searches do not change the result


async def test_bad_requests_are_refused_with_a_reason(settings: Settings) -> None:
    async with unlimited(settings) as client:
        assert (await analyse(client, "nonsense", status=422))["kind"] == "malformed"
        assert (await analyse(client, START, "a1-e5", status=422))["kind"] == "illegal-token"
        assert (await analyse(client, START, lines=6, status=422))["kind"] == "malformed"
        over = await analyse(client, WINS, "c5-out", "=MD", status=409)
        assert over["kind"] == "nothing-to-decide"
        drawing = await analyse(client, DRAWS, "a5-out", "=DR", status=409)
        assert drawing["kind"] == "nothing-to-decide"


async def test_the_engine_does_not_help_in_ones_own_running_online_game(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        position = game["now"]["position"]
        token = game["now"]["choices"][0]["token"]
        for client in (ann, ben):
            assert (await analyse(client, position, status=403))["kind"] == "running-game"
            # A line that leads through the position is part of the game too.
            assert (await analyse(client, position, token, status=403))["kind"] == "running-game"
        await ann.post(f"/games/{game['id']}/resign", {})
        await analyse(ann, position)


async def test_searches_are_charged_to_the_player(settings: Settings) -> None:
    async with running(dataclasses.replace(settings, limits=Limits()), monotonic=lambda: 0.0) as client:
        ann = await guest(client)
        body = {"position": START, "lines": 5}
        answers = [await ann.http.post("/api/positions/analysis", json=body) for _ in range(15)]
        statuses = [answer.status_code for answer in answers]
        assert statuses[:2] == [200, 200]
        assert 429 in statuses
        assert "Retry-After" in answers[statuses.index(429)].headers


async def test_only_a_few_searches_wait(settings: Settings) -> None:
    async with unlimited(settings) as client:
        people = [await guest(client) for _ in range(3 * MOST_WAITING)]
        bodies = [{"position": START, "lines": 5}] * len(people)
        answers = await asyncio.gather(
            *(each.http.post("/api/positions/analysis", json=body) for each, body in zip(people, bodies, strict=True))
        )
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses[0] == 200
        assert statuses[-1] == 429, statuses
