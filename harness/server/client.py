"""A web API client for quick and long-running tests, with helpers for common requests."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Mapping
from typing import Any, Final

import httpx
from fastapi import FastAPI

START: Final = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
LEAVES: Final = "F1S1S/5/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"
"""A position in which Forest can leave from a5 and build, after which a tile is drawn."""
CHAIN: Final = "S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F"
"""A position in which Forest moves an enemy after a1-c3, and Sea decides during Forest's turn after d5-d4."""

PERSONS: Final[Mapping[str, Any]] = {"forest": {"kind": "person"}, "sea": {"kind": "person"}}
AGAINST_COMPUTER: Final[Mapping[str, Any]] = {"forest": {"kind": "person"}, "sea": {"kind": "computer", "level": 1}}


class Client:
    """A web API client that checks the status of every response."""

    def __init__(self, http: httpx.AsyncClient, app: FastAPI | None = None) -> None:
        self.http: Final = http
        self.app: Final = app

    async def ask(self, method: str, path: str, body: object = None, *, status: int = 200) -> Any:
        """Send a request, check the status of the response and return its content."""
        answer = (
            await self.http.request(method, f"/api{path}", json=body)
            if body is not None
            else (await self.http.request(method, f"/api{path}"))
        )
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json() if answer.content else None

    async def get(self, path: str, *, status: int = 200) -> Any:
        return await self.ask("GET", path, status=status)

    async def post(self, path: str, body: object = None, *, status: int = 200) -> Any:
        return await self.ask("POST", path, body, status=status)

    async def until_ready(self) -> None:
        """Wait until the server has started and is ready."""
        async with asyncio.timeout(60):
            while True:
                with contextlib.suppress(httpx.TransportError):
                    await self.get("/ready")
                    return
                await asyncio.sleep(0.1)

    async def begin(self, seats: Mapping[str, Any] = PERSONS, **fields: object) -> Any:
        """Start a game."""
        return await self.post("/games", {"seats": seats, **fields}, status=201)

    async def play(self, game: Mapping[str, Any], token: str, *, hold: bool = False, status: int = 200) -> Any:
        """Play a token for the decider. ``game`` must be the current view. Return the update or the problem."""
        body = {"revision": game["revision"], "tribe": game["now"]["decider"], "token": token, "hold": hold}
        return await self.post(f"/games/{game['id']}/tokens", body, status=status)

    async def undo(self, game: Mapping[str, Any], scope: str = "step", *, status: int = 200) -> Any:
        body = {"revision": game["revision"], "scope": scope}
        return await self.post(f"/games/{game['id']}/undo", body, status=status)

    async def confirm(self, game: Mapping[str, Any], *, status: int = 200) -> Any:
        return await self.post(f"/games/{game['id']}/confirm", {"revision": game["revision"]}, status=status)

    async def view(self, game: Mapping[str, Any]) -> Any:
        return await self.get(f"/games/{game['id']}")

    async def until_asked(self, game: Mapping[str, Any], seconds: float = 20) -> Any:
        """Wait until the computer has nothing left to decide, and return the game."""
        async with asyncio.timeout(seconds):
            while True:
                view = await self.view(game)
                if view["now"]["choices"] or view["now"]["outcome"] or view["now"]["held"]:
                    return view
                await asyncio.sleep(0.01)


def updated(game: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """Apply an update to a view of the game, as the web app does, and return the new view."""
    assert update["game"] == game["id"]
    assert update["base"] == game["revision"]
    steps = [*game["steps"][: update["kept"]], *update["steps"]]
    return {**game, "revision": update["revision"], "steps": steps, "now": update["now"]}


def tokens(game: Mapping[str, Any]) -> list[str]:
    return [step["token"] for step in game["steps"]]


def choices(game: Mapping[str, Any]) -> list[str]:
    return [choice["token"] for choice in game["now"]["choices"]]


def some_choice(game: Mapping[str, Any], rng: random.Random) -> str:
    return rng.choice(choices(game))
