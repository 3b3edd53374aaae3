"""The attacks. Each one runs for a given time and then reports event counts.

Each attack runs in its own low-priority process (``python -m harness.attacks.floods``), as if on another machine.
Otherwise it would slow down the players whose moves are timed.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import functools
import json
import os
import random
import re
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final, TypeAlias

from harness.attacks.lines import START, long_line
from harness.attacks.wire import PING, TEXT, RawSocket, Target, addresses, frame
from harness.load.web import Web

Counts: TypeAlias = collections.Counter[str]
Flood: TypeAlias = Callable[["Run"], Awaitable[None]]

LINES: Final = 6
"""The number of connections in the ``lines`` attack."""
REQUESTERS: Final = 20
FLOODERS: Final = 10
"""The number of sockets that send as fast as possible."""
LOBBY_SOCKETS: Final = 100
CHALLENGES: Final = 100
CHALLENGES_PER_SECOND: Final = 0.8
WATCHERS: Final = 900
CUTS: Final = 2_000
HALF_OPEN: Final = 10_000
BODIES: Final = 300
"""The number of large requests that the attack never completes."""
BURST: Final = 200
"""The number of frames in one write."""
CONNECTING: Final = 200
"""The maximum number of simultaneous connection attempts."""
LONGEST: Final = "longest"
"""The key in ``counts`` for how long the longest-lived unfinished request stayed open, in milliseconds."""
OFFER_SECONDS: Final = 0.02
_REVISION: Final = re.compile(rb'"revision":(\d+)')


class Run:
    """A run of one attack."""

    def __init__(self, target: Target, seconds: float, scale: float) -> None:
        self.target: Final = target
        self.scale: Final = scale
        self.seconds: Final = seconds
        self.end: Final = time.monotonic() + seconds
        self.counts: Final[Counts] = collections.Counter()

    def going(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.end

    def scaled(self, full: int) -> int:
        """Scale a number of connections to the size of this run."""
        return max(2, round(full * self.scale))

    async def together(self, works: list[Coroutine[Any, Any, None]]) -> None:
        """Run all coroutines until they end. Cancel those still running five seconds after the attack's time is up."""
        tasks = [asyncio.create_task(work) for work in works]
        await asyncio.wait(tasks, timeout=self.seconds + 5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# --- Requests


async def requests(run: Run) -> None:
    """Many connections from one address send each request as soon as the previous one is answered."""
    await run.together([_ask(run, "127.1.0.1", "GET", "/api/live") for _ in range(REQUESTERS)])


async def lines(run: Run) -> None:
    """A few connections keep posting the longest allowed line to ``/api/positions/line``."""
    body = {"position": START, "tokens": long_line(500)}
    await run.together([_ask(run, "127.2.0.1", "POST", "/api/positions/line", body) for _ in range(LINES)])


async def connects(run: Run) -> None:
    """Open connections as fast as possible, and close each one immediately without sending anything."""

    async def connect() -> None:
        while run.going():
            try:
                _, writer = await asyncio.open_connection(run.target.host, run.target.port, local_addr=("127.3.0.1", 0))
                run.counts["connected"] += 1
                writer.transport.abort()
            except OSError:
                run.counts["refused"] += 1
                await asyncio.sleep(0.01)

    await run.together([connect() for _ in range(FLOODERS)])


async def _ask(run: Run, local: str, method: str, path: str, body: object = None) -> None:
    """Repeat a request, regardless of the response."""
    async with Web(f"http://{run.target.host}:{run.target.port}", local=local) as web:
        while run.going():
            try:
                reply = await web.ask(method, path, body)
                run.counts[str(reply.status)] += 1
            except (OSError, TimeoutError):
                run.counts["reset"] += 1
                await asyncio.sleep(0.01)


# --- Sockets


async def messages(run: Run) -> None:
    """Send commands over a game's sockets as fast as possible."""
    await _flood_sockets(run, "127.4.0.1", lambda: frame(TEXT, b'{"type":"ping","id":"flood"}') * BURST)


async def nonsense(run: Run) -> None:
    """Send messages that are not commands as fast as possible."""
    await _flood_sockets(run, "127.5.0.1", lambda: frame(TEXT, b"x") * BURST)


async def pings(run: Run) -> None:
    """Send ping frames, which the application never sees, as fast as possible."""
    await _flood_sockets(run, "127.6.0.1", lambda: frame(PING) * BURST)


async def hellos(run: Run) -> None:
    """A spectator keeps sending seat tokens, alternating between valid and invalid ones."""

    def shown() -> bytes:
        wrong = json.dumps({"type": "hello", "id": "h", "seat": "x" * 40}).encode()
        right = json.dumps({"type": "hello", "id": "h", "seat": run.target.seat}).encode()
        return frame(TEXT, wrong) + frame(TEXT, right)

    await _flood_sockets(run, "127.7.0.1", shown)


async def offers(run: Run) -> None:
    """The opponent makes and withdraws takeback offers, one every 20 ms."""
    opened = await RawSocket.open(run.target, run.target.game_socket, "127.8.0.1", run.target.seat)
    if opened is None:
        run.counts["refused"] += 1
        return
    revision = 0

    def seen(data: bytes) -> None:
        nonlocal revision
        revision = max([revision, *(int(each) for each in _REVISION.findall(data))])

    reading = asyncio.create_task(opened.read(seen))
    number = 0
    while run.going() and not reading.done():
        number += 1
        offer = {"type": "offer", "what": "takeback", "scope": "step"}
        answer = {"type": "answer", "answer": "withdraw"}
        for place, command in enumerate((offer, answer)):
            text = json.dumps({"id": f"{number}-{place}", **command, "revision": revision}).encode()
            with contextlib.suppress(OSError):
                opened.writer.write(frame(TEXT, text))
                await opened.writer.drain()
            run.counts["sent"] += 1
            await asyncio.sleep(OFFER_SECONDS)
    reading.cancel()


async def _flood_sockets(run: Run, local: str, frames: Callable[[], bytes]) -> None:
    """Send frames over several sockets from one address, and reconnect each socket that is closed."""
    some = frames()

    async def flood() -> None:
        while run.going():
            opened = await RawSocket.open(run.target, run.target.game_socket, local)
            if opened is None:
                run.counts["refused"] += 1
                await asyncio.sleep(0.01)
                continue
            run.counts["opened"] += 1
            reading = asyncio.create_task(opened.read(lambda data: run.counts.update(bytes=len(data))))
            with contextlib.suppress(OSError):
                while run.going() and not reading.done():
                    opened.writer.write(some)
                    await opened.writer.drain()
                    run.counts["bursts"] += 1
                    await asyncio.sleep(0)
            reading.cancel()
            opened.writer.close()

    await run.together([flood() for _ in range(FLOODERS)])


# --- Crowds


async def lobby(run: Run) -> None:
    """Many sockets watch a lobby with many challenges while new challenges are created at a steady rate."""
    maker = Web(f"http://{run.target.host}:{run.target.port}", local="127.9.9.1")
    count = run.scaled(LOBBY_SOCKETS)
    sockets = [
        await RawSocket.open(run.target, "/api/lobby/socket", local) for local in [*addresses(4, 9)] * (count // 4 + 1)
    ][:count]
    opened = [each for each in sockets if each]
    run.counts["sockets"] = len(opened)
    reading = [asyncio.create_task(each.read(lambda data: run.counts.update(bytes=len(data)))) for each in opened]
    rng = random.Random(1)
    async with maker:
        while run.going():
            await _challenge(maker, rng)
            run.counts["challenges"] += 1
            await asyncio.sleep(1 / CHALLENGES_PER_SECOND)
    for task in reading:
        task.cancel()


async def _challenge(web: Web, rng: random.Random) -> None:
    """Create a challenge in the lobby."""
    made = (await web.ask("POST", "/api/challenges", {"open": True}, status=201)).json()
    path, number = f"/api/challenges/{made['challenge']['id']}/number", {"number": rng.randbytes(16).hex()}
    await web.ask("PUT", path, number, status=200, X_Seat_Token=made["seat"])


async def fill_lobby(run: Run) -> None:
    """Create the initial challenges in the lobby, from several addresses."""
    rng = random.Random(2)
    for local in addresses(max(1, run.scaled(CHALLENGES) // 10), 10):
        async with Web(f"http://{run.target.host}:{run.target.port}", local=local) as web:
            for _ in range(10):
                await _challenge(web, rng)
                run.counts["challenges"] += 1


async def watchers(run: Run) -> None:
    """Hundreds of watchers join a game from a few addresses and stay connected."""
    tails: dict[int, bytes] = {}

    def seen(number: int, data: bytes) -> None:
        text = tails.get(number, b"") + data
        found = text.count(b'"type":"presence"')
        run.counts["presence"] += found
        tails[number] = text[-16:]

    count = run.scaled(WATCHERS)
    local = [*addresses(10, 11)]
    reading = []
    for number in range(count):
        opened = await RawSocket.open(run.target, run.target.game_socket, local[number % len(local)])
        if opened is None:
            run.counts["refused"] += 1
            await asyncio.sleep(0.05)
            continue
        run.counts["opened"] += 1
        reading.append(asyncio.create_task(opened.read(functools.partial(seen, number))))
    while run.going():
        await asyncio.sleep(0.1)
    for task in reading:
        task.cancel()


async def cuts(run: Run) -> None:
    """Open sockets to a game and reset their connections."""
    count = run.scaled(CUTS)
    local = [*addresses(20, 12)]
    for first in range(0, count, 40):
        opened = await asyncio.gather(
            *(
                RawSocket.open(run.target, run.target.game_socket, local[(first + number) % len(local)])
                for number in range(min(40, count - first))
            )
        )
        for each in opened:
            if each:
                each.cut()
                run.counts["cut"] += 1
            else:
                run.counts["refused"] += 1
        await asyncio.sleep(0.05)


# --- Unfinished requests


async def half_open(run: Run) -> None:
    """Send thousands of incomplete requests from many addresses; half of them stop in the middle of the body."""
    head = f"POST /api/records HTTP/1.1\r\n{run.target.host_header}".encode()
    count = run.scaled(HALF_OPEN)
    local = [*addresses(max(1, count // 100), 13)]
    await _half_requests(
        run, count, local, lambda number: head + (b"Content-Length: 99\r\n\r\n{" if number % 2 else b"")
    )


async def bodies(run: Run) -> None:
    """Start hundreds of large uploads and never complete them."""
    head = f"POST /api/records HTTP/1.1\r\n{run.target.host_header}Content-Length: 1200000\r\n\r\n".encode()
    count = run.scaled(BODIES)
    local = [*addresses(max(1, count // 10), 14)]
    await _half_requests(run, count, local, lambda _: head + b"x" * 1_100_000)


async def _half_requests(run: Run, count: int, local: list[str], sent: Callable[[int], bytes]) -> None:
    """Keep unfinished requests open until the server closes them. Record how long the longest-lived one lasted."""
    connecting = asyncio.Semaphore(CONNECTING)

    async def keep_open(number: int) -> None:
        try:
            async with connecting:
                reader, writer = await asyncio.open_connection(
                    run.target.host, run.target.port, local_addr=(local[number % len(local)], 0)
                )
        except OSError:
            run.counts["refused"] += 1
            return
        began = time.monotonic()
        run.counts["opened"] += 1
        try:
            with contextlib.suppress(OSError):
                writer.write(sent(number))
                await writer.drain()
                await reader.read()
            run.counts["closed by the server"] += 1
        finally:  # runs at the end of the attack even if the server has not closed the connection
            run.counts[LONGEST] = max(run.counts[LONGEST], round(1_000 * (time.monotonic() - began)))
            writer.close()

    await run.together([keep_open(number) for number in range(count)])


FLOODS: Final[Mapping[str, Flood]] = {
    each.__name__: each
    for each in (
        *(requests, lines, connects, messages, nonsense, pings, hellos, offers),
        *(lobby, fill_lobby, watchers, cuts, half_open, bodies),
    )
}


def main(arguments: list[str]) -> int:
    """Run one attack and print its counts as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("name", choices=list(FLOODS))
    parser.add_argument("--address", required=True)
    parser.add_argument("--game", default="")
    parser.add_argument("--seat", default="")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args(arguments)
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    run = Run(Target.of(options.address, options.game, options.seat), options.seconds, options.scale)
    asyncio.run(_main(FLOODS[options.name], run))
    print(json.dumps(run.counts))
    return 0


async def _main(flood: Flood, run: Run) -> None:
    await flood(run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
