"""Hidden tiles never leave the server: games that differ only in undrawn tiles look the same until the draw."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import websockets

from cairn.server.game.chance import SecretChance
from cairn.server.settings import Settings
from cairn.vocabulary import Tribe, Variant
from harness.server.client import AGAINST_COMPUTER, PERSONS, Client, choices, updated
from harness.server.processes import listening, running

pytestmark = pytest.mark.anyio

TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}T[0-9:.]+Z|\d{4}[.-]\d{2}[.-]\d{2}")


class Stacked(SecretChance):
    """Deals every game the same way, but draws tiles with the given seed."""

    def __init__(self, seed: bytes) -> None:
        self._seed: Final = seed

    def new_seed(self) -> bytes:
        return self._seed

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        assert seed == self._seed
        return super().deal(b"everybody's", variant, first)


@dataclasses.dataclass
class Traffic:
    """Everything that a server sent, in order, with ids and times masked; and the tile that was drawn at the end."""

    http: list[str] = dataclasses.field(default_factory=list)
    socket: list[str] = dataclasses.field(default_factory=list)
    drawn: str = ""


@contextlib.contextmanager
def recorded(http: httpx.AsyncClient, traffic: Traffic, names: list[str]) -> Iterator[None]:
    async def keep(answer: httpx.Response) -> None:
        await answer.aread()
        headers = [f"{name}: {value}" for name, value in answer.headers.items() if name != "date"]
        traffic.http.append(masked("\n".join([str(answer.status_code), *headers, answer.text]), names))

    http.event_hooks = {"response": [keep]}
    yield
    http.event_hooks = {}


def masked(text: str, names: list[str]) -> str:
    for name in names:
        text = text.replace(name, "GAME")
    return TIME.sub("TIME", text)


async def traffic_until_a_draw(settings: Settings, seed: bytes, seats: dict[str, Any], variant: str) -> Traffic:
    """Play until a tile is drawn, with all kinds of requests along the way. The moves do not depend on the seed."""
    rng = random.Random(7)
    traffic, names = Traffic(), list[str]()
    async with running(settings, chance=Stacked(seed)) as client:
        assert client.app is not None
        async with listening(client.app) as server:
            game = await client.begin(seats, variant=variant, first="forest")
            names.append(game["id"])
            traffic.http.append(masked(str(game), names))
            target = f"ws{server.removeprefix('http')}api/games/{game['id']}/socket"
            async with websockets.connect(target) as socket:
                with recorded(client.http, traffic, names):
                    while not traffic.drawn:
                        if rng.random() < 0.2:
                            await ask_everything(client, game)
                        game = await one_decision(client, game, rng, traffic)
                    traffic.http.pop()
                async with asyncio.timeout(10):
                    while len(traffic.socket) < game["revision"] + 1:
                        message = str(await socket.recv())
                        if '"chance"' in message.replace('"decider":"chance"', ""):
                            break
                        traffic.socket.append(masked(message, names))
    return traffic


async def ask_everything(client: Client, game: dict[str, Any]) -> None:
    """Make requests that change nothing, both valid and invalid ones."""
    for path in ("", "/record"):
        await client.http.get(f"/api/games/{game['id']}{path}")
    await client.http.get("/api/games?search=level")
    await client.play(game, "?AD", status=409 if game["now"]["held"] else 422)
    await client.play({**game, "revision": 999}, "a1-a2", status=409)
    await client.http.get("/api/health")


async def one_decision(client: Client, game: dict[str, Any], rng: random.Random, traffic: Traffic) -> dict[str, Any]:
    """Play or undo a token, confirm a held turn, wait for the computer, and note which tile was drawn, if any."""
    if game["now"]["undo"]["step"] and rng.random() < 0.1:
        update = await client.undo(game)
    else:
        update = await client.play(game, rng.choice(choices(game)), hold=rng.random() < 0.2)
    game = updated(game, update)
    if game["now"]["held"]:
        game = updated(game, await client.confirm(game))
    if not traffic.drawn and not (game["now"]["choices"] or game["now"]["outcome"]):
        with unrecorded(client.http):  # the number of polls depends on timing
            game = await client.until_asked(game)
    drawn = [step["token"] for step in game["steps"] if step["by"] == "chance"]
    traffic.drawn = drawn[0] if drawn else ""
    assert drawn or not game["now"]["outcome"], "the game ended without a draw: choose another random seed"
    return game


@contextlib.contextmanager
def unrecorded(http: httpx.AsyncClient) -> Iterator[None]:
    hooks, http.event_hooks = http.event_hooks, {}
    yield
    http.event_hooks = hooks


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "variant"), [(PERSONS, "beginner"), (AGAINST_COMPUTER, "expert")], ids=["persons", "computer"]
)
async def test_traffic_does_not_depend_on_undrawn_tiles(
    settings: Settings, tmp_path: Path, seats: dict[str, Any], variant: str
) -> None:
    seen: list[Traffic] = []
    for number in range(8):
        data = dataclasses.replace(settings, data=tmp_path / f"data-{number}")
        traffic = await traffic_until_a_draw(data, bytes([number]) * 32, seats, variant)
        if seen and traffic.drawn == seen[0].drawn:
            continue  # the same tile was drawn: try another deck
        seen.append(traffic)
        if len(seen) == 2:
            break
    one, other = seen
    assert one.drawn != other.drawn
    assert len(one.http) > 10
    assert len(one.socket) > 2
    assert one.http == other.http
    assert one.socket == other.socket
