"""The speedups change nothing but the speed, and uvicorn and websockets have the internals that the speedups need."""

from __future__ import annotations

import asyncio
import dataclasses
import importlib.metadata
import inspect
import json
import random
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import uvicorn
from packaging.requirements import Requirement
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.protocol import State

from cairn.server.game.chance import SecretChance
from cairn.server.run import serve
from cairn.server.run.direct_protocol import DirectProtocol
from cairn.server.run.websocket_protocol import CountedProtocol
from cairn.server.settings import Settings
from cairn.server.speedups.uvicorn_protocol import DirectWriteProtocol
from cairn.vocabulary import Tribe, Variant
from harness.server.client import choices
from harness.server.processes import Process, listening
from harness.server.visitors import Hands, Socket, Visitor, application, begun, two

pytestmark = pytest.mark.anyio

PINNED: Final = ("uvicorn", "websockets")
MASKED: Final = frozenset({"id", "game", "commitment", "forest_number", "sea_number", "seed"})
"""Message fields with random values, which differ from game to game."""


class SameChance(SecretChance):
    """Gives every game the same deal and the same draws."""

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        return super().deal(bytes(32), variant, first)

    def draw_key(self, key: bytes) -> bytes:
        return bytes(32)


class CountingProtocol(DirectProtocol):
    """Counts the messages that were written directly."""

    written = 0

    def _write(self, frame: bytes) -> bool:
        done = super()._write(frame)
        CountingProtocol.written += done
        return done


def masked(value: Any) -> Any:
    """Mask the random fields of a message."""
    if isinstance(value, dict):
        return {name: "…" if name in MASKED and isinstance(each, str) else masked(each) for name, each in value.items()}
    return [masked(each) for each in value] if isinstance(value, list) else value


async def messages_of_a_game(settings: Settings, protocol: type[asyncio.Protocol]) -> list[list[Any]]:
    """Return all messages, except presence messages, that two players and a watcher receive in a short game."""
    rng = random.Random(3)
    async with (
        application(settings, chance=SameChance(), now=Hands()) as app,
        listening(app, protocol) as address,
        two(address) as (ann, ben),
        Visitor(address) as cat,
    ):
        clock = {"kind": "real-time", "initial": 600_000, "increment": 1_000}
        game = await begun(ann, ben, variant="expert", clock=clock)
        async with (
            ann.socket(game["id"]) as forest,
            ben.socket(game["id"]) as sea,
            cat.socket(game["id"]) as watcher,
        ):
            for number in range(30):
                here, there = (forest, sea) if forest.game["now"]["decider"] == "forest" else (sea, forest)
                await here.play(rng.choice(choices(here.game)), id=f"token {number}")
                assert (await there.play("a1-a1", tribe=here.game["now"]["active"], id="no"))["type"] == "refused"
                await there.until(here.game["revision"])
            await sea.send("ping", id="ping")
            await forest.send("chat", phrase="good-game", id="chat")
            await sea.hear("chat")
            await forest.send("resign", id="resign")
            for socket in (sea, watcher):
                await socket.until(forest.game["revision"])
        return [heard_by(socket) for socket in (forest, sea, watcher)]


def heard_by(socket: Socket) -> list[Any]:
    """Return a socket's answers, then its broadcasts. Without direct writes, an answer may overtake a broadcast."""
    messages = [masked(json.loads(text)) for text in socket.messages]
    answers = [message for message in messages if message["type"] in ("done", "refused")]
    broadcasts = [message for message in messages if message["type"] in ("game", "update", "chat")]
    assert {message["type"] for message in messages} <= {"done", "refused", "game", "update", "chat", "presence"}
    return answers + broadcasts


async def test_the_same_game_gives_the_same_messages_with_and_without_speedups(
    settings: Settings, tmp_path: Path
) -> None:
    heard = []
    for speedups, protocol in ((True, CountingProtocol), (False, CountedProtocol)):
        here = dataclasses.replace(settings, data=tmp_path / str(speedups), speedups=speedups)
        heard.append(await messages_of_a_game(here, protocol))
    assert CountingProtocol.written > 60
    assert [len(each) for each in heard[0]] == [len(each) for each in heard[1]]
    for fast, plain in zip(heard[0], heard[1], strict=True):
        for one, other in zip(fast, plain, strict=True):
            assert one == other


@pytest.mark.parametrize("speedups", [True, False])
async def test_a_server_process_works_with_and_without_speedups(settings: Settings, speedups: bool) -> None:
    with Process(dataclasses.replace(settings, speedups=speedups)) as process:
        async with two(process.address) as (ann, ben):
            game = await begun(ann, ben)
            async with ann.socket(game["id"]) as forest, ben.socket(game["id"]) as sea:
                assert (await forest.play())["type"] == "done"
                await sea.until(forest.game["revision"])
                assert sea.game["steps"] == forest.game["steps"]


@pytest.mark.parametrize(("speedups", "protocol"), [(True, DirectProtocol), (False, CountedProtocol)])
def test_the_setting_selects_the_protocol(settings: Settings, speedups: bool, protocol: type[asyncio.Protocol]) -> None:
    chosen = serve._websocket_protocol(dataclasses.replace(settings, speedups=speedups))
    config = uvicorn.Config(_no_application, ws=chosen, lifespan="off")
    config.load()
    assert config.ws_protocol_class is protocol


async def test_uvicorn_has_the_internals_that_the_protocol_uses() -> None:
    config = uvicorn.Config(_no_application, ws=DirectWriteProtocol, lifespan="off")
    config.load()
    base = WebSocketsSansIOProtocol(config, ServerState(), {})
    assert isinstance(base.queue, asyncio.Queue)
    assert isinstance(base.writable, asyncio.Event)
    assert base.writable.is_set()
    assert (base.read_paused, base.handshake_complete, base.close_sent) == (False, False, False)
    assert base.conn.state is State.CONNECTING
    assert hasattr(base, "transport")
    for name in ("handle_connect", "run_asgi", "send_receive_event_to_app", "send"):
        ours, theirs = (inspect.signature(getattr(each, name)) for each in (DirectWriteProtocol, type(base)))
        assert list(ours.parameters) == list(theirs.parameters), name
    # The base class pauses reading after each message; the override turns this off.
    source = inspect.getsource(WebSocketsSansIOProtocol.send_receive_event_to_app)
    assert "if not self.read_paused:" in source
    assert "self.transport.pause_reading()" in source


async def _no_application(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise NotImplementedError


@pytest.mark.parametrize("name", PINNED)
def test_the_versions_of_pinned_packages_have_upper_bounds(repository: Path, name: str) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    (needed,) = [each for each in map(Requirement, extras["serve"]) if each.name == name]
    operators = {each.operator for each in needed.specifier}
    assert {">=", "<"} <= operators, f"{needed} has no upper bound"
    assert needed.specifier.contains(importlib.metadata.version(name))
    lock = (repository / "requirements" / "dev.lock").read_text(encoding="utf-8")
    (locked,) = [line.split()[0] for line in lock.splitlines() if line.startswith(f"{name}==")]
    assert needed.specifier.contains(locked.removeprefix(f"{name}=="))
    minima = {
        specifier.version
        for group in extras.values()
        for each in map(Requirement, group)
        if each.name == name
        for specifier in each.specifier
        if specifier.operator == ">="
    }
    assert len(minima) == 1, f"{name} has several minimum versions: {minima}"
