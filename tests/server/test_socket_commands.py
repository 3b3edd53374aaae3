"""Commands over the socket: all are answered, repeated commands run only once, and stale commands are refused."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from cairn.server.settings import Settings
from harness.server.client import PERSONS, START, choices, tokens
from harness.server.visitors import Visitor, begun, refused, table, two

pytestmark = pytest.mark.anyio


async def test_a_repeated_command_runs_only_once(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            token = choices(forest.game)[0]
            command = {"token": token, "revision": 0, "tribe": "forest", "id": "mine"}
            first = await forest.send("play", **command)
            again = await forest.send("play", **command)
            assert (first["type"], again["type"]) == ("done", "done")
            assert again["revision"] == first["revision"] == forest.game["revision"]
            update = await ann.post(f"/games/{game['id']}/tokens", command)  # over HTTP, too
            assert (update["base"], update["steps"]) == (forest.game["revision"], [])
        assert tokens(await ben.view(game))[0] == token
        assert len((await ben.view(game))["steps"]) == len(forest.game["steps"])


@pytest.mark.slow
async def test_a_repeated_command_runs_only_once_even_after_an_undo_and_a_restart(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            command = {"token": choices(forest.game)[0], "revision": 0, "tribe": "forest", "id": "mine", "hold": True}
            first = await forest.send("play", **command)
            undo = {"revision": forest.game["revision"], "id": "back"}
            await forest.send("undo", **undo)
            assert forest.game["steps"] == []
            assert await forest.send("play", **command) == {**first, "at": forest.others[-1]["at"]}
            assert (await forest.send("undo", **undo))["type"] == "done"
            assert (forest.game["steps"], forest.game["revision"]) == ([], 2)
        cookies = ann.http.cookies
    async with table(settings) as address, two(address) as (ann, ben):
        ann.http.cookies = httpx.Cookies(cookies)
        async with ann.socket(game["id"]) as forest:
            assert (await forest.send("play", **command))["revision"] == first["revision"]
            assert (forest.game["steps"], forest.game["revision"]) == ([], 2)
            assert (await forest.send("play", **{**command, "id": "other", "revision": 2}))["type"] == "done"
            assert len(forest.game["steps"]) == 1


async def test_an_update_answers_a_command_only_on_the_socket_that_sent_the_command(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        sockets = ann.socket(game["id"]), ann.socket(game["id"]), ben.socket(game["id"])
        async with sockets[0] as forest, sockets[1] as twin, sockets[2] as sea:
            await forest.play(id='a "b" ü')
            for socket in (twin, sea):
                await socket.until(forest.game["revision"])
            said = [json.loads(socket.messages[-1]) for socket in (forest, twin, sea)]
            assert [message["done"] for message in said] == ['a "b" ü', None, None]
            assert said[0]["update"] == said[1]["update"] == said[2]["update"]
            assert not [message for message in forest.others if message["type"] == "done"]


async def test_each_player_has_their_own_command_ids(settings: Settings) -> None:
    """A player cannot block the opponent's command by using the same id first."""
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
            await forest.send("offer", what="draw", revision=0, id="same")
            await sea.until(1)
            assert (await sea.send("answer", answer="decline", revision=1, id="same"))["revision"] == 2
            assert sea.game["now"]["offers"] == []


async def test_a_repeated_command_in_a_local_game_runs_only_once(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        game = await ann.begin(PERSONS, position=START)
        body = {"revision": 0, "tribe": "forest", "token": "a1-a2", "id": "x"}
        first = await ann.post(f"/games/{game['id']}/tokens", body)
        again = await ann.post(f"/games/{game['id']}/tokens", body)
        assert (first["revision"], again["revision"], again["steps"]) == (1, 1, [])
        undo = {"revision": 1, "id": "y"}
        assert (await ann.post(f"/games/{game['id']}/undo", undo))["kept"] == 0
        assert (await ann.post(f"/games/{game['id']}/undo", undo))["revision"] == 2
        async with ann.socket(game["id"]) as socket:
            assert socket.game["you"] == ["forest", "sea"]
            assert (await socket.send("play", **body))["revision"] == 1
            assert socket.game["steps"] == []
            assert refused(await socket.send("resign")) == "local-game"


async def test_stale_commands_are_refused(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            await forest.play(hold=True)
            played = forest.game["revision"]
            offer = {"revision": played, "what": "draw"}
            revision = (await ben.post(f"/games/{game['id']}/offer", offer))["revision"]
            for kind, command in {
                "play": {"tribe": "forest", "token": "a1-a2"},
                "undo": {},
                "confirm": {},
                "offer": {"what": "takeback"},
                "answer": {"answer": "accept"},
                "resign": {},
            }.items():
                for wrong in (played - 1, revision + 1):
                    assert refused(await forest.send(kind, revision=wrong, **command)) == "stale-revision", kind
            assert (await ben.view(game))["revision"] == revision


async def test_every_command_is_answered(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            assert (await forest.send("ping"))["revision"] is None
            for kind, command in (
                ("dance", {}),
                ("play", {}),
                ("play", {"revision": 0, "tribe": "forest", "token": 7}),
                ("play", {"revision": "0; --", "tribe": "forest", "token": "a1-a2"}),
                ("play", {"revision": 0, "tribe": "chance", "token": "?AD"}),
                ("offer", {"revision": 0, "what": "money"}),
                ("chat", {"text": "x", "phrase": "hello"}),
                ("hello", {}),
                ("ping", {"more": 1}),
            ):
                assert refused(await forest.send(kind, **command)) == "malformed", (kind, command)
            wrong = await forest.play("a1-a9")
            assert refused(wrong) == "malformed-token"
            assert refused(await forest.play("?AD")) == "illegal-token"
            assert forest.game["revision"] == 0


NO_COMMANDS: list[Any] = [
    "",
    "hello",
    b"\xff\x00",
    "{",
    "[" * 16_000,
    "null",
    '{"id": 5, "type": "ping"}',
    '{"id": "", "type": "ping"}',
    json.dumps({"id": "x" * 41, "type": "ping"}),
    json.dumps({"type": "play", "token": "a1-a2"}),
]


async def test_messages_that_are_not_commands_are_ignored(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            for message in NO_COMMANDS:
                await forest.connection.send(message)
            heard = len(forest.others)
            await forest.send("ping")
            assert [each["type"] for each in forest.others[heard:] if each["type"] != "presence"] == ["done"]
            assert (await forest.play())["type"] == "done"


async def test_only_one_of_many_simultaneous_commands_succeeds(settings: Settings) -> None:
    """All commands are for the same revision. The player who has to decide sends them over sockets and over HTTP."""
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as one, ann.socket(game["id"]) as other, ben.socket(game["id"]) as sea:
            for _ in range(5):
                view = await ann.view(game)
                decider = view["now"]["decider"]
                sockets = [one, other] if decider == "forest" else [sea]
                visitor = ann if decider == "forest" else ben
                for socket in (one, other, sea):
                    await socket.until(view["revision"])
                token = choices(view)[0]
                body = {"revision": view["revision"], "tribe": decider, "token": token}
                racing = [socket.send("play", **body) for socket in sockets]
                asked = [visitor.http.post(f"/api/games/{game['id']}/tokens", json=body) for _ in range(3)]
                heard, answers = await asyncio.gather(asyncio.gather(*racing), asyncio.gather(*asked))
                won = [message for message in heard if message["type"] == "done"]
                won += [answer for answer in answers if answer.status_code == 200]
                assert len(won) == 1
            assert len([step for step in (await ann.view(game))["steps"] if step["by"] != "chance"]) == 5
