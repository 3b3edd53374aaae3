"""Compares the CPU time charged for requests and messages with the CPU time that the server actually uses."""

from __future__ import annotations

import random
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

from harness.attacks.lines import START, long_line
from harness.load.servers import Server, folder
from harness.load.table import Meeting, Table, connect, meet
from harness.load.web import Web

REPEATS: Final = 1_000
_CHARGED: Final = re.compile(rb"^cairn_work_milliseconds_total (\S+)$", re.MULTILINE)

Work = Callable[[], Awaitable[Any]]


class _Bench:
    """Measures how much CPU time a server uses, and reads from its metrics how much it charges."""

    def __init__(self, server: Server, web: Web, repeats: int) -> None:
        self._server: Final = server
        self._web: Final = web
        self._repeats: Final = repeats
        self.found: Final[dict[str, tuple[float, float]]] = {}

    async def measure(self, name: str, work: Work, share: float = 1.0) -> None:
        """Repeat ``work``, and record the milliseconds of CPU time charged and used per repetition."""
        repeats = max(5, round(share * self._repeats))
        charged, used = await self._charged(), self._server.running.processor_seconds()
        for _ in range(repeats):
            await work()
        used = self._server.running.processor_seconds() - used
        self.found[name] = ((await self._charged() - charged) / repeats, 1_000 * used / repeats)

    async def _charged(self) -> float:
        found = _CHARGED.search((await self._web.ask("GET", "/api/metrics", status=200)).body)
        assert found
        return float(found[1])


async def measure(scale: float = 1.0) -> dict[str, tuple[float, float]]:
    """Return the milliseconds of CPU time charged and used for each kind of work."""
    with folder() as place, Server.cairn(place) as server:
        async with Web(server.address) as web:
            bench, rng = _Bench(server, web, max(20, round(REPEATS * scale))), random.Random(1)
            meeting = await meet(web, rng)
            await _measure_requests(bench, web, meeting, rng)
            await _measure_sockets(bench, server, meeting, rng)
        return bench.found


async def _measure_requests(bench: _Bench, web: Web, meeting: Meeting, rng: random.Random) -> None:
    await bench.measure("a page", lambda: web.ask("GET", "/"))
    await bench.measure("a game", lambda: web.ask("GET", f"/api/games/{meeting.game}", status=200))
    await bench.measure("the lobby", lambda: web.ask("GET", "/api/lobby", status=200))
    await bench.measure("the leaderboard", lambda: web.ask("GET", "/api/leaderboard", status=200), 0.3)
    line = {"position": START, "tokens": long_line(500)}
    await bench.measure("a line of 500 tokens", lambda: web.ask("POST", "/api/positions/line", line, status=200), 0.1)
    await bench.measure("a challenge that is accepted (3 requests)", lambda: meet(web, rng), 0.1)


async def _measure_sockets(bench: _Bench, server: Server, meeting: Meeting, rng: random.Random) -> None:
    async def open_socket() -> None:
        opened = await connect(server.address, meeting.game)
        await opened.recv()
        await opened.close()

    await bench.measure("a socket that is opened and closed", open_socket, 0.3)
    socket = await connect(server.address, meeting.game)
    await socket.recv()

    async def ask() -> None:
        await socket.send('{"type":"ping","id":"x"}')
        while '"done"' not in str(await socket.recv()):
            pass

    async def ping() -> None:
        await (await socket.ping())

    await bench.measure("a message", ask)
    await bench.measure("a ping frame", ping)
    await socket.close()
    await bench.measure("a token", _player(server, meeting, rng), 0.3)


def _player(server: Server, meeting: Meeting, rng: random.Random) -> Work:
    """Return a function that plays one token in the game of ``meeting``."""
    table = Table(server.address, meeting)

    async def play() -> None:
        if table.seats["forest"].gone:
            await table.open()
        if not table.over:
            await table.play(rng)

    return play
