"""Two players at a table. They do not know the rules; they pick from the choices that the server offers."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import re
import time
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import websockets

from harness.load.web import Web

Json: TypeAlias = dict[str, Any]

TRIBES: Final = ("forest", "sea")
VARIANTS: Final = ("beginner", "standard", "expert")
CLOCK: Final[Mapping[str, object]] = {"kind": "real-time", "initial": 3_600_000, "increment": 5_000}
WAIT_SECONDS: Final = 30
LONGEST_DONE: Final = 60
"""The maximum length of the ``done`` field at the end of an update, in characters."""
_REVISION: Final = re.compile(r'"base":(\d+),"revision":(\d+)')
_DONE: Final = re.compile(r'"done":"([^"]+)"}$')
_COUNT: Final = itertools.count()


def new_id() -> str:
    """Return a new, unique command id."""
    return f"load-{next(_COUNT)}"


class Meeting:
    """A new game between two guests: its id and both seat tokens."""

    def __init__(self, game: Json, seats: Mapping[str, str]) -> None:
        self.game: Final[str] = game["id"]
        self.view: Final = game
        self.seats: Final = seats


async def meet(web: Web, rng: random.Random, clock: Mapping[str, object] | None = CLOCK, **fields: object) -> Meeting:
    """Start a game between two guests through an invitation link."""
    fields = {"variant": rng.choice(VARIANTS), "tribe": "forest", "clock": clock, **fields}
    made = (await web.ask("POST", "/api/challenges", fields, status=201)).json()
    path = f"/api/challenges/{made['challenge']['id']}"
    numbers = [{"number": rng.randbytes(16).hex()} for _ in TRIBES]
    await web.ask("PUT", f"{path}/number", numbers[0], status=200, X_Seat_Token=made["seat"])
    accept = f"/api/challenges/{made['invite']}/accept"
    begun = (await web.ask("POST", accept, numbers[1], status=201)).json()
    return Meeting(begun["game"], {"forest": made["seat"], "sea": begun["seat"]})


async def connect(
    address: str, game: str, seat: str | None = None, local: str | None = None
) -> websockets.ClientConnection:
    """Open a game socket, from the address ``local`` if it is given."""
    target = f"ws{address.removeprefix('http')}/api/games/{game}/socket"
    headers = {"X-Seat-Token": seat} if seat else {}
    return await websockets.connect(
        target,
        additional_headers=headers,
        compression=None,
        ping_interval=None,
        open_timeout=60,
        max_size=None,
        local_addr=(local, 0) if local else None,
    )


class Seat:
    """A game socket and the messages it has received. Unless ``whole`` is set, only updates' revisions are parsed."""

    def __init__(self, address: str, game: str, token: str | None, *, whole: bool, local: str | None = None) -> None:
        self._address: Final = address
        self._game_id: Final = game
        self._token: Final = token
        self._whole: Final = whole
        self._local: Final = local
        self._connection: websockets.ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._changed: Final = asyncio.Event()
        self.game: Json = {}
        """The game in its current state, if ``whole``; otherwise empty."""
        self.revision = -1
        self.heard_at = 0.0
        """When ``revision`` was received."""
        self.answers: Final[dict[str, Json]] = {}
        self.faults: Final[list[str]] = []

    @property
    def gone(self) -> bool:
        """Whether the socket is closed."""
        return self._reader is None or self._reader.done()

    async def open(self) -> None:
        """Connect and receive the whole game."""
        self.revision = -1
        self._connection = await connect(self._address, self._game_id, self._token, self._local)
        self._reader = asyncio.create_task(self._read(self._connection))
        await self.until(0)

    async def close(self) -> None:
        """Close the socket."""
        if self._connection and self._reader:
            await self._connection.close()
            await asyncio.gather(self._reader, return_exceptions=True)

    async def cut(self) -> None:
        """Abort the connection without a closing handshake."""
        if self._connection and self._reader:
            self._connection.transport.abort()
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)

    async def send(self, message: Json) -> float:
        """Send a command and return the time at which it was sent."""
        assert self._connection is not None
        text = json.dumps(message)
        at = time.perf_counter()
        with contextlib.suppress(websockets.ConnectionClosed):
            await self._connection.send(text)
        return at

    async def until(self, revision: int, seconds: float = WAIT_SECONDS) -> bool:
        """Wait for a revision; return whether it arrived before the socket closed."""
        async with asyncio.timeout(seconds):
            while self.revision < revision and not self.gone:
                self._changed.clear()
                await self._changed.wait()
        return self.revision >= revision

    async def answer(self, command: str, seconds: float = WAIT_SECONDS) -> Json | None:
        """Return the answer to a command, or ``None`` if the socket closed first."""
        async with asyncio.timeout(seconds):
            while command not in self.answers and not self.gone:
                self._changed.clear()
                await self._changed.wait()
        return self.answers.pop(command, None)

    async def _read(self, connection: websockets.ClientConnection) -> None:
        try:
            while True:
                self._take(str(await connection.recv()))
                self._changed.set()
        except websockets.ConnectionClosed:
            pass
        finally:
            self._changed.set()

    def _take(self, text: str) -> None:
        if text.startswith('{"type":"update"'):
            self._update(text)
        elif text.startswith(('{"type":"done"', '{"type":"refused"')):
            answer = json.loads(text)
            self.answers[answer["id"]] = answer
        elif text.startswith('{"type":"game"'):
            game = json.loads(text)["game"]
            self.game = game if self._whole else {}
            self.revision, self.heard_at = game["revision"], time.perf_counter()

    def _update(self, text: str) -> None:
        heard = time.perf_counter()
        found = _REVISION.search(text)
        if found and not text.endswith("null}") and (done := _DONE.search(text, len(text) - LONGEST_DONE)):
            self.answers[done[1]] = {"type": "done", "id": done[1], "revision": int(found[2])}
        if found is None or int(found[1]) != self.revision:
            self.faults.append(f"game {self._game_id}: at revision {self.revision}, received {text[:120]}")
            return
        if self._whole:
            update = json.loads(text)["update"]
            steps = [*self.game["steps"][: update["kept"]], *update["steps"]]
            news = {name: update[name] for name in ("players", "proof") if update[name]}
            self.game = {**self.game, "revision": update["revision"], "steps": steps, "now": update["now"], **news}
        self.revision, self.heard_at = int(found[2]), heard


class Table:
    """A game between two seats, with spectators. Forest's seat fully parses every update."""

    def __init__(
        self, address: str, meeting: Meeting, watchers: int = 0, local: Mapping[str, str] | None = None
    ) -> None:
        """``local`` maps each tribe to the address that its player connects from."""
        self.id: Final = meeting.game
        self.seats: Final = {
            tribe: Seat(
                address,
                meeting.game,
                meeting.seats[tribe],
                whole=tribe == "forest",
                local=local[tribe] if local else None,
            )
            for tribe in TRIBES
        }
        self.watchers: Final = [Seat(address, meeting.game, None, whole=False) for _ in range(watchers)]

    @property
    def everybody(self) -> list[Seat]:
        """All sockets."""
        return [*self.seats.values(), *self.watchers]

    @property
    def game(self) -> Json:
        """The game as Forest's seat last received it."""
        return self.seats["forest"].game

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game["now"]["outcome"] is not None

    async def open(self) -> None:
        """Open all sockets."""
        await asyncio.gather(*(seat.open() for seat in self.everybody))

    async def close(self) -> None:
        """Close all sockets."""
        await asyncio.gather(*(seat.close() for seat in self.everybody))

    def command(self, rng: random.Random) -> tuple[str, Json]:
        """Return the decider and a command that plays a random legal token."""
        now, revision = self.game["now"], self.game["revision"]
        token = rng.choice(now["choices"])["token"]
        decider: str = now["decider"]
        return decider, {"type": "play", "id": new_id(), "revision": revision, "tribe": decider, "token": token}

    async def play(self, rng: random.Random) -> float:
        """Play a token and wait until all sockets have received it.

        Return the seconds until the opponent received it, or NaN on failure.
        """
        tribe, command = self.command(rng)
        mine, other = self.seats[tribe], self.seats["sea" if tribe == "forest" else "forest"]
        sent = await mine.send(command)
        answer = await mine.answer(command["id"])
        if answer is None or answer["type"] != "done":
            mine.faults.append(f"game {self.id}: {command} was answered with {answer}")
            return float("nan")
        heard = [await seat.until(answer["revision"]) for seat in self.everybody]
        if not all(heard):
            mine.faults.append(f"game {self.id}: a socket was closed unexpectedly")
            return float("nan")
        return other.heard_at - sent

    def faults(self) -> list[str]:
        """Return the faults found so far and clear them."""
        found = [fault for seat in self.everybody for fault in seat.faults]
        for seat in self.everybody:
            seat.faults.clear()
        return found
