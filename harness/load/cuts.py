"""Dropped connections: connections break at random moments, even with a token in flight. Every player must recover.

A disconnected player reconnects, receives the whole game, and retries the unacknowledged command with the same id. The
command must be executed exactly once. Within a second of reconnecting, the player must have the server's current game.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
import time
from typing import Any, Final

import websockets

from harness.load.servers import Server, folder
from harness.load.table import TRIBES, Json, Seat, meet, new_id
from harness.load.web import Web

LAST_MOMENT: Final = 0.02
"""The maximum delay before a drop, in seconds. Processing a token takes about as long, so drops hit every stage."""
DEAD_LINE: Final = 0.2
"""The probability that the connection is already broken when a player sends a token."""
BACK_SECONDS: Final = 30


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    cuts: int = 20_000
    games: int = 12
    equal_seconds: float = 1.0
    """How soon after reconnecting a player must have the same game as the server."""
    seed: int = 1


@dataclasses.dataclass
class CutResult:
    """The results of a run."""

    cuts: int = 0
    pending: int = 0
    """Connections dropped while a token was in flight."""
    kept: int = 0
    """Pending tokens that turned out to be in the game after the connection was dropped."""
    tokens: int = 0
    games: int = 0
    slowest: float = 0.0
    """The longest time from reconnecting until a player had the same game as the server, in seconds."""
    faults: list[str] = dataclasses.field(default_factory=list)


class Cutting:
    """A table whose players have unreliable connections."""

    def __init__(self, address: str, size: Size, number: int, outcome: CutResult) -> None:
        self._address: Final = address
        self._wanted: Final = size.cuts // size.games + (number < size.cuts % size.games)
        self._equal_seconds: Final = size.equal_seconds
        self._rng: Final = random.Random(f"{size.seed} {number}")
        self._web: Final = Web(address)
        self._outcome: Final = outcome
        self._seats: dict[str, Seat] = {}
        self._game = ""
        self._cuts = 0

    async def run(self) -> None:
        """Play games until enough connections have been dropped."""
        async with self._web:
            while self._cuts < self._wanted:
                meeting = await meet(self._web, self._rng)
                self._game = meeting.game
                self._seats = {
                    tribe: Seat(self._address, meeting.game, meeting.seats[tribe], whole=True) for tribe in TRIBES
                }
                await asyncio.gather(*(seat.open() for seat in self._seats.values()))
                self._outcome.games += 1
                try:
                    while self._cuts < self._wanted and self._now["outcome"] is None:
                        await self._one_token()
                except (TimeoutError, OSError, websockets.WebSocketException) as error:
                    self._fault(repr(error))
                    self._cuts += 1  # so that the loop ends
                await asyncio.gather(*(seat.close() for seat in self._seats.values()))

    @property
    def _now(self) -> Any:
        return max((seat.game for seat in self._seats.values()), key=lambda game: game["revision"])["now"]

    async def _one_token(self) -> None:
        """Play a token, dropping connections before, during and after it. Wait until both players are up to date."""
        tribe: str = self._now["decider"]
        mine, other = self._seats[tribe], self._seats["sea" if tribe == "forest" else "forest"]
        revision = mine.revision
        token = self._rng.choice(mine.game["now"]["choices"])["token"]
        play = {"type": "play", "id": new_id(), "revision": revision, "tribe": tribe, "token": token}
        if self._rng.random() < DEAD_LINE:
            await mine.cut()  # anything sent now is lost
        await mine.send(play)
        self._outcome.tokens += 1
        answer: Json | None = None
        while answer is None:
            whom = mine if mine.gone else self._rng.choice([mine, mine, other, None])
            if mine.gone or (whom is not None and self._cuts < self._wanted):
                assert whom is not None
                await asyncio.sleep(self._rng.uniform(0, LAST_MOMENT))
                await self._cut(whom)
                if whom is mine and play["id"] not in mine.answers:
                    self._outcome.pending += 1
                    self._outcome.kept += mine.revision > revision
                    await mine.send(play)
            answer = await mine.answer(play["id"])
        if answer["type"] != "done":
            self._fault(f"{play} was answered with {answer}")
            raise ConnectionError("this game cannot continue")
        for seat in (mine, other):
            await seat.until(answer["revision"])
        played = [step for step in mine.game["steps"] if step["by"] != "chance"]
        if not played or played[-1]["token"] != token:
            self._fault(f"{token} was acknowledged, but is not in the game")

    async def _cut(self, seat: Seat) -> None:
        await seat.cut()
        self._cuts += 1
        self._outcome.cuts += 1
        async with asyncio.timeout(BACK_SECONDS):
            await seat.open()
        began = time.perf_counter()
        while not await self._equal(seat):
            if time.perf_counter() - began > self._equal_seconds:
                self._fault(f"a player at revision {seat.revision} does not have the same game as the server")
                return
        self._outcome.slowest = max(self._outcome.slowest, time.perf_counter() - began)

    async def _equal(self, seat: Seat) -> bool:
        """Whether a player has the same game as the server. The server's copy is fetched over HTTP."""
        theirs = (await self._web.ask("GET", f"/api/games/{self._game}", status=200)).json()
        return shown(theirs) == shown(seat.game)

    def _fault(self, sentence: str) -> None:
        self._outcome.faults.append(f"game {self._game}: {sentence}")


def shown(game: Json) -> Json:
    """The part of a view that must match the server's: everything except the viewer, presence and the clock."""
    now = {name: value for name, value in game["now"].items() if name != "clock"}
    return {**{name: game[name] for name in ("id", "start", "revision", "steps", "seats", "proof")}, "now": now}


async def prove(size: Size) -> CutResult:
    """Run the whole test."""
    outcome = CutResult()
    with folder() as place, Server.cairn(place) as server:
        await asyncio.gather(*(Cutting(server.address, size, each, outcome).run() for each in range(size.games)))
        outcome.faults += server.troubles()
    return outcome
