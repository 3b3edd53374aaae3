"""Two people meet by a link and play: with real sessions and sockets, against the real application."""

from __future__ import annotations

import pytest
from tests.server.duel import begun, table, two
from tests.server.helpers import choices

from cairn.server.settings import Settings

pytestmark = pytest.mark.anyio


async def test_a_rated_game_by_link(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben, rated=True)
        assert game["you"] == ["sea"]
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            assert forest.game["you"] == ["forest"]
            for _ in range(6):
                here, there = (forest, sea) if forest.game["now"]["decider"] == "forest" else (sea, forest)
                answer = await here.play(choices(here.game)[-1])
                assert answer["type"] == "done"
                await there.until(answer["revision"])
                assert there.game["steps"] == here.game["steps"]
            assert (await sea.send("resign"))["type"] == "done"
            await forest.until(sea.game["revision"])
            for seen in (forest.game, sea.game):
                assert seen["now"]["outcome"] == {"winner": "forest", "reason": "resignation", "rule": "G3"}
                assert seen["proof"]["seed"]
                assert seen["players"]["forest"]["rating"] > 1500 > seen["players"]["sea"]["rating"]
        profile = await ann.get(f"/players/{game['players']['forest']['id']}")
        assert [point["change"] > 0 for point in profile["history"]] == [True]
        assert profile["results"] == [{"variant": "beginner", "won": 1, "drawn": 0, "lost": 0}]
