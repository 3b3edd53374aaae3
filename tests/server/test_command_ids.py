"""Every command with an id is answered, even if the id is no good."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.server.duel import Visitor, refused, table

from cairn.server.settings import Settings

pytestmark = pytest.mark.anyio

UNPRINTABLE = ["a\x00", "\x07", "line\nbreak", "\u200e", "\ue000"]


@pytest.mark.parametrize("command_id", UNPRINTABLE)
async def test_an_unprintable_id_is_refused(settings: Settings, command_id: str) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        game = await ann.begin()
        async with ann.socket(game["id"]) as socket:
            answer = await socket.send("ping", id=command_id)
            assert (refused(answer), answer["id"]) == ("malformed", command_id)
            assert refused(await socket.play(id=command_id)) == "malformed"
            assert socket.game["steps"] == []
            assert (await socket.send("ping"))["type"] == "done"


async def test_half_a_character_as_an_id_is_refused(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        game = await ann.begin()
        async with ann.socket(game["id"]) as socket:
            await socket.connection.send(json.dumps({"type": "ping", "id": "\ud800"}))
            async with asyncio.timeout(10):
                assert refused(await socket.hear("refused")) == "malformed"
            assert (await socket.send("ping"))["type"] == "done"
