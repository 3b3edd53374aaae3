"""A client of the web API for tests and proofs, and short names for what it asks."""

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
"""Forest can leave from a5, build, and have a tile drawn."""
CHAIN: Final = "S2SS/5/5/1F3/F3F c3FC,d4SA DRMD (ADCSPSTS) wofm 0-0 F"
"""After a1-c3 Forest moves an enemy; after d5-d4 Sea decides, inside Forest's turn."""

PERSONS: Final[Mapping[str, Any]] = {"forest": {"kind": "person"}, "sea": {"kind": "person"}}
AGAINST_COMPUTER: Final[Mapping[str, Any]] = {"forest": {"kind": "person"}, "sea": {"kind": "computer", "level": 1}}


class Client:
    """A client of the web API that checks every answer's status."""

    def __init__(self, http: httpx.AsyncClient, app: FastAPI | None = None) -> None:
        self.http: Final = http
        self.app: Final = app

    async def ask(self, method: str, path: str, body: object = None, *, status: int = 200) -> Any:
        """What the answer holds; it has to have that status."""
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
        """Wait for a server that is being started."""
        async with asyncio.timeout(60):
            while True:
                with contextlib.suppress(httpx.TransportError):
                    await self.get("/ready")
                    return
                await asyncio.sleep(0.1)

    async def begin(self, seats: Mapping[str, Any] = PERSONS, **wish: object) -> Any:
        """A new game."""
        return await self.post("/games", {"seats": seats, **wish}, status=201)

    async def play(self, game: Mapping[str, Any], token: str, *, hold: bool = False, status: int = 200) -> Any:
        """Play for whoever decides in ``game``, which is a view of the game as it stands; the update, or a problem."""
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
        """The game, once the computer has decided whatever it is to decide."""
        async with asyncio.timeout(seconds):
            while True:
                view = await self.view(game)
                if view["now"]["choices"] or view["now"]["outcome"] or view["now"]["held"]:
                    return view
                await asyncio.sleep(0.01)


def updated(game: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """The view of the game after the update, as a page makes it."""
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
