"""Costs: the CPU time for a token, for loading a game and for a restart, as games grow in number and length.

All costs are server CPU time. To vary the number of games, the test starts online games with clocks, which a restarted
server has to watch. To vary their length, the test uploads long local games.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
import statistics
import time
from collections.abc import Callable, Sequence

from cairn.board import Board
from cairn.game import Game
from harness.load.servers import Server, folder
from harness.load.table import TRIBES, Json, Meeting, Table, meet
from harness.load.traffic import OPENERS
from harness.load.web import Web


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    games: tuple[int, ...] = (100, 1_000, 10_000)
    lengths: tuple[int, ...] = (50, 500, 5_000)
    loads: int = 40
    """How many of the stored games to load and measure; also how many games to upload for each length."""
    rounds: int = 20
    """How many tokens to play in each loaded game."""
    restarts: int = 3
    seed: int = 1


@dataclasses.dataclass(frozen=True)
class Point:
    """Measurements for one number of games, or for one game length. All costs are in milliseconds."""

    at: int
    token: float
    load: float
    restart: float
    restart_seconds: float
    """The wall-clock time until the restarted server was ready, in seconds."""


@dataclasses.dataclass
class CostResult:
    """The results of a run."""

    games: list[Point] = dataclasses.field(default_factory=list)
    lengths: list[Point] = dataclasses.field(default_factory=list)
    faults: list[str] = dataclasses.field(default_factory=list)


def line(points: Sequence[Point], cost: Callable[[Point], float]) -> tuple[float, float]:
    """Fit a line by least squares; return the cost at zero and the cost of each additional game or token."""
    fit = statistics.linear_regression([point.at for point in points], [cost(point) for point in points])
    return fit.intercept, fit.slope


async def prove(size: Size, say: Callable[[str], object]) -> CostResult:
    """Run the whole test."""
    outcome = CostResult()
    rng = random.Random(size.seed)
    for count in size.games:
        say(f"{count} games ...")
        outcome.games.append(await _many(count, size, rng, outcome.faults))
    for length in size.lengths:
        say(f"games of {length} tokens ...")
        outcome.lengths.append(await _long(length, size, rng, outcome.faults))
    return outcome


async def _many(count: int, size: Size, rng: random.Random, faults: list[str]) -> Point:
    """Measure with ``count`` games in progress."""
    with folder() as place, Server.cairn(place) as server:
        meetings: list[Meeting] = []
        webs = [Web(server.address) for _ in range(OPENERS)]
        while len(meetings) < count:
            meetings += await asyncio.gather(*(meet(web, rng) for web in webs[: count - len(meetings)]))
        for web in webs:
            await web.close()
        return await _measure(count, server, rng.sample(meetings, min(count, size.loads)), size, rng, faults)


async def _long(length: int, size: Size, rng: random.Random, faults: list[str]) -> Point:
    """Measure in games of ``length`` tokens."""
    with folder() as place, Server.cairn(place) as server:
        meetings = []
        async with Web(server.address) as web:
            for _ in range(size.loads):
                body = long_game(length, rng)
                made = (await web.ask("POST", "/api/games", body, status=201)).json()
                meetings.append(Meeting(made, dict.fromkeys(TRIBES, "")))
        return await _measure(length, server, meetings, size, rng, faults)


async def _measure(
    at: int, server: Server, meetings: Sequence[Meeting], size: Size, rng: random.Random, faults: list[str]
) -> Point:
    restarts = [_restart(server) for _ in range(size.restarts)]
    before = server.running.processor_seconds()
    async with Web(server.address) as web:
        for meeting in meetings:
            await web.ask("GET", f"/api/games/{meeting.game}", status=200)
    load = (server.running.processor_seconds() - before) / len(meetings)
    token = await _play(server, meetings, size, rng, faults)
    faults += server.troubles()
    used, seconds = (statistics.median(each) for each in zip(*restarts, strict=True))
    return Point(at, 1_000 * token, 1_000 * load, 1_000 * used, seconds)


def _restart(server: Server) -> tuple[float, float]:
    """Restart the server; return the CPU time and the wall-clock time until it was ready, in seconds."""
    server.stop()
    began = time.monotonic()
    server.start()
    return server.running.processor_seconds(), time.monotonic() - began


async def _play(
    server: Server, meetings: Sequence[Meeting], size: Size, rng: random.Random, faults: list[str]
) -> float:
    """Play all these games concurrently; return the seconds of CPU time per token."""
    tables = [Table(server.address, meeting) for meeting in meetings]
    for table in tables:
        await table.open()
    before, played = server.running.processor_seconds(), 0
    for _ in range(size.rounds):
        running = [table for table in tables if not table.over]
        await asyncio.gather(*(table.play(rng) for table in running))
        played += len(running)
    used = server.running.processor_seconds() - before
    for table in tables:
        faults += table.faults()
        await table.close()
    return used / played


def long_game(length: int, rng: random.Random) -> Json:
    """Return the JSON to upload a game of ``length`` tokens. The game avoids moves that could end it early."""
    while True:
        start = Board.start("beginner", seed=rng.getrandbits(32))
        game, tokens = Game(start), list[str]()
        while len(tokens) < length and not game.outcome:
            choices = [str(token) for token in game.board.legal_moves]
            quiet = [token for token in choices if not (token.endswith("-out") or token.startswith("T"))]
            tokens.append(rng.choice(quiet or choices))
            game.push(tokens[-1])
        if not game.outcome:
            person = {"kind": "person"}
            return {"seats": {"forest": person, "sea": person}, "position": start.text, "tokens": tokens}
