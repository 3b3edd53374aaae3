"""Every command with an id is answered, even if the id is invalid."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from cairn.server.settings import Settings
from harness.server.visitors import Visitor, begun, refused, table, two
from tests.server.places import settings_at

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


COMMANDS: dict[str, dict[str, object]] = {
    "tokens": {"revision": 0, "tribe": "forest", "token": "a1-a2"},
    "undo": {"revision": 0},
    "confirm": {"revision": 0},
    "offer": {"revision": 0, "what": "draw"},
    "answer": {"revision": 0, "answer": "accept"},
    "resign": {},
    "claim": {},
}


@pytest.mark.parametrize("path", COMMANDS)
async def test_an_unprintable_id_is_refused_over_http(settings: Settings, path: str) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        for command_id in UNPRINTABLE:
            body = {**COMMANDS[path], "id": command_id}
            problem = await ann.post(f"/games/{game['id']}/{path}", body, status=422)
            assert (problem["kind"], problem["sentence"]) == ("malformed", "id: contains an invalid character")
        assert (await ann.view(game))["revision"] == 0


async def test_a_lone_surrogate_as_an_id_is_refused(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        game = await ann.begin()
        async with ann.socket(game["id"]) as socket:
            await socket.connection.send(json.dumps({"type": "ping", "id": "\ud800"}))
            async with asyncio.timeout(10):
                assert refused(await socket.hear("refused")) == "malformed"
            assert (await socket.send("ping"))["type"] == "done"


async def test_a_chat_message_with_an_unprintable_id_is_refused(settings: Settings, place: Path | str) -> None:
    async with table(settings_at(settings, place)) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        for command_id in UNPRINTABLE:
            body = {"phrase": "hello", "id": command_id}
            problem = await ann.post(f"/games/{game['id']}/chat", body, status=422)
            assert problem["kind"] == "malformed"
        async with ann.socket(game["id"]) as socket:
            assert refused(await socket.send("chat", phrase="hello", id="a\x00")) == "malformed"
        assert (await ann.get(f"/games/{game['id']}/chat"))["lines"] == []
