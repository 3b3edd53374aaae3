"""Malformed messages: a flood over sockets and HTTP must not disturb the players of another game."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import math
import random
import struct
from collections.abc import Callable
from typing import Any, Final

import websockets

from harness.load.servers import Server, folder
from harness.load.table import Meeting, Table, connect, meet
from harness.load.web import Web

SOCKETS: Final = 8
WEBS: Final = 4
TOGETHER: Final = 200
"""The number of messages that a socket sends before waiting for the server to read them."""
PAUSE: Final = 0.1
"""Seconds between two tokens in the other game."""
BAD_GATEWAY: Final = 500
KINDS: Final = (
    "hello", "play", "undo", "confirm", "offer", "answer", "resign", "claim", "chat", "ping", "", "PLAY", "game",
)  # fmt: skip
PATHS: Final = (
    "/api/games", "/api/games/{}", "/api/games/{}/tokens", "/api/games/{}/undo", "/api/games/{}/confirm",
    "/api/games/{}/offer", "/api/games/{}/answer", "/api/games/{}/resign", "/api/games/{}/claim", "/api/records",
    "/api/challenges", "/api/challenges/{}/accept", "/api/challenges/{}/number", "/api/positions/line", "/api/session",
    "/api/account", "/api/lobby", "/api/%00", "/api/games/%ff%fe", "/api/games?limit=-1", "/api/games?offset=1e9", "/*",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    by_socket: int = 950_000
    by_http: int = 50_000
    seed: int = 1


@dataclasses.dataclass
class MalformedResult:
    """The results of a run."""

    by_socket: int = 0
    by_http: int = 0
    answers: int = 0
    """Refusals received over sockets."""
    closed: int = 0
    """Sockets that the server closed because of a malformed message."""
    statuses: dict[int, int] = dataclasses.field(default_factory=dict)
    """The count of each HTTP status; status 0 means that the connection was closed without a response."""
    tokens: int = 0
    """Tokens played in the other game."""
    slowest: float = 0.0
    """The latency of the slowest of those tokens, in seconds."""
    faults: list[str] = dataclasses.field(default_factory=list)


# --- Malformed messages


def some_value(rng: random.Random, depth: int = 0) -> Any:
    """Return a random JSON value that fields usually reject."""
    plain: list[Callable[[], Any]] = [
        lambda: None,
        lambda: rng.choice([True, False]),
        lambda: rng.choice([-1, 0, 1, 2**31, 2**63, 10**40, -(10**20)]),
        lambda: rng.choice([0.5, -1e308, 1e-300]),
        lambda: rng.choice(
            ["", "x", "a1-c3", "\0", "\ud83d", "F" * 300, "seat", "forest", "../..", "' OR 1=1 --", "é" * 99]
        ),
    ]
    if depth < 3 and rng.random() < 0.3:
        if rng.random() < 0.5:
            return [some_value(rng, depth + 1) for _ in range(rng.randrange(4))]
        return {
            rng.choice(["id", "type", "x", "", "seat"]): some_value(rng, depth + 1) for _ in range(rng.randrange(4))
        }
    return rng.choice(plain)()


def some_object(rng: random.Random) -> dict[str, Any]:
    """Return an invalid command: a field is missing, has the wrong type, or is unknown."""
    whole: dict[str, Any] = {
        "type": rng.choice(KINDS),
        "id": f"m{rng.randrange(10**9)}",
        "revision": rng.choice([0, 1, -1, 10**9]),
        "tribe": rng.choice(["forest", "sea", "Forest", "nobody"]),
        "token": rng.choice(["a1-c3", "?AD", "zz", "+c3", "pass", "a1-a1", "=XX"]),
        "number": "00" * 16,
        "text": "x",
    }
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice(list(whole))
        if rng.random() < 0.3:
            del whole[name]
        else:
            whole[name] = some_value(rng)
    whole[rng.choice(["extra", "__proto__", "hold", "scope"])] = some_value(rng)
    return whole


def some_text(rng: random.Random) -> str:
    """Return random text for a text frame or a request body."""
    kind = rng.randrange(8)
    if kind < 4:
        return json.dumps(some_object(rng))
    if kind == 4:
        text = json.dumps(some_object(rng))
        return text[: rng.randrange(len(text))]
    if kind == 5:
        return json.dumps(some_value(rng))
    if kind == 6:
        return rng.choice(
            ["[" * 5_000, '{"id":' * 2_000, "NaN", '{"id":"x","id":1}', "\ufeff{}", "{'id':1}", " " * 900]
        )
    return "".join(chr(rng.choice([rng.randrange(32, 127), rng.randrange(0xD7FF)])) for _ in range(rng.randrange(60)))


def some_frame(rng: random.Random) -> bytes:
    """Return an invalid frame, which makes the server close the socket."""
    # Reserved bits, reserved opcodes, a continuation without a start, an unmasked frame.
    head = rng.choice([b"\xf1", b"\x83", b"\x8f", b"\x80", b"\xc1", b"\x81"])
    body = rng.choice([b"\xff\xfe", b"\xc0\x80", b"{}"])
    masked = rng.random() < 0.8 and head != b"\x81"
    if rng.random() < 0.2:
        return head + struct.pack("!BQ", 0xFF if masked else 0x7F, 2**62) + bytes(4)
    return head + bytes([len(body) | (0x80 if masked else 0)]) + (bytes(4) if masked else b"") + body


def some_request(rng: random.Random, game: str) -> bytes:
    """Return an invalid HTTP request."""
    method = rng.choice(["GET", "POST", "POST", "POST", "PUT", "DELETE", "PATCH", "BREW", "HEAD", "OPTIONS"])
    path = rng.choice(PATHS).format(rng.choice([game, "unknown", "0", "%2e%2e", "x" * 200]))
    body = some_text(rng).encode("utf-8", "surrogatepass")
    if rng.random() < 0.1:
        body = rng.randbytes(rng.randrange(200))
    host = "127.0.0.1" if rng.random() < 0.95 else rng.choice(["evil.example", "", "a b"])
    kind = rng.choice(["application/json"] * 6 + ["text/plain", "multipart/form-data; boundary=x", "", "x" * 200])
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}", f"Content-Type: {kind}"]
    if rng.random() < 0.1:
        lines.append(
            rng.choice(["Cookie: cairn_session=\xff", "Authorization: Bearer x", "X-Seat-Token: é", "no colon"])
        )
    if rng.random() < 0.05:
        lines[0] = rng.choice(["GET", "GET / HTTP/9.9", "\0\1\2", "GET  / HTTP/1.1", "POST /api/games HTTP/1.1 x"])
    if method == "HEAD":  # our client would wait for the body, which the response does not have
        lines[0] = lines[0].replace("HEAD", "GET", 1)
    return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body


# --- Senders


class Flood:
    """Sends malformed messages over several connections."""

    def __init__(self, address: str, size: Size, meeting: Meeting, outcome: MalformedResult) -> None:
        self._address: Final = address
        self._size: Final = size
        self._meeting: Final = meeting
        self._outcome: Final = outcome

    async def run(self) -> None:
        """Send all messages, over a few concurrent connections."""
        sockets = (self._by_socket(number, _share(self._size.by_socket, SOCKETS, number)) for number in range(SOCKETS))
        webs = (self._by_http(number, _share(self._size.by_http, WEBS, number)) for number in range(WEBS))
        await asyncio.gather(*sockets, *webs)

    async def _by_socket(self, number: int, wanted: int) -> None:
        rng = random.Random(f"{self._size.seed} socket {number}")
        sent = 0
        while sent < wanted:
            seat = rng.choice([None, *self._meeting.seats.values()])
            socket = await connect(self._address, self._meeting.game, seat)
            reading = asyncio.create_task(self._count_answers(socket))
            try:
                while sent < wanted:
                    burst = min(TOGETHER, wanted - sent)
                    for _ in range(burst):
                        sent += 1
                        await _send_something(socket, rng)
                    async with asyncio.timeout(60):
                        await (await socket.ping())
                    if rng.random() < 0.3:
                        await self._break(socket, rng)
            except websockets.ConnectionClosed:
                self._outcome.closed += 1
            finally:
                await socket.close()
                await asyncio.gather(reading, return_exceptions=True)
        self._outcome.by_socket += sent

    async def _count_answers(self, socket: websockets.ClientConnection) -> None:
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                text = str(await socket.recv())
                self._outcome.answers += text.startswith('{"type":"refused"')
                if '"kind":"unexpected"' in text:
                    self._outcome.faults.append(text[:200])

    @staticmethod
    async def _break(socket: websockets.ClientConnection, rng: random.Random) -> None:
        """Send an overlong message or an invalid frame; the server must close the connection."""
        if rng.random() < 0.3:
            await socket.send("x" * 20_000)
        else:
            socket.transport.write(some_frame(rng))
        async with asyncio.timeout(60):
            await (await socket.ping())

    async def _by_http(self, number: int, wanted: int) -> None:
        rng = random.Random(f"{self._size.seed} http {number}")
        async with Web(self._address) as web:
            for _ in range(wanted):
                request = some_request(rng, self._meeting.game)
                reply = await web.send(request)
                status = reply.status if reply else 0
                self._outcome.statuses[status] = self._outcome.statuses.get(status, 0) + 1
                self._outcome.by_http += 1
                if status >= BAD_GATEWAY:
                    self._outcome.faults.append(f"{request[:200]!r} was answered with {status}")


async def _send_something(socket: websockets.ClientConnection, rng: random.Random) -> None:
    text = some_text(rng).encode("utf-8", "replace")
    if rng.random() < 0.05:
        await socket.send(rng.randbytes(rng.randrange(100)))
    else:
        await socket.send(text, text=True)


async def _go_on(address: str, rng: random.Random, outcome: MalformedResult) -> None:
    """Play games between two other players, whom the flood must not disturb."""
    async with Web(address) as web:
        while True:
            table = Table(address, await meet(web, rng), watchers=1)
            await table.open()
            while not table.over:
                latency = await table.play(rng)
                if math.isnan(latency):
                    break
                outcome.tokens += 1
                outcome.slowest = max(outcome.slowest, latency)
                await asyncio.sleep(PAUSE)
            outcome.faults += table.faults()
            await table.close()


def _share(all_of: int, workers: int, number: int) -> int:
    return all_of // workers + (number < all_of % workers)


async def prove(size: Size) -> MalformedResult:
    """Run the whole test."""
    outcome = MalformedResult()
    with folder() as place, Server.cairn(place) as server:
        async with Web(server.address) as web:
            meeting = await meet(web, random.Random(size.seed), clock=None)
            playing = asyncio.create_task(_go_on(server.address, random.Random(size.seed), outcome))
            try:
                while not outcome.tokens and not playing.done():
                    await asyncio.sleep(0.01)  # start the flood only once the other game is under way
                await Flood(server.address, size, meeting, outcome).run()
                if playing.done():
                    outcome.faults.append(f"the other game stopped: {playing.exception()!r}")
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            if not server.alive:
                outcome.faults.append("the server died")
            else:
                await web.ask("GET", f"/api/games/{meeting.game}", status=200)
        outcome.faults += server.troubles()
    return outcome
