"""Seat tokens: a wrong token is refused and not stored; a correct token grants the seat."""

from __future__ import annotations

import secrets
from typing import NoReturn

import pytest

from cairn.server.errors import Refusal, StorageError
from cairn.server.game.access import Actor, take_seat
from cairn.server.live.authority import Authority
from cairn.server.secret_tokens import hash_of
from cairn.server.settings import Settings
from cairn.vocabulary import FOREST
from harness.server.processes import listening
from harness.server.visitors import Visitor, application, begun, refused, table, two

pytestmark = pytest.mark.anyio


async def test_a_wrong_seat_token_is_refused(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben), Visitor(address) as stranger:
        game = await begun(ann, ben)
        async with stranger.socket(game["id"]) as socket:
            answer = await socket.send("hello", seat=secrets.token_urlsafe(24))
            assert refused(answer) == "wrong-seat-token"
            assert socket.game["you"] == []
            # The socket stays open, and a correct token still works.
            assert (await socket.send("hello", seat=ann.seat))["type"] == "done"
            assert socket.game["you"] == ["forest"]
            # A later wrong token does not take the seat away.
            assert refused(await socket.send("hello", seat=ben.seat[::-1])) == "wrong-seat-token"
            assert (await socket.play())["type"] == "done"


async def test_a_seat_can_be_taken_again_after_a_storage_error(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        presence = app.state.services.authority.attendance.presence
        async with Visitor(address) as browser, browser.socket(game["id"]) as socket:
            original = Authority.at_table

            def fail(self: Authority, *_: object) -> NoReturn:
                monkeypatch.setattr(Authority, "at_table", original)
                raise StorageError("the database cannot be reached")

            monkeypatch.setattr(Authority, "at_table", fail)
            assert (await socket.send("hello", seat=ann.seat))["type"] == "refused"
            assert (presence.present(game["id"]), presence.watchers(game["id"])) == ([], 1)
            assert (await socket.send("hello", seat=ann.seat))["type"] == "done"
            assert (presence.present(game["id"]), presence.watchers(game["id"])) == ([FOREST], 0)


async def test_no_seat_of_a_local_game_has_a_token(settings: Settings) -> None:
    async with table(settings) as address, Visitor(address) as ann:
        game = await ann.begin()
        async with ann.socket(game["id"]) as socket:
            assert refused(await socket.send("hello", seat=secrets.token_urlsafe(24))) == "wrong-seat-token"


async def test_only_correct_tokens_are_kept(settings: Settings) -> None:
    async with application(settings) as app, listening(app) as address, two(address) as (ann, ben):
        game = await begun(ann, ben)
        header, _ = await app.state.services.authority.header(game["id"])
    actor = Actor()
    for _ in range(100):
        with pytest.raises(Refusal) as refusal:
            actor = take_seat(header, actor, secrets.token_urlsafe(24))
        assert (refusal.value.status, refusal.value.kind) == (403, "wrong-seat-token")
    assert actor.seats == frozenset()
    for token in (ann.seat, ann.seat, ben.seat, ann.seat):
        actor = take_seat(header, actor, token)
    assert actor.seats == {hash_of(ann.seat), hash_of(ben.seat)}
