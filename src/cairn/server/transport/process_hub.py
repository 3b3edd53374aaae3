"""Broadcast between processes that share a database.

The transaction that stores a change also announces the game and its new revision. Each process that has the game in
memory then reads the new events. Messages that are not stored, such as presence, are sent in the notification itself.
If a message cannot be delivered, the watchers of its topic are disconnected; they get the current state when they
reconnect.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, Protocol

from cairn.server.backoff import backoff
from cairn.server.errors import ConnectionLostError, DataError, StorageError
from cairn.server.logs import log_and_continue
from cairn.server.messages.base import Message
from cairn.server.storage.engines.backend import DELETED
from cairn.server.tasks import cancel_and_wait
from cairn.server.transport.hub import Follower, Hub

LONGEST_PAYLOAD: Final = 7_900
"""The longest notification that we send, in bytes. PostgreSQL's limit is 8,000."""
LONGEST_QUEUE: Final = 2_000
"""How many messages may wait to be sent to other processes."""
MOST_TOGETHER: Final = 100
SHORTEST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 0.25
_MESSAGE, _CUT = "m", "c"

_log: Final = logging.getLogger("cairn.server")


class Channel(Protocol):
    """The connection through which a process receives notifications, including its own."""

    async def connect(self, heard: Callable[[str], None]) -> None:
        """Connect and start listening. Raises :class:`ConnectionLostError`."""

    async def until_lost(self) -> None:
        """Return when the connection is lost."""

    def disconnect(self) -> None:
        """Close the connection, if there is one."""

    async def notify(self, payloads: Sequence[str]) -> None:
        """Send notifications to all processes. Raises :class:`StorageError`."""


class ProcessHub(Hub):
    """A hub that also reaches the watchers of other processes."""

    def __init__(self, channel: Channel, origin: str) -> None:
        super().__init__()
        self._channel: Final = channel
        self._origin: Final = origin
        """Identifies the notifications that this process sends."""
        self._outgoing: Final[asyncio.Queue[tuple[str, str]]] = asyncio.Queue(LONGEST_QUEUE)
        """Topics and payloads that are waiting to be sent."""
        self._lost: Final[set[str]] = set()
        """Topics that missed a message: their watchers in other processes have to be disconnected."""
        self._announced: Final[dict[str, list[int]]] = {}
        """The revisions announced for each game since its last catch-up began."""
        self._tasks: Final[dict[asyncio.Task[None], None]] = {}
        self._follower: Follower | None = None
        self._listening = False

    @property
    def alone(self) -> bool:
        """Always false, because other processes may have watchers too."""
        return False

    @property
    def listening(self) -> bool:
        """Whether messages from other processes can arrive."""
        return self._listening

    async def start(self, follower: Follower) -> None:
        """Connect and start listening."""
        self._follower = follower
        try:
            await self._connect()
        except ConnectionLostError as error:
            raise DataError(str(error)) from None
        self._spawn(self._listen(follower), "listener")
        self._spawn(self._send(), "sender")

    async def close(self) -> None:
        """Stop listening and sending."""
        await cancel_and_wait(self._tasks)

    async def broadcast(self, topic: str, message: Message) -> None:
        """Send a message to the watchers here and in other processes."""
        await super().broadcast(topic, message)
        payload = f"{self._origin} {_MESSAGE} {topic} {message.model_dump_json()}"
        if len(payload.encode()) > LONGEST_PAYLOAD:
            payload = self._cut_payload(topic)
        try:
            self._outgoing.put_nowait((topic, payload))
        except asyncio.QueueFull:
            self._lost.add(topic)

    def _cut_payload(self, topic: str) -> str:
        return f"{self._origin} {_CUT} {topic}"

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks[task] = None
        task.add_done_callback(self._tasks.pop)

    # --- Sending

    async def _send(self) -> None:
        """Send queued messages in batches. Disconnect the watchers of topics that missed a message."""
        pauses = backoff(SHORTEST_PAUSE, LONGEST_PAUSE)
        while True:
            batch = [] if self._lost else [await self._outgoing.get()]
            while not self._outgoing.empty() and len(batch) < MOST_TOGETHER:
                batch.append(self._outgoing.get_nowait())
            missed = sorted(self._lost)[:MOST_TOGETHER]
            payloads = [payload for _, payload in batch] + [self._cut_payload(topic) for topic in missed]
            try:
                await self._channel.notify(payloads)
            except StorageError as error:
                # Do not retry: the messages may have arrived after all, and a chat message could appear twice.
                _log.warning("%d messages did not reach other processes: %s", len(batch), error)
                self._lost.update(topic for topic, _ in batch)
                await asyncio.sleep(next(pauses))
            else:
                self._lost.difference_update(missed)
                pauses = backoff(SHORTEST_PAUSE, LONGEST_PAUSE)

    # --- Listening

    async def _connect(self) -> None:
        await self._channel.connect(self._notified)
        self._listening = True

    async def _listen(self, follower: Follower) -> None:
        """Keep a listening connection open, and catch up after every reconnect."""
        while True:
            try:
                await self._channel.until_lost()
            finally:
                self._listening = False
                self._channel.disconnect()
            _log.warning("lost the connection that listens to other processes")
            await self._reconnect()
            _log.warning("listening to other processes again")
            # Unstored messages may have been missed on any topic.
            self.disconnect_all()
            with log_and_continue("could not bring the games in memory up to date"):
                await follower.catch_up_all()

    async def _reconnect(self) -> None:
        """Reconnect, with back-off."""
        pauses = backoff(SHORTEST_PAUSE, LONGEST_PAUSE)
        while not self._listening:
            with contextlib.suppress(ConnectionLostError):
                await self._connect()
                return
            await asyncio.sleep(next(pauses))

    def _notified(self, payload: str) -> None:
        origin, _, content = payload.partition(" ")
        if origin == self._origin:
            return
        kind, _, rest = content.partition(" ")
        if kind == _MESSAGE:
            topic, _, text = rest.partition(" ")
            self.deliver(topic, text)
        elif kind == _CUT:
            self.disconnect(rest)
        elif rest in self._announced:
            self._announced[rest].append(int(kind))
        else:
            self._announced[rest] = [int(kind)]
            self._spawn(self._catch_up(rest), f"catching up with {rest}")

    async def _catch_up(self, game: str) -> None:
        """Bring a game up to date. Announcements that arrive in the meantime are coalesced."""
        follower = self._follower
        try:
            while follower and (revisions := self._announced[game]):
                self._announced[game] = []
                if DELETED in revisions:
                    with log_and_continue(f"could not drop game {game} from memory"):
                        await follower.forget(game)
                if (last := max(revisions)) != DELETED:
                    with log_and_continue(f"could not bring game {game} up to date"):
                        await follower.catch_up(game, last)
        finally:
            del self._announced[game]
