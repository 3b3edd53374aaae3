"""Before an online game ends, its seed does not appear in any message, record, log line or list."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import dataclasses
import itertools
import json
import logging
import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from cairn import fairness
from cairn.server.game.chance import SecretChance
from cairn.server.settings import Settings
from cairn.vocabulary import Tribe, Variant
from harness.server.client import choices
from harness.server.processes import listening
from harness.server.visitors import Socket, Visitor, application, begun, table, two

pytestmark = pytest.mark.anyio

MASKED: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|\+00:00)|\d{4}[.-]\d{2}[.-]\d{2}|\b[0-9a-f]{16,64}\b|\"at\":\d+"
)


class Remembering(SecretChance):
    """Records the seeds that it creates."""

    def __init__(self) -> None:
        self.seeds: Final[list[bytes]] = []

    def new_seed(self) -> bytes:
        self.seeds.append(super().new_seed())
        return self.seeds[-1]


def spellings(secret: bytes) -> list[str]:
    """Return the common ways to write a secret as text."""
    return [
        secret.hex(),
        secret.hex().upper(),
        base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
        repr(secret)[2:-1],
        str(list(secret)),
        str(int.from_bytes(secret)),
    ]


class Everything:
    """Collects the HTTP responses that visitors receive."""

    def __init__(self) -> None:
        self.texts: Final[list[str]] = []

    def hear(self, visitor: Visitor) -> None:
        async def keep(answer: httpx.Response) -> None:
            await answer.aread()
            self.texts.append(f"{answer.headers}{answer.text}")

        visitor.http.event_hooks = {"response": [keep]}


async def ask_around(visitor: Visitor, game: dict[str, Any], *others: str) -> None:
    """Make every possible request about a game."""
    paths = [f"/games/{game['id']}{rest}" for rest in ("", "/record", "/chat", "/rematch")]
    paths += ["/games", "/live", "/lobby", "/leaderboard", "/account/export", f"/challenges/{game['id']}", *others]
    paths += [f"/players/{game['players'][tribe]['id']}" for tribe in ("forest", "sea")]
    paths += ["/me", "/account/tokens", "/admin/reports", "/metrics"]
    for path in paths:
        await visitor.http.get(f"/api{path}")
    for path in ("tokens", "undo", "confirm", "offer", "answer", "resign", "claim", "chat", "report", "rematch"):
        await visitor.http.post(f"/api/games/{game['id']}/{path}", json={"revision": 99, "tribe": "sea"})


@contextlib.asynccontextmanager
async def heard_by_a_bot(owner: Visitor) -> AsyncIterator[tuple[Visitor, list[str]]]:
    """Yield a bot that belongs to the account, and a list to which each line of its event stream is added."""
    token = (await owner.post("/account/tokens", {"bot": "Robot"}, status=201))["token"]
    lines: list[str] = []
    async with Visitor(owner.address) as robot:
        robot.http.headers["Authorization"] = f"Bearer {token}"

        async def listen() -> None:
            async with robot.http.stream("GET", "/api/bot/events") as answer:
                async for line in answer.aiter_lines():
                    lines.extend([line])  # add each line immediately, while the stream is open

        listening_to_it = asyncio.create_task(listen())
        try:
            yield robot, lines
        finally:
            listening_to_it.cancel()
            await asyncio.gather(listening_to_it, return_exceptions=True)


@pytest.mark.slow
async def test_the_seed_does_not_leak_before_the_end(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """The seed does not leak to the players, to an administrator who watches, or to a bot that plays another game."""
    caplog.set_level(logging.DEBUG)
    chance, everything, rng = Remembering(), Everything(), random.Random(4)
    async with (
        application(settings, chance=chance) as app,
        listening(app) as address,
        two(address) as (ann, ben),
        Visitor(address) as eve,
    ):
        await eve.sign_up("Eve")
        await app.state.services.identity.make_admin("Eve", True, "a test")
        for visitor in (ann, ben, eve):
            everything.hear(visitor)
        game = await begun(ann, ben, rated=True, variant="expert", open=True)
        name = game["id"]
        async with (
            ann.socket(name) as forest,
            ben.socket(name) as sea,
            eve.socket(name) as watcher,
            heard_by_a_bot(eve) as (robot, events),
        ):
            other = await begun(robot, ben, open=True)
            await ben.post(f"/games/{name}/report", {"about": "forest", "text": "Hm."}, status=204)
            await ann.challenge(open=True)
            for number in range(14):
                here, there = (forest, sea) if forest.game["now"]["decider"] == "forest" else (sea, forest)
                await here.play(rng.choice(choices(here.game)))
                await there.until(here.game["revision"])
                if number % 5 == 0:
                    for visitor in (ann, ben, eve):
                        await ask_around(visitor, game if number else other)
            await watcher.until(forest.game["revision"])
            while not {"hello", "game", "challenge"} <= {json.loads(line)["type"] for line in events}:
                await asyncio.sleep(0.05)
            assert any('"reports":[{' in text for text in everything.texts)
            assert any("cairn_requests_total" in text for text in everything.texts)
            authority = app.state.services.authority
            state = authority._cache._slots[game["id"]].state
            (seed,) = {state.header.seed} & set(chance.seeds)
            heard = [*everything.texts, *forest.messages, *sea.messages, *watcher.messages, *events, caplog.text]
            for secret in (*chance.seeds, state._key):
                for spelling in spellings(secret):
                    assert all(spelling not in text for text in heard)
            assert seed.hex() not in repr(state.header) + repr(state.proof) + repr(authority.__dict__)
            await forest.send("resign")
            await watcher.until(forest.game["revision"])
            assert watcher.game["proof"]["seed"] == seed.hex()
        for visitor in (ann, ben, eve):
            view = await visitor.view(game)
            assert view["proof"]["seed"] == seed.hex()


async def test_seat_tokens_and_invitation_links_are_sent_only_once(settings: Settings) -> None:
    async with table(settings) as address, two(address) as (ann, ben):
        made = await ann.challenge(open=True)
        begins = await ben.accept(made["challenge"]["id"])
        everything = Everything()
        for visitor in (ann, ben):
            everything.hear(visitor)
        game = begins["game"]
        async with ann.socket(game["id"]) as forest:
            for visitor in (ann, ben):
                await ask_around(visitor, game, f"/challenges/{made['invite']}")
        for secret in (made["invite"], made["seat"], begins["seat"]):
            assert all(secret not in text for text in [*everything.texts, *forest.messages])


# --- The same game with two different decks


class Stacked(SecretChance):
    """Deals every game the same way, but draws tiles with the given seed."""

    def __init__(self, seed: bytes) -> None:
        self._seed: Final = seed

    def new_seed(self) -> bytes:
        return self._seed

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        return super().deal(b"everybody's", variant, first)


ASKED: Final = ("/games", "/live", "/lobby", "/account/tokens", "/admin/reports", "/leaderboard")


async def messages_until_a_draw(settings: Settings, seed: bytes) -> tuple[list[str], str]:
    """Play a fixed sequence of decisions until a tile is drawn; return all texts from before the draw, and the draw.

    A person plays against a bot, whose owner is an administrator and watches the game.
    """
    rng, answers, drawn = random.Random(7), list[str](), list[str]()
    async with (
        application(settings, chance=Stacked(seed)) as app,
        listening(app) as address,
        two(address) as (ann, eve),
    ):
        await eve.sign_up("Eve")
        await app.state.services.identity.make_admin("Eve", True, "a test")
        async with heard_by_a_bot(eve) as (ben, events):
            game = await begun(ann, ben)
            name = game["id"]
            await ann.post(f"/games/{name}/report", {"about": "sea", "text": "Hm."}, status=204)
            while not any('"type":"game"' in line for line in events):  # wait until the bot has received the start
                await asyncio.sleep(0.05)
            async with ann.socket(name) as forest, ben.socket(name) as sea, eve.socket(name) as watcher:
                for made in itertools.count():
                    if made % 8 == 0:
                        answers.append((await ann.http.get("/api/account/export")).text)
                        for visitor, path in itertools.product((ann, ben, eve), (f"/games/{name}/record", *ASKED)):
                            answers.append((await visitor.http.get(f"/api{path}")).text)
                    here, there = (forest, sea) if forest.game["now"]["decider"] == "forest" else (sea, forest)
                    await here.play(rng.choice(choices(here.game)), id="x" + str(len(here.game["steps"])))
                    await there.until(here.game["revision"])
                    await watcher.until(here.game["revision"])
                    drawn = [step["token"] for step in here.game["steps"] if step["by"] == "chance"]
                    if drawn:
                        break
                lines = [line for line in events if '"type":"alive"' not in line]
                heard = [*(said(watcher)[:-1]), *(said(forest)[:-1]), *answers, *lines]
        return [MASKED.sub("…", text.replace(name, "GAME")) for text in heard], drawn[0]


def said(socket: Socket) -> list[str]:
    """Return the messages about the game, but no presence messages, because their order depends on timing."""
    return [text for text in socket.messages if json.loads(text)["type"] in ("game", "update")]


@pytest.mark.slow
async def test_messages_do_not_depend_on_undrawn_tiles(settings: Settings, tmp_path: Path) -> None:
    seen: dict[str, list[str]] = {}
    for number in range(8):
        data = dataclasses.replace(settings, data=tmp_path / f"data-{number}")
        heard, drawn = await messages_until_a_draw(data, bytes([number]) * fairness.SEED_BYTES)
        seen.setdefault(drawn, heard)
        if len(seen) == 2:
            break
    one, other = seen.values()
    assert len(one) > 6
    assert one == other
