"""Kills: a server is repeatedly killed with ``SIGKILL`` under load, and no acknowledged token may be lost.

After every kill, each game must contain all acknowledged tokens and at most one more, whose acknowledgement was lost in
the kill. After that token is retried with the same id, it must be in the game exactly once. No player may lose time
while the server is down; clocks must be accurate to within a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import random
import time
from pathlib import Path
from typing import Final

import websockets

from cairn.server.settings import Settings
from harness.load.servers import Server, folder, postgres
from harness.load.table import TRIBES, Json, Meeting, Table, meet
from harness.load.web import Web
from harness.server.kills import inconsistencies

CLOCK_SLACK: Final = 1_000
"""The largest allowed clock error, in milliseconds."""
LONGEST_LIFE: Final = 20.0
LAST_MOMENT: Final = 0.02
"""The maximum delay before a kill, in seconds. Processing a token takes about as long, so kills hit every stage."""


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    kills: int = 200
    games: int = 20
    most_tokens: int = 10
    """The maximum number of tokens per game before a kill. The actual number is random."""
    playable_seconds: float = 5.0
    """How soon after a restart every game must be playable again."""
    seed: int = 1


@dataclasses.dataclass
class KillResult:
    """The results of a run."""

    kills: int = 0
    acknowledged: int = 0
    uncertain: int = 0
    """Tokens whose acknowledgement was lost in a kill."""
    kept: int = 0
    """Uncertain tokens that turned out to be in the game."""
    finished: int = 0
    slowest: float = 0.0
    """The longest time from a restart until every game was playable again, in seconds."""
    clock_error: float = 0.0
    """The largest clock error in milliseconds, after allowing for the uncertainty about when the server started."""
    faults: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Gap:
    """A period without a server: the times, in milliseconds, when the server was killed, restarted and ready again."""

    killed: float
    started: float
    ready: float


class Sitting:
    """Two players who return to their game every time the server is killed and restarted."""

    def __init__(self, rng: random.Random, outcome: KillResult) -> None:
        self._rng: Final = rng
        self._outcome: Final = outcome
        self._meeting: Meeting | None = None
        self._table: Table | None = None
        self._known: Json = {}
        """The game as Forest last received it."""
        self._pending: Json | None = None

    async def play(self, address: str) -> None:
        """Play until the server is killed."""
        with contextlib.suppress(OSError, websockets.WebSocketException):
            while True:
                table = self._table or await self._begin(address)
                if table.over:
                    await table.close()
                    self._table, self._outcome.finished = None, self._outcome.finished + 1
                elif not await self._one(table):
                    return

    async def _begin(self, address: str) -> Table:
        self._table, self._meeting, self._known = None, None, {}
        async with Web(address) as web:
            meeting = await meet(web, self._rng)
        table = Table(address, meeting)
        self._meeting, self._known = meeting, meeting.view
        await table.open()
        if not table.game:
            raise ConnectionResetError("the server was killed before it sent the game")
        self._table, self._known = table, table.game
        return table

    async def _one(self, table: Table) -> bool:
        """Play a token; return whether it was acknowledged."""
        tribe, command = table.command(self._rng)
        self._pending = command
        await table.seats[tribe].send(command)
        answer = await table.seats[tribe].answer(command["id"])
        if answer is None:
            return False
        if answer["type"] != "done":
            self._fault(f"{command} was answered with {answer}")
            return False
        self._outcome.acknowledged += 1
        if not await table.seats["forest"].until(answer["revision"]):
            # The token was acknowledged, so it must be in the game, even though Forest did not receive it.
            self._known = {**table.game, "acknowledged": command["token"]}
            self._pending = None
            return False
        self._known, self._pending = table.game, None
        return True

    async def gather(self) -> None:
        """Collect everything that was received before the kill, now that nothing more can arrive."""
        if self._table:
            for seat in self._table.seats.values():
                await seat.cut()
            if self._table.game and self._table.game["revision"] > self._known["revision"]:
                self._known = self._table.game
            self._outcome.faults += self._table.faults()
        self._table = None

    async def check(self, address: str, gap: Gap) -> None:
        """After a restart, check the stored game and its clocks, and that play can continue."""
        if self._meeting is None:
            return
        async with Web(address) as web:
            found = (await web.ask("GET", f"/api/games/{self._meeting.game}", status=200)).json()
        kept = self._compare(found)
        if found["now"]["clock"] and self._known["now"]["clock"] and found["now"]["outcome"] is None:
            self._compare_clocks(found["now"]["clock"], gap, changed=kept)
        table = Table(address, self._meeting)
        await table.open()
        if self._pending is not None:
            await self._send_again(table, self._pending)
        self._known, self._pending, self._table = table.game, None, table
        if not table.over:
            await self._one(table)

    def _compare(self, found: Json) -> bool:
        """Check that at most the token in flight was added to the known game; return whether it was."""
        known = self._known
        before, after = known["steps"], found["steps"]
        new = [step["token"] for step in after[len(before) :] if step["by"] != "chance"]
        allowed = [[], [self._pending["token"]]] if self._pending else [[]]
        if "acknowledged" in known:
            allowed = [[known["acknowledged"]]]
        if after[: len(before)] != before or new not in allowed or found["revision"] < known["revision"]:
            sent = f"then {allowed[-1]} was sent"
            self._fault(f"{len(before)} tokens were known, {sent}; found {len(after)}, of which {new} are new")
        if self._pending:
            heard = bool(before) and self._pending["revision"] < known["revision"]
            self._outcome.uncertain += 1
            self._outcome.kept += bool(new) or heard
        return bool(new)

    def _compare_clocks(self, clock: Json, gap: Gap, *, changed: bool) -> None:
        """Check that the two clocks together lost only the time during which the server was running."""
        before = self._known["now"]["clock"]
        had, has = (sum(each[tribe] for tribe in TRIBES) for each in (before, clock))
        increment = clock["control"]["increment"] if changed else 0
        alive = gap.killed - before["at"]
        least = had - alive - (clock["at"] - gap.started)
        most = had + increment - alive - (clock["at"] - gap.ready)
        error = max(least - has, has - most, 0.0)
        self._outcome.clock_error = max(self._outcome.clock_error, error)
        if error > CLOCK_SLACK:
            self._fault(f"the clocks are wrong by {error:.0f} ms: {before}, then {clock}, {gap}")
        if not changed and before["running"] and clock["running"] == before["running"]:
            other = "sea" if before["running"] == "forest" else "forest"
            if clock[other] != before[other]:
                self._fault(f"a stopped clock has changed: {before}, then {clock}")

    async def _send_again(self, table: Table, command: Json) -> None:
        """Retry the unacknowledged command, and check that its token is in the game exactly once."""
        seat = table.seats[command["tribe"]]
        await seat.send(command)
        answer = await seat.answer(command["id"])
        if answer is None or answer["type"] != "done":
            self._fault(f"{command} was retried and answered with {answer}")
            return
        await table.seats["forest"].until(answer["revision"])
        self._outcome.acknowledged += 1
        expected = [step["token"] for step in self._known["steps"] if step["by"] != "chance"]
        if command["revision"] >= self._known["revision"]:
            expected.append(command["token"])
        played = [step["token"] for step in table.game["steps"] if step["by"] != "chance"]
        if played != expected:
            self._fault(f"{command['token']} was retried, but is not in the game exactly once: {played[-3:]}")

    def _fault(self, sentence: str) -> None:
        game = self._meeting.game if self._meeting else "?"
        self._outcome.faults.append(f"game {game}: {sentence}")


async def prove(size: Size, *, on_postgres: bool = False) -> KillResult:
    """Run the whole test."""
    outcome, rng = KillResult(), random.Random(size.seed)
    sittings = [Sitting(random.Random(rng.random()), outcome) for _ in range(size.games)]
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(folder())
        database = stack.enter_context(postgres()) if on_postgres else None
        server = Server.cairn(place, database)
        stack.callback(server.kill)
        gap = Gap(_now(), _now(), _now())
        for _ in range(size.kills + 1):
            started = _now()
            await asyncio.to_thread(server.start)
            gap = dataclasses.replace(gap, started=started, ready=_now())
            began = time.monotonic()
            await asyncio.gather(*(each.check(server.address, gap) for each in sittings))
            outcome.slowest = max(outcome.slowest, time.monotonic() - began)
            if outcome.kills < size.kills:
                playing = [asyncio.create_task(each.play(server.address)) for each in sittings]
                await _acknowledged(outcome, outcome.acknowledged + rng.randint(1, size.games * size.most_tokens))
                await asyncio.sleep(rng.uniform(0, LAST_MOMENT))
                await asyncio.to_thread(server.kill)
                gap = Gap(_now(), 0.0, 0.0)
                outcome.kills += 1
                await asyncio.gather(*playing)
                await asyncio.gather(*(each.gather() for each in sittings))
        outcome.faults += server.troubles()
        await asyncio.to_thread(server.stop)
        outcome.faults += await asyncio.to_thread(_inconsistencies, place / "data", database)
    if outcome.slowest > size.playable_seconds:
        outcome.faults.append(f"after a restart, it took {outcome.slowest:.1f} s until every game was playable")
    return outcome


async def _acknowledged(outcome: KillResult, enough: int) -> None:
    """Wait until ``enough`` tokens have been acknowledged or a time limit is reached."""
    until = time.monotonic() + LONGEST_LIFE
    while outcome.acknowledged < enough and time.monotonic() < until:
        await asyncio.sleep(0.002)


def _now() -> float:
    return time.time() * 1_000


def _inconsistencies(data: Path, database: str | None) -> list[str]:
    """Return a sentence for each inconsistency in the database."""
    return inconsistencies(Settings(data=data, database=database))
