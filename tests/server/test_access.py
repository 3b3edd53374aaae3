"""Nothing is allowed by default: every call to the authority must pass an actor."""

from __future__ import annotations

import inspect

import pytest

from cairn.server.errors import Refusal
from cairn.server.game.access import WATCHER, Actor
from cairn.server.game.commands import Command, Confirm, Play, Resign, Undo
from cairn.server.live.authority import Authority
from harness.server.client import LEAVES, Client, choices

pytestmark = pytest.mark.anyio


def test_no_method_of_the_authority_has_a_default_actor() -> None:
    methods = {
        name: inspect.signature(each).parameters["actor"]
        for name, each in inspect.getmembers(Authority, inspect.isfunction)
        if "actor" in inspect.signature(each).parameters
    }
    assert {"view", "watch", "at_table", "create", "begin", "perform", "delete", "restore"} <= set(methods)
    for name, actor in methods.items():
        assert actor.default is inspect.Parameter.empty, f"Authority.{name} has a default actor"


def test_an_actor_is_a_watcher_by_default() -> None:
    assert Actor() == WATCHER
    assert (WATCHER.player, WATCHER.seats, WATCHER.owns_local_games) == (None, frozenset(), False)


async def test_a_watcher_may_only_watch(client: Client) -> None:
    assert client.app is not None
    authority: Authority = client.app.state.services.authority
    game = await client.begin(position=LEAVES)
    commands: list[Command] = [
        Play(revision=0, tribe="forest", token=choices(game)[0]),
        Undo(revision=0),
        Confirm(revision=0),
        Resign(),
    ]
    for command in commands:
        with pytest.raises(Refusal) as refusal:
            await authority.perform(game["id"], command, Actor())
        assert (refusal.value.status, refusal.value.kind) == (403, "not-your-seat")
    for change in (authority.delete, authority.restore):
        with pytest.raises(Refusal) as refusal:
            await change(game["id"], Actor())
        assert (refusal.value.status, refusal.value.kind) == (403, "not-your-seat")
    view = await authority.view(game["id"], Actor())
    assert (view.revision, view.you) == (0, [])
    async with authority.watch(game["id"], Actor()) as (seen, _):
        assert seen.id == game["id"]
