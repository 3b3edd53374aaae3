"""Runs attacks against ``cairn serve`` during a game and checks that their effects stay within limits."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import json
import math
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from typing import Final

from harness.attacks.bystander import Bystander, Play
from harness.attacks.floods import LONGEST
from harness.load.servers import ROOT, Server, folder

LEAST_ACCEPTED: Final = 0.99
MOST_SLOWED: Final = 3.0
"""The maximum ratio between the median move times during and before an attack."""
MOST_MEMORY: Final = 50.0
"""How much the server's memory may grow because of unfinished requests, in MiB."""
GONE_SECONDS: Final = 30.0
"""How long unfinished requests may stay open."""
MOST_LOBBY_SHARE: Final = 0.15
"""The share of a CPU core that a busy lobby may use."""
MOST_PRESENCE: Final = 5.0
"""How many presence messages the server may send per arriving watcher."""
SAMPLE_SECONDS: Final = 0.25


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    seconds: float = 20.0
    """How long an attack lasts."""
    quiet_seconds: float = 10.0
    """How long to measure the game before the attack starts."""
    scale: float = 1.0
    """The scale factor for the number of connections in attacks that open many."""


@dataclasses.dataclass
class AttackResult:
    """The effects of one attack."""

    name: str
    quiet: Play = dataclasses.field(default_factory=Play)
    disturbed: Play = dataclasses.field(default_factory=Play)
    quiet_share: float = 0.0
    """The share of a CPU core that the server used before the attack."""
    busy_share: float = 0.0
    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    memory: float = 0.0
    """How much the server's memory grew, in MiB."""
    gone_seconds: float = 0.0
    """How long the longest-lived unfinished request stayed open."""
    log_lines: int = 0
    faults: list[str] = dataclasses.field(default_factory=list)

    @property
    def slowed(self) -> float:
        """The ratio between the median move times during and before the attack."""
        return self.disturbed.median / self.quiet.median if self.quiet.milliseconds else math.inf


async def run_flood(name: str, server: Server, size: Size, game: str = "", seat: str = "") -> dict[str, int]:
    """Run an attack in its own process, and return its counts."""
    # Use "=", because a seat token may begin with a hyphen.
    arguments = [f"--address={server.address}", f"--game={game}", f"--seat={seat}"]
    arguments += ["--seconds", str(size.seconds), "--scale", str(size.scale)]
    command = [sys.executable, "-m", "harness.attacks.floods", name, *arguments]
    with server.popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            told, _ = await asyncio.to_thread(process.communicate)
        except BaseException:
            process.kill()
            raise
    counts: dict[str, int] = json.loads(told) if told else {"failed": 1}
    return counts


class _Watch:
    """Samples a server's memory use."""

    def __init__(self, server: Server) -> None:
        self._server: Final = server
        self._first_memory: Final = server.running.memory()
        self.memory = 0.0

    async def run(self) -> None:
        """Sample until cancelled."""
        while True:
            self.memory = max(self.memory, self._server.running.memory() - self._first_memory)
            await asyncio.sleep(SAMPLE_SECONDS)


@contextlib.asynccontextmanager
async def _watching(server: Server) -> AsyncIterator[_Watch]:
    watch = _Watch(server)
    task = asyncio.create_task(watch.run())
    try:
        yield watch
    finally:
        task.cancel()


async def attack(name: str, size: Size) -> AttackResult:
    """Run one attack against a fresh server while a game is being played."""
    outcome = AttackResult(name)
    with folder() as place, Server.cairn_serve(place, "--public") as server:
        bystander = Bystander(server.address)
        game, seat = await bystander.open()
        try:
            if name == "lobby":
                await run_flood("fill_lobby", server, size)
            await bystander.play(size.quiet_seconds / 5)  # warm up
            outcome.quiet, outcome.quiet_share = await _play(bystander, server, size.quiet_seconds)
            before = len(server.log().splitlines())
            async with _watching(server) as watch:
                flood = asyncio.create_task(run_flood(name, server, size, game, seat))
                outcome.disturbed, outcome.busy_share = await _play(bystander, server, size.seconds)
                outcome.counts = await flood
                outcome.gone_seconds = outcome.counts.pop(LONGEST, 0) / 1_000
                outcome.memory = watch.memory
            outcome.log_lines = len(server.log().splitlines()) - before
            if not server.alive:
                outcome.faults.append("the server died")
            outcome.faults += server.troubles()[:5]
        finally:
            await bystander.close()
    outcome.faults += _faults(outcome)
    return outcome


async def _play(bystander: Bystander, server: Server, seconds: float) -> tuple[Play, float]:
    """Play for ``seconds``; return the measurements and the share of a CPU core that the server used."""
    began, used = time.monotonic(), server.running.processor_seconds()
    play = await bystander.play(seconds)
    return play, (server.running.processor_seconds() - used) / (time.monotonic() - began)


def _faults(outcome: AttackResult) -> list[str]:
    """Return a sentence for each limit that the outcome violates."""
    name, found = outcome.name, []
    if outcome.disturbed.share < LEAST_ACCEPTED:
        problems = collections.Counter(problem[-150:] for problem in outcome.disturbed.problems).most_common(2)
        found.append(f"{name}: only {outcome.disturbed.share:.1%} of the tokens were accepted: {problems}")
    if outcome.slowed > MOST_SLOWED:
        found.append(f"{name}: the median move took {outcome.slowed:.1f} times as long as before the attack")
    if outcome.counts.get("failed"):
        found.append(f"{name}: the attack itself failed")
    if name in ("half_open", "bodies"):
        if outcome.memory > MOST_MEMORY:
            found.append(f"{name}: unfinished requests used {outcome.memory:.0f} MiB (limit: {MOST_MEMORY:.0f} MiB)")
        if outcome.gone_seconds > GONE_SECONDS:
            found.append(f"{name}: requests stayed open for {outcome.gone_seconds:.0f} s (limit: {GONE_SECONDS:.0f} s)")
    if name == "lobby" and outcome.busy_share - outcome.quiet_share > MOST_LOBBY_SHARE:
        found.append(f"{name}: the attack used {outcome.busy_share - outcome.quiet_share:.1%} of a CPU core")
    if name == "watchers" and outcome.counts.get("presence", 0) > MOST_PRESENCE * outcome.counts.get("opened", 0):
        found.append(
            f"{name}: too many presence messages: "
            f"{outcome.counts['presence']:,} for {outcome.counts['opened']:,} watchers"
        )
    if name == "cuts" and outcome.log_lines > outcome.counts.get("cut", 0):
        dropped = outcome.counts.get("cut", 0)
        found.append(f"{name}: too many log lines: {outcome.log_lines:,} for {dropped:,} dropped sockets")
    return found
