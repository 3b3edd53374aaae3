"""Every role and every command: nobody can act for a seat that is not theirs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest

from cairn.server.settings import Settings
from harness.server.client import PERSONS, START, choices
from harness.server.visitors import Visitor, begun, refused, table, two

pytestmark = pytest.mark.anyio

COMMANDS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "play": ("tokens", {"tribe": "forest", "token": "TOKEN"}),
    "undo": ("undo", {}),
    "confirm": ("confirm", {}),
    "offer": ("offer", {"what": "draw"}),
    "takeback": ("offer", {"what": "takeback"}),
    "answer": ("answer", {"answer": "accept"}),
    "resign": ("resign", {}),
    "claim": ("claim", {}),
    "chat": ("chat", {"phrase": "hello"}),
}


def body_of(name: str, game: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    body = {**COMMANDS[name][1], **more}
    if name != "chat":
        body["revision"] = game["revision"]
    if body.get("token") == "TOKEN":
        body["token"] = choices(game)[0]
    return body


async def test_strangers_can_do_nothing(settings: Settings) -> None:
    """Strangers are visitors without a session, guests, and players in another game, whatever seat token they send."""
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        async with Visitor(address) as nobody, Visitor(address) as guest, two(address) as (cat, dan):
            await guest.challenge()
            await begun(cat, dan)
            for stranger in (nobody, guest, cat, dan):
                for token in (stranger.seat, "0" * 64):
                    stranger.http.headers["X-Seat-Token"] = token
                    for name, (path, _) in COMMANDS.items():
                        for tribe in ("forest", None):
                            more = {} if name == "chat" or tribe is None else {"tribe": tribe}
                            body = body_of(name, game, **more)
                            problem = await stranger.post(f"/games/{game['id']}/{path}", body, status=403)
                            assert problem["kind"] == "not-your-seat", (name, tribe)
                    problem = await stranger.post(f"/games/{game['id']}/rematch", status=403)
                    assert problem["kind"] == "not-your-seat"
                async with stranger.socket(game["id"]) as socket:
                    assert socket.game["you"] == []
                    for name in COMMANDS:
                        kind = "offer" if name == "takeback" else name
                        assert refused(await socket.send(kind, **body_of(name, game))) == "not-your-seat", name
                    assert (await socket.send("ping"))["type"] == "done"
        assert (await ann.view(game))["revision"] == 0
        assert (await ann.get(f"/games/{game['id']}/chat"))["lines"] == []


async def test_players_can_act_only_for_their_own_seat(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        for visitor, theirs in ((ann, "sea"), (ben, "forest")):
            for name, (path, _) in COMMANDS.items():
                if name == "chat":
                    continue
                body = body_of(name, game, tribe=theirs)
                problem = await visitor.post(f"/games/{game['id']}/{path}", body, status=403)
                assert problem["kind"] == "not-your-seat", name
        body = body_of("play", game, tribe="sea")
        assert (await ben.post(f"/games/{game['id']}/tokens", body, status=409))["kind"] == "wrong-turn"
        assert (await ann.view(game))["revision"] == 0


async def test_a_local_game_on_a_public_server_belongs_to_its_creator(settings: Settings) -> None:
    async with table(dataclasses.replace(settings, public=True)) as address, two(address) as (ann, ben):
        game = await ann.begin(PERSONS, position=START)
        assert game["you"] == ["forest", "sea"]
        assert (await ben.view(game))["you"] == []
        for path, body in (
            ("tokens", {"revision": 0, "tribe": "forest", "token": "a1-a2"}),
            ("undo", {"revision": 0}),
            ("confirm", {"revision": 0}),
            ("restore", None),
        ):
            problem = await ben.post(f"/games/{game['id']}/{path}", body, status=403)
            assert problem["kind"] == "not-your-seat"
        assert (await ben.ask("DELETE", f"/games/{game['id']}", status=403))["kind"] == "not-your-seat"
        await ann.play(game, "a1-a2")
        for visitor, expected in ((ann, 1), (ben, 0)):
            assert (await visitor.get("/games"))["total"] == expected
        await ann.ask("DELETE", f"/games/{game['id']}", status=204)


async def test_a_local_game_on_a_private_server_belongs_to_everybody(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        game = await ann.begin(PERSONS, position=START)
        assert (await ben.view(game))["you"] == ["forest", "sea"]
        await ben.play(game, "a1-a2")
        assert (await ben.get("/games"))["total"] == 1


async def test_only_the_creator_can_change_a_challenge(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as nobody:
        made = await ann.post("/challenges", {"open": True}, status=201)
        name = made["challenge"]["id"]
        for visitor in (ben, nobody):
            body = {"number": "0" * 32}
            problem = await visitor.ask("PUT", f"/challenges/{name}/number", body, status=403)
            assert problem["kind"] == "not-your-challenge"
            problem = await visitor.ask("DELETE", f"/challenges/{name}", status=403)
            assert problem["kind"] == "not-your-challenge"
