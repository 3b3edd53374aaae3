"""The sockets that are open in this process: how many there may be, and whose they are.

A socket ends with the session that it was opened by. Whoever ends sessions in this process lets it be known at once;
what other processes end is found by looking at the sessions again every few seconds.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import random
from collections.abc import Collection, Iterable
from typing import Final, Protocol

from starlette.exceptions import WebSocketException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cairn.server.errors import TRY_AGAIN_LATER
from cairn.server.frames import Write, way_of
from cairn.server.identity_storage import Player, Session
from cairn.server.limits import Limiter, Limits, TooMany, address_of
from cairn.server.logs import going_on

SESSION_ENDED: Final = 4401
TOO_MANY_SOCKETS: Final = 4429
LOOK_SECONDS: Final = 5.0
"""So long a socket may outlive a session that another process has ended."""
TOGETHER: Final = 500
"""So many sessions are looked up at once."""

_KEY: Final = "cairn.socket"


class Sessions(Protocol):
    """Knows which sessions there are."""

    async def living(self, sessions_of: Collection[str]) -> set[str]:
        """Those of these hashes whose sessions have not ended."""


@dataclasses.dataclass(eq=False, slots=True)
class OpenSocket:
    """One of them."""

    address: str
    send: Send
    player: str | None = None
    session: str | None = dataclasses.field(default=None, repr=False)
    accepted: bool = False
    over: bool = False
    """Whatever still comes from it is not heard, and nothing more is said to it."""


class OpenSockets:
    """All of them."""

    def __init__(self, limits: Limits) -> None:
        self._limits: Final = limits
        self._of_address: Final[collections.Counter[str]] = collections.Counter()
        self._of_player: Final[dict[str, set[OpenSocket]]] = collections.defaultdict(set)
        self._closing: Final[set[asyncio.Task[None]]] = set()
        self._looking: asyncio.Task[None] | None = None
        self._sessions: Sessions | None = None

    # --- Coming and going

    def enter(self, address: str, send: Send) -> OpenSocket | None:
        """One more from that address, or none if there are too many."""
        most = self._limits.sockets_of_address
        if most is not None and self._of_address[address] >= most:
            return None
        self._of_address[address] += 1
        return OpenSocket(address, send)

    def belongs_to(self, socket: OpenSocket, player: Player, session: Session) -> bool:
        """It is a player's, as long as that session lasts. False if the player has too many."""
        most = self._limits.sockets_of_player
        if most is not None and len(self._of_player[player.id]) >= most:
            return False
        socket.player, socket.session = player.id, session.token_hash
        self._of_player[player.id].add(socket)
        return True

    def leave(self, socket: OpenSocket) -> None:
        """It is closed."""
        socket.over = True
        self._of_address[socket.address] -= 1
        if not self._of_address[socket.address]:
            del self._of_address[socket.address]
        if socket.player is not None:
            theirs = self._of_player[socket.player]
            theirs.discard(socket)
            if not theirs:
                del self._of_player[socket.player]

    # --- Ending

    def start(self, sessions: Sessions) -> None:
        """Look at the sessions again and again."""
        self._sessions = sessions
        self._looking = asyncio.create_task(self._look_again(), name="sockets")

    async def close(self) -> None:
        """Look no more."""
        tasks = [*self._closing, *([self._looking] if self._looking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def look(self, players: Iterable[str] | None = None) -> None:
        """End the sockets whose sessions are no more: of these players, or of all."""
        assert self._sessions is not None  # noqa: S101  # started before anybody is served
        of = list(self._of_player) if players is None else players
        held = [(each, each.session) for player in of for each in self._of_player.get(player, ()) if each.session]
        for first in range(0, len(held), TOGETHER):
            some = held[first : first + TOGETHER]
            living = await self._sessions.living({session for _, session in some})
            for socket, session in some:
                if session not in living:
                    self._end(socket)

    def _end(self, socket: OpenSocket) -> None:
        """Close it, and from now on hear nothing from it."""
        if socket.over:
            return
        socket.over = True
        task = asyncio.create_task(self._farewell(socket), name="closing a socket")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _farewell(self, socket: OpenSocket) -> None:
        with contextlib.suppress(RuntimeError, OSError):  # it may be closed already
            await socket.send(_close(SESSION_ENDED, "You were signed out."))

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS * random.uniform(0.7, 1.0))  # not at the same time as other processes
            with going_on("sessions are not looked at"):
                await self.look()


class SocketGate:
    """Counts sockets, refuses those that are too many, and keeps from the application what comes after the end."""

    def __init__(self, app: ASGIApp, sockets: OpenSockets, limiter: Limiter) -> None:
        self._app: Final = app
        self._sockets: Final = sockets
        self._limiter: Final = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the socket on, or refuse it."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        address = address_of(HTTPConnection(scope))
        socket = self._sockets.enter(address, send)
        if socket is None:
            await receive()
            await send({"type": "websocket.accept"})
            sentence = "Too many sockets are open from your address. Please close some pages."
            await send(_close(TOO_MANY_SOCKETS, sentence))
            return
        scope[_KEY] = (self._sockets, socket)
        frames = self._limiter.bucket("frame")

        async def hear() -> Message:
            message = await receive()
            if message["type"] == "websocket.connect":
                return message
            if message["type"] == "websocket.receive":
                try:
                    frames.spend()
                except TooMany as refusal:
                    socket.over = True
                    await send(_close(TRY_AGAIN_LATER, refusal.problem.sentence))
            return {"type": "websocket.disconnect", "code": SESSION_ENDED} if socket.over else message

        async def say(message: Message) -> None:
            if socket.over:
                return
            if message["type"] == "websocket.close" and not socket.accepted:
                # Only who was let in hears why they are sent away.
                await send({"type": "websocket.accept"})
            socket.accepted = True
            await send(message)

        try:
            await self._app(scope, hear, say)
        finally:
            self._sockets.leave(socket)
            del scope[_KEY]  # a cycle: it leads to what sends, and that to the scope


def belongs_to(connection: HTTPConnection, player: Player, session: Session) -> None:
    """A socket is being opened by a player, who may have too many."""
    if _KEY in connection.scope:
        sockets, socket = connection.scope[_KEY]
        if not sockets.belongs_to(socket, player, session):
            raise WebSocketException(TOO_MANY_SOCKETS, "You have too many sockets open. Please close some pages.")


def shorter_way(connection: HTTPConnection) -> Write | None:
    """How frames are written to an open socket, if its server lets them; never after its end."""
    write = way_of(connection.scope)
    if write is None or _KEY not in connection.scope:
        return write
    _, socket = connection.scope[_KEY]
    return lambda frame: not socket.over and write(frame)


def _close(code: int, reason: str) -> Message:
    return {"type": "websocket.close", "code": code, "reason": reason}
