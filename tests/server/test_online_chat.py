"""Chat and reports."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest

from cairn.server.players.limits import Limits, Rate
from cairn.server.settings import Settings
from harness.server.processes import listening
from harness.server.visitors import Visitor, application, begun, refused, table, two

pytestmark = pytest.mark.anyio


async def test_players_and_watchers_receive_chat_messages(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as eve:
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest, eve.socket(game["id"]) as watcher:
            assert (await forest.send("chat", text="  Good\nluck! \u2028", id="one"))["type"] == "done"
            assert (await forest.send("chat", text="Good luck!", id="one"))["type"] == "done"
            await ben.post(f"/games/{game['id']}/chat", {"phrase": "thanks"}, status=204)
            lines = [(await watcher.hear("chat"))["line"] for _ in range(2)]
            assert [(line["number"], line["tribe"], line["text"], line["phrase"]) for line in lines] == [
                (1, "forest", "Good luck!", None),
                (2, "sea", None, "thanks"),
            ]
            assert refused(await watcher.send("chat", text="Let me help you")) == "not-your-seat"
        assert (await eve.get(f"/games/{game['id']}/chat"))["lines"] == lines
        await ann.post(f"/games/{game['id']}/resign", {})
        await ben.post(f"/games/{game['id']}/chat", {"phrase": "good-game"}, status=204)


@pytest.mark.parametrize(
    "body", [{}, {"text": "a", "phrase": "hello"}, {"text": "x" * 201}, {"phrase": "rude"}, {"text": " \n\u2028"}]
)
async def test_a_malformed_chat_message_is_refused(settings: Settings, body: dict[str, str]) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        assert (await ann.post(f"/games/{game['id']}/chat", body, status=422))["kind"] == "malformed"


async def test_chat_messages_are_rate_limited(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with ann.socket(game["id"]) as forest:
            answers = [await forest.send("chat", text=str(number)) for number in range(6)]
        assert [answer["type"] for answer in answers] == ["done"] * 5 + ["refused"]
        assert refused(answers[-1]) == "too-many"


async def test_the_number_of_chat_messages_in_a_game_is_limited(settings: Settings) -> None:
    limited = dataclasses.replace(settings, limits=Limits(chat_of_game=2, report=Rate(1, 3_600)))
    async with table(limited) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        path = f"/games/{game['id']}"
        for visitor in (ann, ben):
            await visitor.post(f"{path}/chat", {"phrase": "hello"}, status=204)
        problem = await ann.post(f"{path}/chat", {"phrase": "hello"}, status=409)
        assert (problem["kind"], problem["sentence"]) == (
            "chat-full",
            "The chat is full: a game can have at most 2 messages.",
        )
        await ann.post(f"{path}/report", {"text": "Hm."}, status=204)
        assert (await ann.post(f"{path}/report", {"text": "Hm."}, status=429))["kind"] == "too-many"
        await ben.post(f"{path}/report", {"text": "Hm."}, status=204)


async def test_simultaneous_chat_messages_are_all_stored(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        path = f"/games/{game['id']}/chat"
        both = [each.post(path, {"text": str(number)}, status=204) for number in range(4) for each in (ann, ben)]
        await asyncio.gather(*both)
        assert [line["number"] for line in (await ann.get(path))["lines"]] == list(range(1, 9))


async def test_a_reported_player_can_be_muted(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        body = {"about": "forest", "text": "Rude words."}
        await ben.post(f"/games/{game['id']}/report", body, status=204)
        identity = app.state.services.identity
        (report,), _ = await identity.reports(None, 0, 10, by="a test")
        assert (report.game, report.text) == (game["id"], "Rude words.")
        assert report.about.id == game["players"]["forest"]["id"]
        await identity.mute(report.about.id, True, by="a test")
        problem = await ann.post(f"/games/{game['id']}/chat", {"phrase": "hello"}, status=403)
        assert problem["kind"] == "muted"
        await ben.post(f"/games/{game['id']}/chat", {"phrase": "hello"}, status=204)
        assert (await ben.post("/games/nobody/report", body, status=404))["kind"] == "unknown-game"
