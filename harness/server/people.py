"""Clients that act as people in browsers or as bots. They share one application, but each has its own cookies."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx
from fastapi import FastAPI

from cairn.server.players.identity import Identity
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from harness.server.client import Client
from harness.server.processes import running

PASSWORD: Final = "correct horse"
COOKIE: Final = "cairn_session"


@contextlib.asynccontextmanager
async def unlimited(settings: Settings) -> AsyncIterator[Client]:
    """Run an application without rate limits and yield a client for it."""
    async with running(dataclasses.replace(settings, limits=NO_LIMITS)) as client:
        yield client


def browser(app: FastAPI | None, *, address: str = "127.0.0.1", cookie: str = "", bearer: str = "") -> Client:
    """Return a client that acts as another browser, or as a bot."""
    assert app is not None
    transport = httpx.ASGITransport(app, client=(address, 1234))
    headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    http = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765", timeout=30, headers=headers)
    if cookie:
        http.cookies.set(COOKIE, cookie, domain="127.0.0.1")
    return Client(http, app)


def identity_of(client: Client) -> Identity:
    assert client.app is not None
    identity = client.app.state.services.identity
    assert isinstance(identity, Identity)
    return identity


async def guest(client: Client) -> Client:
    """Return a browser that has a guest session."""
    made = await identity_of(client).guest("127.0.0.1")
    return browser(client.app, cookie=made.token)


async def account(client: Client, name: str, *, admin: bool = False) -> Client:
    """Sign up for an account in a new browser and return the browser."""
    made = browser(client.app)
    await made.post("/account", {"name": name, "password": PASSWORD}, status=201)
    if admin:
        await identity_of(client).make_admin(name, True, "a test")
    return made


async def bot(owner: Client, name: str) -> Client:
    """Create a bot account that belongs to ``owner``, and return a client for it."""
    made = await owner.post("/account/tokens", {"bot": name}, status=201)
    return browser(owner.app, bearer=made["token"])


async def me(client: Client) -> Any:
    return (await client.get("/me"))["player"]
