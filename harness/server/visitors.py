"""Visitors, each with their own session, who play each other on a real server."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import itertools
import json
import secrets
import ssl
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, Self

import httpx
import websockets
from fastapi import FastAPI

from cairn.bot.links import Links
from cairn.server.settings import Settings
from cairn.server.web.app import create_app
from cairn.server.web.lifespan import World
from harness.server.client import Client, choices
from harness.server.processes import listening

COUNT: Final = itertools.count()
PASSWORD: Final = "correct horse"
SLOW: Final = {"kind": "correspondence", "days": 3}
"""The default clock for rated games, which require a clock."""


class Hands:
    """A fake clock that moves only when a test moves it."""

    def __init__(self) -> None:
        self.now = datetime.datetime(2026, 11, 15, 12, 0, tzinfo=datetime.UTC)

    def __call__(self) -> datetime.datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += datetime.timedelta(seconds=seconds)


def number() -> str:
    return secrets.token_hex(16)


def command_id() -> str:
    return f"c{next(COUNT)}"


NO_AUTHORITIES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts no certificate authority. By default, each httpx client loads all system certificates, which takes 40 ms."""


class Visitor(Client):
    """A person in their own browser."""

    def __init__(self, address: str) -> None:
        super().__init__(httpx.AsyncClient(base_url=address, timeout=30, verify=NO_AUTHORITIES))
        self.address: Final = address.rstrip("/")
        self.seat = ""

    async def sign_up(self, name: str) -> None:
        await self.post("/account", {"name": name, "password": PASSWORD}, status=201)

    async def challenge(self, **fields: Any) -> Any:
        """Create a challenge that can be accepted, and return the response, which includes the secrets."""
        made = await self.post("/challenges", fields, status=201)
        self.seat = made["seat"]
        ready = await self.ask("PUT", f"/challenges/{made['challenge']['id']}/number", {"number": number()})
        return {**made, "challenge": ready}

    async def accept(self, name: str, *, status: int = 201, **fields: Any) -> Any:
        begun = await self.post(f"/challenges/{name}/accept", {"number": number(), **fields}, status=status)
        if status == 201:
            self.seat = begun["seat"]
        return begun

    @contextlib.asynccontextmanager
    async def listen(self, path: str) -> AsyncIterator[websockets.ClientConnection]:
        """Open a socket with this visitor's credentials, as the web app does."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        target = f"ws{self.address.removeprefix('http')}/api{path}"
        headers = {"Cookie": cookies} if cookies else {}
        if bearer := self.http.headers.get("Authorization"):
            headers["Authorization"] = bearer
        async with websockets.connect(target, additional_headers=headers) as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def socket(self, game: str) -> AsyncIterator[Socket]:
        async with self.listen(f"/games/{game}/socket") as connection:
            yield await Socket(connection).begin()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()


class Socket:
    """A game socket that applies updates to its view of the game, as the web app does."""

    def __init__(self, connection: websockets.ClientConnection) -> None:
        self.connection: Final = connection
        self.game: dict[str, Any] = {}
        self.messages: Final[list[str]] = []
        """Every message received."""
        self.others: Final[list[dict[str, Any]]] = []
        """Messages that are neither games nor updates."""

    async def begin(self) -> Self:
        await self.hear("game")
        return self

    async def hear(self, kind: str, *, seconds: float = 20) -> dict[str, Any]:
        """Receive messages until one of the given kind arrives, and return it."""
        async with asyncio.timeout(seconds):
            while True:
                message = await self._next()
                if message["type"] == kind:
                    return message

    async def _next(self) -> dict[str, Any]:
        text = str(await self.connection.recv())
        self.messages.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "game":
            self.game = message["game"]
        elif message["type"] == "update":
            update = message["update"]
            assert update["base"] == self.game["revision"]
            steps = [*self.game["steps"][: update["kept"]], *update["steps"]]
            new = {name: update[name] for name in ("players", "proof", "start") if update[name]}
            self.game = {**self.game, "revision": update["revision"], "steps": steps, "now": update["now"], **new}
        else:
            self.others.append(message)
        return message

    async def until(self, revision: int, *, seconds: float = 20) -> None:
        """Receive messages until the game has reached ``revision``."""
        async with asyncio.timeout(seconds):
            while self.game["revision"] < revision:
                await self._next()

    async def send(self, kind: str, **command: Any) -> dict[str, Any]:
        """Send a command and return the answer to it."""
        given = command.setdefault("id", command_id())
        await self.connection.send(json.dumps({"type": kind, **command}))
        async with asyncio.timeout(20):
            while True:
                message = await self._next()
                if message["type"] == "update" and message["done"] == given:
                    return {"type": "done", "id": given, "revision": message["update"]["revision"]}
                if message["type"] in ("done", "refused") and message["id"] == given:
                    if message["type"] == "done" and message["revision"] is not None:
                        await self.until(message["revision"])
                    return message

    async def play(self, token: str | None = None, **command: Any) -> dict[str, Any]:
        """Play a token, by default the first choice."""
        command = {"revision": self.game["revision"], "tribe": self.game["now"]["decider"], **command}
        return await self.send("play", token=token or choices(self.game)[0], **command)


@contextlib.asynccontextmanager
async def table(settings: Settings, **world: Any) -> AsyncIterator[str]:
    """Run a real server and yield its address."""
    async with application(settings, **world) as app, listening(app) as address:
        yield address


@contextlib.asynccontextmanager
async def application(settings: Settings, **world: Any) -> AsyncIterator[FastAPI]:
    """Run an application that stores games in the data folder given by ``settings``."""
    app = create_app(settings, World(**world))
    async with app.router.lifespan_context(app):
        yield app


@contextlib.asynccontextmanager
async def two(address: str) -> AsyncIterator[tuple[Visitor, Visitor]]:
    async with Visitor(address) as one, Visitor(address) as other:
        yield one, other


async def begun(one: Visitor, other: Visitor, **fields: Any) -> Any:
    """Start a game through an invitation link. By default, the first visitor plays Forest and goes first.

    A rated game needs two accounts and a clock: visitors without an account sign up, and the default clock is slow.
    """
    if fields.get("rated"):
        fields = {"clock": SLOW, **fields}
        for visitor in (one, other):
            await with_account(visitor)
    made = await one.challenge(**{"tribe": "forest", "first": "forest", **fields})
    return (await other.accept(made["invite"]))["game"]


async def with_account(visitor: Visitor) -> None:
    """Sign up, unless the visitor already has an account."""
    known = (await visitor.get("/me"))["player"]
    if known is None or known["kind"] == "guest":
        await visitor.sign_up(f"Player{next(COUNT)}")


async def begun_sealed(one: Visitor, other: Visitor, **fields: Any) -> tuple[Any, dict[str, Links]]:
    """Start a game with sealed draws, otherwise like :func:`begun`. Also return the links of both tribes."""
    if fields.get("rated"):
        for visitor in (one, other):
            await with_account(visitor)
    fields = {"tribe": "forest", "first": "forest", "clock": SLOW, "sealed": True, **fields}
    made = await one.post("/challenges", fields, status=201)
    one.seat, game = made["seat"], made["challenge"]["id"]
    links = {"forest": Links(game), "sea": Links(game)}
    await one.ask("PUT", f"/challenges/{game}/number", {"number": links["forest"].anchor, "sealed": True})
    return (await other.accept(made["invite"], number=links["sea"].anchor, sealed=True))["game"], links


def refused(message: Mapping[str, Any]) -> str:
    """Check that a message is a refusal, and return the kind of its problem."""
    assert message["type"] == "refused", message
    kind: str = message["problem"]["kind"]
    return kind
