"""How processes that share a PostgreSQL hear of each other's games: one connection in each of them listens.

What is stored is announced in its own transaction, with the game and its revision, and read by whoever has watchers or
the game in memory. What is not stored (who came, what was said) is sent along whole. While nobody listens, nothing is
heard; so after every new connection all games in memory are looked at.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any, Final

import asyncpg

from cairn.server.backend import DELETED, statements
from cairn.server.data import DataError
from cairn.server.logs import going_on
from cairn.server.models import Message
from cairn.server.postgres import CHANNEL, Postgres, notification
from cairn.server.storage import StorageError
from cairn.server.transport import Follower, Hub

LONGEST_PAYLOAD: Final = 7_900
"""Bytes that a notification can hold."""
LONGEST_LINE: Final = 2_000
"""So many messages may wait to be sent; those after them are lost, and whoever would hear them is cut off."""
KEEPALIVE_SECONDS: Final = 10.0
SHORTEST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 0.25
_MESSAGE, _CUT = "m", "c"

_log: Final = logging.getLogger("cairn.server")


class PostgresTransport(Hub):
    """Tells watchers in this process, and hears what other processes tell."""

    def __init__(self, postgres: Postgres) -> None:
        super().__init__()
        self._postgres: Final = postgres
        self._outgoing: Final[asyncio.Queue[str]] = asyncio.Queue(LONGEST_LINE)
        self._heard: Final[dict[str, list[int]]] = {}
        """What each game that is being looked at was heard of since."""
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._follower: Follower | None = None
        self._listening = False

    @property
    def alone(self) -> bool:
        """Other processes have watchers, too."""
        return False

    @property
    def listening(self) -> bool:
        """Whether what other processes tell is heard."""
        return self._listening

    async def start(self, follower: Follower) -> None:
        """Begin to listen."""
        self._follower = follower
        try:
            connection = await self._connect()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise DataError(f"The database {self._postgres.name} cannot be listened to: {error}.") from None
        self._spawn(self._listen(connection), "listener")
        self._spawn(self._send(), "sender")

    async def close(self) -> None:
        """Listen no more."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def tell(self, game: str, message: Message) -> None:
        """Tell watchers here, and those of other processes."""
        await super().tell(game, message)
        origin = self._postgres.origin
        payload = f"{origin} {_MESSAGE} {game} {message.model_dump_json()}"
        if len(payload.encode()) > LONGEST_PAYLOAD:
            payload = f"{origin} {_CUT} {game}"
        with contextlib.suppress(asyncio.QueueFull):
            self._outgoing.put_nowait(payload)

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- Sending

    async def _send(self) -> None:
        while True:
            payloads = [await self._outgoing.get()]
            while not self._outgoing.empty() and len(payloads) < 100:
                payloads.append(self._outgoing.get_nowait())
            with contextlib.suppress(StorageError):  # who listens anew looks at everything
                await self._postgres.write(statements(notification(payloads)))

    # --- Listening

    async def _connect(self) -> asyncpg.Connection:
        connection = await asyncpg.connect(**self._postgres.connect_arguments)
        await connection.add_listener(CHANNEL, self._notified)
        self._listening = True
        return connection

    async def _listen(self, connection: asyncpg.Connection) -> None:
        """Keep a connection that listens, whatever happens to it."""
        assert self._follower is not None  # noqa: S101  # set before
        while True:
            try:
                await _until_lost(connection)
            finally:
                self._listening = False
                connection.terminate()
            _log.warning("the connection that listens to other processes was lost")
            connection = await self._connect_again()
            _log.warning("listening to other processes again")
            with going_on("games were not looked at"):
                await self._follower.catch_up_all()

    async def _connect_again(self) -> asyncpg.Connection:
        pause = SHORTEST_PAUSE
        while True:
            try:
                return await self._connect()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _notified(self, _connection: object, _process: int, _channel: str, payload: object) -> None:
        origin, _, told = str(payload).partition(" ")
        if origin == self._postgres.origin:
            return
        what, _, rest = told.partition(" ")
        if what == _MESSAGE:
            game, _, text = rest.partition(" ")
            self.pass_on(game, text)
        elif what == _CUT:
            self.end(rest)
        elif rest in self._heard:
            self._heard[rest].append(int(what))
        else:
            self._heard[rest] = [int(what)]
            self._spawn(self._look_at(rest), f"catching up with {rest}")

    async def _look_at(self, game: str) -> None:
        """Bring a game up to date. What is heard meanwhile is looked at afterwards, all at once."""
        assert self._follower is not None  # noqa: S101  # nothing is heard before it is set
        try:
            while revisions := self._heard[game]:
                self._heard[game] = []
                if DELETED in revisions:
                    with going_on(f"game {game} was not forgotten"):
                        await self._follower.forget(game)
                if (last := max(revisions)) != DELETED:
                    with going_on(f"game {game} was not followed"):
                        await self._follower.catch_up(game, last)
        finally:
            del self._heard[game]


async def _until_lost(connection: asyncpg.Connection) -> None:
    """Return when the other end is gone, also if nobody says so."""
    lost = asyncio.Event()
    connection.add_termination_listener(lambda _: lost.set())
    while not connection.is_closed():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(lost.wait(), KEEPALIVE_SECONDS)
            return
        try:
            await connection.execute("SELECT 1", timeout=KEEPALIVE_SECONDS)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return
