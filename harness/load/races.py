"""Races: of many commands for the same revision, sent over sockets and HTTP, exactly one must be accepted.

In each of the first rounds, all connections submit one token each at the same moment. In the last round, all remaining
submissions compete for a single revision. On PostgreSQL, the connections are spread over two server processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import random
from collections.abc import Sequence
from typing import Final

from harness.load.servers import Server, folder, postgres
from harness.load.table import Json, Meeting, Seat, meet, new_id
from harness.load.web import Web

LOST: Final = frozenset({"stale-revision", "wrong-turn"})
"""The refusals that a submission may get if it arrives too late."""

HEAD_START: Final = 0.05
"""The maximum head start, in seconds. In each round, either the sockets or the HTTP connections get one.

Without it, the same kind of connection would win every round. Which one depends on the machine.
"""


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    submissions: int = 10_000
    connections: int = 50
    """The number of sockets, and also the number of HTTP connections."""
    rounds: int = 50
    """The number of rounds in which every connection submits once. All other submissions are for a single revision."""
    seed: int = 1


@dataclasses.dataclass
class RaceResult:
    """The results of a run."""

    submissions: int = 0
    revisions: int = 0
    won_by_socket: int = 0
    won_by_http: int = 0
    faults: list[str] = dataclasses.field(default_factory=list)


class Race:
    """Many connections that all play both seats of one game. When the game ends, they start another."""

    def __init__(self, addresses: Sequence[str], size: Size) -> None:
        self._addresses: Final = addresses
        self._size: Final = size
        self._rng: Final = random.Random(size.seed)
        self._webs: Final = [Web(addresses[number % len(addresses)]) for number in range(size.connections)]
        self._seats: list[Seat] = []
        self._meeting: Meeting | None = None
        self._view: Json = {}
        self.outcome: Final = RaceResult()

    async def run(self) -> RaceResult:
        """Run all rounds."""
        size = self._size
        together = 2 * size.connections
        for _ in range(size.rounds):
            if self.outcome.submissions + together <= size.submissions:
                await self._round(1)
        if rest := (size.submissions - self.outcome.submissions) // together:
            await self._round(rest)
        await self._leave()
        for web in self._webs:
            await web.close()
        if not (self.outcome.won_by_socket and self.outcome.won_by_http) and self.outcome.revisions >= size.rounds:
            self.outcome.faults.append("only one kind of connection ever won, so the race was not close")
        return self.outcome

    async def _round(self, times: int) -> None:
        """Let every connection submit a token ``times`` times, always for the same revision."""
        meeting = await self._ready()
        before = self._view
        waits = [0.0, self._rng.uniform(0, HEAD_START)]
        self._rng.shuffle(waits)
        jobs = [self._by_socket(seat, waits[0]) for seat in self._seats for _ in range(times)]
        jobs += [self._by_http(web, meeting, times, waits[1]) for web in self._webs]
        self._rng.shuffle(jobs)
        kinds = [kind for told in await asyncio.gather(*jobs) for kind in told]
        self.outcome.submissions += len(kinds)
        self.outcome.revisions += 1
        won = [kind for kind in kinds if kind.startswith("done")]
        self.outcome.won_by_socket += won.count("done by socket")
        self.outcome.won_by_http += won.count("done by http")
        if len(won) != 1:
            self.outcome.faults.append(
                f"game {meeting.game}, revision {before['revision']}: {len(won)} submissions won, expected one"
            )
        if strange := set(kinds) - set(won) - LOST:
            self.outcome.faults.append(
                f"game {meeting.game}, revision {before['revision']}: unexpected refusals: {sorted(strange)}"
            )
        await self._compare(meeting, before)

    async def _compare(self, meeting: Meeting, before: Json) -> None:
        """Check that one token was added, not counting draws, and that all processes and sockets agree."""
        views = []
        for address in self._addresses:
            async with Web(address) as web:
                views.append((await web.ask("GET", f"/api/games/{meeting.game}", status=200)).json())
        self._view = views[0]
        new = [step for step in self._view["steps"][len(before["steps"]) :] if step["by"] != "chance"]
        if len(new) != 1:
            self.outcome.faults.append(f"game {meeting.game}: expected one new token in a round, not {len(new)}")
        if len({str(view["steps"]) for view in views}) != 1:
            self.outcome.faults.append(f"game {meeting.game}: the server processes disagree about its steps")
        for seat in self._seats:
            if not await seat.until(self._view["revision"]):
                self.outcome.faults.append(f"game {meeting.game}: a socket was closed unexpectedly")
            self.outcome.faults += seat.faults
            seat.faults.clear()

    async def _ready(self) -> Meeting:
        """Return a game in progress, with all sockets connected to it and authorised for both seats."""
        if self._meeting is not None and self._view["now"]["outcome"] is None:
            return self._meeting
        await self._leave()
        self._meeting = await meet(self._webs[0], self._rng, clock=None)
        self._view = self._meeting.view
        for number in range(self._size.connections):
            address = self._addresses[number % len(self._addresses)]
            seat = Seat(address, self._meeting.game, self._meeting.seats["forest"], whole=False)
            await seat.open()
            hello = {"type": "hello", "id": new_id(), "seat": self._meeting.seats["sea"]}
            await seat.send(hello)
            await seat.answer(hello["id"])
            self._seats.append(seat)
        return self._meeting

    async def _leave(self) -> None:
        await asyncio.gather(*(seat.close() for seat in self._seats))
        self._seats.clear()

    def _play(self) -> Json:
        now = self._view["now"]
        token = self._rng.choice(now["choices"])["token"]
        return {"id": new_id(), "revision": self._view["revision"], "tribe": now["decider"], "token": token}

    async def _by_socket(self, seat: Seat, wait: float) -> list[str]:
        play = self._play()
        await asyncio.sleep(wait)
        await seat.send({"type": "play", **play})
        answer = await seat.answer(play["id"], seconds=120)
        if answer is None:
            return ["no answer"]
        return ["done by socket" if answer["type"] == "done" else answer["problem"]["kind"]]

    async def _by_http(self, web: Web, meeting: Meeting, times: int, wait: float) -> list[str]:
        told = []
        plays = [self._play() for _ in range(times)]
        await asyncio.sleep(wait)
        for play in plays:
            seat = meeting.seats[play["tribe"]]
            reply = await web.ask("POST", f"/api/games/{meeting.game}/tokens", play, X_Seat_Token=seat)
            told.append("done by http" if reply.status == 200 else str(reply.json()["kind"]))
        return told


async def prove(size: Size, *, on_postgres: bool = False) -> RaceResult:
    """Run the whole test, on SQLite with one process or on PostgreSQL with two."""
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(folder())
        if on_postgres:
            database = stack.enter_context(postgres())
            servers = [Server.cairn(place, database, name) for name in ("one", "two")]
        else:
            servers = [Server.cairn(place)]
        addresses = [stack.enter_context(server).address for server in servers]
        outcome = await Race(addresses, size).run()
        outcome.faults += [line for server in servers for line in server.troubles()]
        return outcome
