"""The open sockets of this process: their number, and the player that each socket belongs to.

A socket closes when the session that opened it ends. Sessions that end in this process are reported immediately; those
that end in another process are found by regular checks.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import random
from collections.abc import Iterable
from typing import Final

from starlette.exceptions import WebSocketException
from starlette.requests import HTTPConnection
from starlette.types import Send
from starlette.websockets import WebSocket

from cairn.server.logs import log_and_continue
from cairn.server.messages.commands import id_in
from cairn.server.messages.problems import Problem, shortened
from cairn.server.messages.sockets import RefusedMessage
from cairn.server.players.limits import Limits
from cairn.server.players.workload import FRAME, MESSAGE, workload_of
from cairn.server.storage.players.repository import PlayerRepository
from cairn.server.storage.players.rows import Player, Session
from cairn.server.tasks import cancel_and_wait
from cairn.server.web.close_codes import SESSION_ENDED, TOO_MANY_SOCKETS, TRY_AGAIN_LATER, close_message
from cairn.server.web.metrics import count_refusal
from cairn.server.web.tracing import tracing_of

CHECK_SECONDS: Final = 5.0
"""How long a socket may outlive a session that ended in another process."""
MOST_TOGETHER: Final = 500
"""How many sessions to check in one query."""

KEY: Final = "cairn.socket"
"""The scope key for a connection's registry and registered socket."""
FRAMES: Final = "cairn.frames"
"""The message key for the number of frames that were not whole messages, such as pings."""


@dataclasses.dataclass(eq=False, slots=True)
class OpenSocket:
    """An open socket."""

    address: str
    send: Send
    player: str | None = None
    session: str | None = dataclasses.field(default=None, repr=False)
    accepted: bool = False
    ended: bool = False
    """Whether messages in both directions are discarded."""


class SocketRegistry:
    """All open sockets of this process."""

    def __init__(self, limits: Limits) -> None:
        self._limits: Final = limits
        self._by_address: Final[collections.Counter[str]] = collections.Counter()
        self._by_player: Final[dict[str, dict[OpenSocket, None]]] = collections.defaultdict(dict)
        self._closing: Final[set[asyncio.Task[None]]] = set()
        self._checking: asyncio.Task[None] | None = None

    # --- Opening and closing

    def add(self, address: str, send: Send) -> OpenSocket | None:
        """Register a socket. Returns ``None`` if its address has too many sockets open."""
        most = self._limits.sockets_of_address
        if most is not None and self._by_address[address] >= most:
            return None
        self._by_address[address] += 1
        return OpenSocket(address, send)

    def assign(self, socket: OpenSocket, player: Player, session: Session) -> bool:
        """Assign a socket to a player and a session. Returns false if the player has too many sockets open."""
        most = self._limits.sockets_of_player
        if most is not None and len(self._by_player[player.id]) >= most:
            return False
        socket.player, socket.session = player.id, session.token_hash
        self._by_player[player.id][socket] = None
        return True

    def remove(self, socket: OpenSocket) -> None:
        """Unregister a socket that has closed."""
        socket.ended = True
        self._by_address[socket.address] -= 1
        if not self._by_address[socket.address]:
            del self._by_address[socket.address]
        if socket.player is not None:
            sockets = self._by_player[socket.player]
            sockets.pop(socket, None)
            if not sockets:
                del self._by_player[socket.player]

    # --- Ending sessions

    def start(self, sessions: PlayerRepository) -> None:
        """Start checking the sessions regularly."""
        self._checking = asyncio.create_task(self._check_regularly(sessions), name="checking sessions")

    async def close(self) -> None:
        """Stop checking."""
        await cancel_and_wait([*self._closing, self._checking])

    async def check(self, sessions: PlayerRepository, players: Iterable[str] | None = None) -> None:
        """Close the sockets whose sessions have ended, for these players or for all players."""
        of = list(self._by_player) if players is None else players
        held = [(each, each.session) for player in of for each in self._by_player.get(player, ()) if each.session]
        for first in range(0, len(held), MOST_TOGETHER):
            some = held[first : first + MOST_TOGETHER]
            living = await sessions.existing_sessions({session for _, session in some})
            for socket, session in some:
                if session not in living:
                    self._end(socket)

    def _end(self, socket: OpenSocket) -> None:
        if socket.ended:
            return
        socket.ended = True
        task = asyncio.create_task(self._say_goodbye(socket), name="closing a socket")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _say_goodbye(self, socket: OpenSocket) -> None:
        with contextlib.suppress(RuntimeError, OSError):  # it may already be closed
            await socket.send(close_message(SESSION_ENDED, "You were signed out."))

    async def _check_regularly(self, sessions: PlayerRepository) -> None:
        while True:
            # Jitter keeps the processes from all checking at once.
            await asyncio.sleep(CHECK_SECONDS * random.uniform(0.7, 1.0))
            with log_and_continue("could not check sessions"):
                await self.check(sessions)


def assign_to_player(connection: HTTPConnection, player: Player, session: Session) -> None:
    """Assign the socket that is being opened to its player. Raises an error if the player has too many sockets open."""
    if KEY in connection.scope:
        registry, socket = connection.scope[KEY]
        if not registry.assign(socket, player, session):
            count_refusal(connection.scope, "too-many-sockets")
            raise WebSocketException(TOO_MANY_SOCKETS, "You have too many sockets open. Please close some pages.")


def open_socket(connection: HTTPConnection) -> OpenSocket | None:
    """A connection's registered socket."""
    socket: OpenSocket | None = connection.scope[KEY][1] if KEY in connection.scope else None
    return socket


async def receive_text(connection: WebSocket) -> str | None:
    """The next text message from a socket; ``None`` if the socket has closed or its session has ended.

    This function applies the only rate limit for messages. Each message is charged together with the work for the
    previous one. While the client is in debt, its commands are refused with the number of seconds to wait. If it keeps
    sending, it is disconnected.
    """
    while True:
        message = await connection.receive()
        if message["type"] == "websocket.disconnect":
            return None
        if KEY in connection.scope and connection.scope[KEY][1].ended:
            return None
        frames: int = message.get(FRAMES, 0)
        text: str = message.get("text") or ""
        work = workload_of(connection.scope)
        if work and (wait := work.charge(FRAME * frames if frames else MESSAGE)):
            refusal = work.refusal(wait)
            problem = Problem(kind="too-fast", sentence=refusal.sentence, seconds=refusal.seconds)
            count_refusal(connection.scope, problem.kind)
            if tracing := tracing_of(connection.scope):
                tracing.refused_message(connection.scope, problem.kind, whole=not frames)
            if not await _refuse(connection, text, problem, disconnect=work.is_flooded()):
                return None
        elif not frames:
            return text


async def _refuse(connection: WebSocket, text: str, problem: Problem, *, disconnect: bool) -> bool:
    """Tell a client in debt how long to wait, and return whether its socket stays open."""
    if disconnect:
        await connection.close(TRY_AGAIN_LATER, problem.sentence)
        return False
    if (command := id_in(text)) is not None:
        await connection.send_text(RefusedMessage(id=shortened(command), problem=problem).model_dump_json())
    return True
