"""The network between players and server instances: requests and sockets with latency, cuts and half-open connections.

Players talk to an instance through ASGI, as uvicorn would, but every message is delayed. Messages in one direction on
one socket arrive in order; nothing else is ordered.
"""

from __future__ import annotations

import asyncio
import collections
import json
import random
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVarTuple

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Application: TypeAlias = Callable[
    [Scope, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]

End: TypeAlias = Literal["server", "player"]
Arguments = TypeVarTuple("Arguments")

HOST: Final = "127.0.0.1:8765"


class Cut(Exception):
    """The connection was cut, or the server did not answer."""


class Place(Protocol):
    """The host of an application. When it is killed, all its sockets are cut."""

    @property
    def application(self) -> Application:
        """The ASGI application. Raises :class:`Cut` if it is not running."""

    def spawn(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Run a coroutine that ends when the host is killed."""

    @property
    def lines(self) -> dict[Socket, None]:
        """The open sockets."""


class Response(NamedTuple):
    """An HTTP response."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def json(self) -> Any:
        """The body, decoded from JSON; ``None`` if it is empty."""
        return json.loads(self.body) if self.body else None


class Line:
    """One player's network link to the server, with its latency and cookies."""

    def __init__(self, rng: random.Random, latency: float, address: str) -> None:
        self.rng: Final = rng
        self.latency: Final = latency
        """The mean one-way delay, in seconds."""
        self.address: Final = address
        self.cookies: Final[dict[str, str]] = {}

    def delay(self) -> float:
        """The delay of the next message: between 0.5 and 1.5 times the mean."""
        return self.latency * self.rng.uniform(0.5, 1.5)

    async def request(self, place: Place, method: str, path: str, body: object = None) -> Response:
        """Send a request and wait for the response. Raises :class:`Cut` if the server is killed before it responds."""
        await asyncio.sleep(self.delay())
        answered: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        serving = place.spawn(_serve_request(place.application, self._scope("http", method, path), body, answered))
        serving.add_done_callback(lambda _: _fail(answered))
        response = await answered
        await asyncio.sleep(self.delay())
        for name, value in response.headers:
            if name.lower() == b"set-cookie":
                cookie, _, content = value.decode().partition(";")[0].partition("=")
                self.cookies[cookie] = content
        return response

    async def connect(self, place: Place, path: str) -> Socket:
        """Open a socket."""
        await asyncio.sleep(self.delay())
        socket = Socket(self, place)
        place.lines[socket] = None
        socket.serve(place.application, self._scope("websocket", "GET", path))
        return socket

    def _scope(self, kind: str, method: str, path: str) -> Scope:
        path, _, query = path.partition("?")
        headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
        if self.cookies:
            headers.append((b"cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()).encode()))
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http" if kind == "http" else "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "client": (self.address, 1234),
            "server": ("127.0.0.1", 8765),
            "subprotocols": [],
            "extensions": {},
        }


def _fail(answered: asyncio.Future[Response]) -> None:
    """Fail a request if the server has finished handling it without sending a response."""
    if not answered.done():
        answered.set_exception(Cut("no answer"))


async def _serve_request(
    application: Application, scope: Scope, body: object, answered: asyncio.Future[Response]
) -> None:
    request: Message | None = {"type": "http.request", "body": b"" if body is None else json.dumps(body).encode()}
    status, headers, parts = 500, list[tuple[bytes, bytes]](), list[bytes]()

    async def receive() -> Message:
        nonlocal request
        if request is None:
            await asyncio.get_running_loop().create_future()  # the client stays connected
            raise AssertionError
        message, request = request, None
        return message

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], list(message.get("headers", ()))
        else:
            parts.append(message.get("body", b""))
            if not message.get("more_body") and not answered.done():
                answered.set_result(Response(status, headers, b"".join(parts)))

    await application(scope, receive, send)


class Socket:
    """An open socket: the player's end, the server's end, and the network between them."""

    def __init__(self, line: Line, place: Place) -> None:
        self._line: Final = line
        self._place: Final = place
        self._to_server: Final[asyncio.Queue[Message]] = asyncio.Queue()
        self._to_player: Final[collections.deque[str]] = collections.deque()
        self._reader: asyncio.Future[None] | None = None
        self._last_arrival: Final[dict[End, float]] = {"server": 0.0, "player": 0.0}
        self._is_cut = False
        self._server_gone = False
        self.closed: int | None = None
        """The close code, once the player knows that the socket is closed."""

    def serve(self, application: Application, scope: Scope) -> None:
        """Start the server's end."""
        self._to_server.put_nowait({"type": "websocket.connect"})
        task = self._place.spawn(application(scope, self._to_server.get, self._send))
        task.add_done_callback(lambda _: self.end(1006))

    # --- The player's end

    async def receive(self, seconds: float) -> str:
        """Return the next message. Raises :class:`Cut` if the socket is closed, ``TimeoutError`` after ``seconds``."""
        if not self._to_player and self.closed is None:
            await self._wait(seconds)
        if self._to_player:
            return self._to_player.popleft()
        if self.closed is not None:
            raise Cut(f"closed with {self.closed}")
        raise TimeoutError

    async def _wait(self, seconds: float) -> None:
        """Wait for a message, the end of the socket or the timeout. Cheaper than ``asyncio.timeout``."""
        loop = asyncio.get_running_loop()
        self._reader = loop.create_future()
        timer = loop.call_later(seconds, self._wake)
        try:
            await self._reader
        finally:
            timer.cancel()

    def send(self, text: str) -> None:
        """Send a message to the server. It is lost if the socket is cut before it arrives."""
        self._later("server", self._to_server.put_nowait, {"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """Close the socket properly."""
        self.closed = self.closed or 1000
        self._later("server", self._disconnect)

    def cut(self, noticed_after: float) -> None:
        """Cut the connection. Messages in flight are lost, and the server notices after ``noticed_after`` seconds."""
        self._is_cut = True
        self.end(1006)
        asyncio.get_running_loop().call_later(noticed_after, self._disconnect)

    # --- The server's end

    async def _send(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self._later("player", self._arrive, message["text"])
        elif message["type"] == "websocket.close":
            self._later("player", self.end, message.get("code", 1000))
            self._disconnect()

    def _disconnect(self) -> None:
        if not self._server_gone:
            self._server_gone = True
            self._to_server.put_nowait({"type": "websocket.disconnect", "code": 1006})
            self._place.lines.pop(self, None)

    # --- The network between them

    def _later(self, end: End, arrive: Callable[[*Arguments], object], *arguments: *Arguments) -> None:
        """Deliver something after a delay, but not before anything that was sent to the same end earlier."""
        if self._is_cut:
            return
        loop = asyncio.get_running_loop()
        at = self._last_arrival[end] = max(loop.time() + self._line.delay(), self._last_arrival[end])
        loop.call_at(at, self._deliver, arrive, *arguments)

    def _deliver(self, arrive: Callable[[*Arguments], object], *arguments: *Arguments) -> None:
        if not self._is_cut:
            arrive(*arguments)

    def _arrive(self, text: str) -> None:
        self._to_player.append(text)
        self._wake()

    def end(self, code: int) -> None:
        """Tell the player that the socket is closed."""
        if self.closed is None:
            self.closed = code
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
