"""Broadcast messages to the watchers of a game, or of another topic, in this process."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
from collections.abc import AsyncIterator, Callable
from typing import Final, NamedTuple, Protocol, TypeAlias

from cairn.server.messages.base import Message
from cairn.server.messages.games import Update
from cairn.server.messages.sockets import encode_update

LONGEST_QUEUE: Final = 256
"""A watcher that falls this many messages behind is disconnected. It can reconnect to get the whole game."""


@dataclasses.dataclass(eq=False, slots=True)
class EncodedMessage:
    """A message as JSON text, encoded once for all watchers."""

    text: str
    frame: bytes | None = None
    """The WebSocket frame, cached here by direct writers."""


Writer: TypeAlias = Callable[[EncodedMessage], bool]
"""Sends a message immediately. If that would block, it sends nothing and returns false."""


class Follower(Protocol):
    """Keeps games in memory, and follows the changes that other processes make to them."""

    async def catch_up(self, game: str, revision: int) -> None:
        """Update a game that another process has continued up to ``revision``."""

    async def forget(self, game: str) -> None:
        """Drop a game that another process has deleted or restored."""

    async def catch_up_all(self) -> None:
        """Update all games, because any of them may have changed."""


class Subscription:
    """One watcher's messages on one topic: a bounded queue with one reader."""

    def __init__(self, hub: Hub, topic: str, *, internal: bool) -> None:
        self._hub: Final = hub
        self._topic: Final = topic
        self.internal: Final = internal
        """Whether the subscriber is the server itself, not a client."""
        self._messages: Final[collections.deque[str]] = collections.deque()
        self._is_cut = False
        self._reader: asyncio.Future[None] | None = None
        """Set while the reader is waiting for the next message."""
        self._writer: Writer | None = None

    async def __aiter__(self) -> AsyncIterator[str]:
        """Messages as JSON text, until the watcher is disconnected."""
        while True:
            while self._messages:
                yield self._messages.popleft()
            if self._is_cut:
                return
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader

    def register_writer(self, writer: Writer) -> None:
        """Let messages bypass the queue through ``writer`` while the queue is empty."""
        self._writer = writer

    def close(self) -> None:
        """Unsubscribe."""
        self._hub.remove(self._topic, self)

    @property
    def waiting(self) -> int:
        """How many messages are queued."""
        return len(self._messages)

    def put(self, message: EncodedMessage) -> None:
        """Send or queue a message. A watcher whose queue is full is disconnected."""
        if self._writer and self._is_drained and self._writer(message):
            return
        if len(self._messages) < LONGEST_QUEUE:
            self._messages.append(message.text)
            self._wake()
        else:
            self.cut()

    def cut(self) -> None:
        """Disconnect the watcher once it has read the queued messages."""
        self.close()
        self._is_cut = True
        self._wake()

    @property
    def _is_drained(self) -> bool:
        """Whether the queue is empty and the reader is waiting, so that a direct write cannot overtake a message."""
        return not self._messages and self._reader is not None and not self._reader.done()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)


class Reply(NamedTuple):
    """The watcher whose command caused an update, and the id of the command."""

    to: Subscription
    command: str


class Hub:
    """The watchers in this process, by topic."""

    def __init__(self) -> None:
        self._watchers: Final[dict[str, dict[Subscription, None]]] = collections.defaultdict(dict)
        """Dicts instead of sets, because the iteration order of a set would differ between runs."""

    @property
    def alone(self) -> bool:
        """Whether all watchers are in this process."""
        return True

    @property
    def listening(self) -> bool:
        """Whether messages from other processes can arrive. Always true here, because there are no other processes."""
        return True

    async def start(self, follower: Follower) -> None:
        """Start listening to other processes. A no-op here, because there are none."""

    async def close(self) -> None:
        """Stop listening."""

    async def broadcast(self, topic: str, message: Message) -> None:
        """Send a message to all watchers of a topic. Never fails; unreachable watchers are disconnected."""
        if topic in self._watchers:
            self.deliver(topic, message.model_dump_json())

    def broadcast_update(self, game: str, update: Update, reply: Reply | None = None) -> None:
        """Send an update to the watchers in this process. The sender also gets the id of its command.

        Other processes learn of the change from the database.
        """
        watchers = list(self._watchers.get(game, ()))
        if not watchers:
            return
        encoded = update.model_dump_json()
        message = EncodedMessage(encode_update(encoded))
        for watcher in watchers:
            if reply and watcher is reply.to:
                watcher.put(EncodedMessage(encode_update(encoded, reply.command)))
            else:
                watcher.put(message)

    def deliver(self, topic: str, text: str) -> None:
        """Send JSON text to the watchers in this process."""
        message = EncodedMessage(text)
        for watcher in list(self._watchers.get(topic, ())):
            watcher.put(message)

    def subscribe(self, topic: str, *, internal: bool = False) -> Subscription:
        """Subscribe to everything sent from now on. An ``internal`` subscription does not count as a watcher."""
        subscription = Subscription(self, topic, internal=internal)
        self._watchers[topic][subscription] = None
        return subscription

    def is_watched(self, topic: str) -> bool:
        """Whether a topic has watchers in this process."""
        return topic in self._watchers

    def disconnect(self, topic: str) -> None:
        """Disconnect all watchers of a topic in this process."""
        for watcher in list(self._watchers.get(topic, ())):
            watcher.cut()

    def disconnect_all(self) -> None:
        """Disconnect all watchers in this process."""
        for topic in list(self._watchers):
            self.disconnect(topic)

    def remove(self, topic: str, subscription: Subscription) -> None:
        """Remove a watcher. Idempotent."""
        watchers = self._watchers.get(topic)
        if watchers is not None:
            watchers.pop(subscription, None)
            if not watchers:
                del self._watchers[topic]

    @property
    def watchers(self) -> int:
        """How many watchers there are."""
        return sum(not each.internal for watchers in self._watchers.values() for each in watchers)

    @property
    def queued(self) -> int:
        """How many messages are waiting for slow watchers."""
        return sum(watcher.waiting for watchers in self._watchers.values() for watcher in watchers)
