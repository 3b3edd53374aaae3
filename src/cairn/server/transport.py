"""How whoever watches a game hears of it: the interface, and the hub for watchers in this process."""

from __future__ import annotations

import asyncio
import collections
from collections.abc import AsyncIterator
from typing import Final, Protocol

from cairn.server.models import Message

LONGEST_QUEUE: Final = 256
"""A watcher that is so many messages behind is cut off, and may come back for the whole game."""


class Subscription(Protocol):
    """What one watcher hears of one game."""

    def __aiter__(self) -> AsyncIterator[str]:
        """Messages as JSON text, until the watcher is cut off."""

    def close(self) -> None:
        """Hear no more."""


class Transport(Protocol):
    """Tells watchers."""

    @property
    def alone(self) -> bool:
        """Whether everybody who watches does so through this process."""

    async def tell(self, game: str, message: Message) -> None:
        """Tell everybody who watches the game. It never fails: who cannot be told is cut off."""

    def subscribe(self, game: str) -> Subscription:
        """Hear whatever is told from now on."""

    def end(self, game: str) -> None:
        """Cut off everybody who watches the game."""

    def watched(self, game: str) -> bool:
        """Whether anybody watches the game through this process."""


class Follower(Protocol):
    """Whoever has games in memory that other processes may continue."""

    async def catch_up(self, game: str, revision: int) -> None:
        """Another process continued a game up to that revision."""

    async def forget(self, game: str) -> None:
        """Another process deleted or restored a game."""

    async def catch_up_all(self) -> None:
        """Anything may have happened to any game."""


class HubSubscription:
    """What waits between the hub and one watcher: a queue with one reader, which costs less than asyncio's."""

    def __init__(self, hub: Hub, game: str) -> None:
        self._hub: Final = hub
        self._game: Final = game
        self._messages: Final[collections.deque[str]] = collections.deque()
        self._is_cut = False
        self._reader: asyncio.Future[None] | None = None
        """Waits for the next message."""

    async def __aiter__(self) -> AsyncIterator[str]:
        """Messages until the watcher is cut off."""
        while True:
            while self._messages:
                yield self._messages.popleft()
            if self._is_cut:
                return
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader

    def close(self) -> None:
        """Hear no more."""
        self._hub.remove(self._game, self)

    @property
    def waiting(self) -> int:
        """How many messages wait."""
        return len(self._messages)

    def put(self, message: str) -> None:
        """Queue a message, or cut off a watcher that does not keep up."""
        if len(self._messages) < LONGEST_QUEUE:
            self._messages.append(message)
            self._wake()
        else:
            self.cut()

    def cut(self) -> None:
        """Let the watcher hear what is queued, and then no more."""
        self.close()
        self._is_cut = True
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)


class Hub:
    """Tells watchers in this process."""

    def __init__(self) -> None:
        self._watchers: Final[dict[str, set[HubSubscription]]] = collections.defaultdict(set)

    @property
    def alone(self) -> bool:
        """Whether everybody who watches does so through this process."""
        return True

    async def start(self, follower: Follower) -> None:
        """Nobody else continues games."""

    async def close(self) -> None:
        """There is nothing to close."""

    async def tell(self, game: str, message: Message) -> None:
        """Queue the message for everybody who watches the game."""
        if game in self._watchers:
            self.pass_on(game, message.model_dump_json())

    def pass_on(self, game: str, text: str) -> None:
        """Queue a message that is JSON already."""
        for watcher in list(self._watchers.get(game, ())):
            watcher.put(text)

    def watched(self, game: str) -> bool:
        """Whether anybody here watches the game."""
        return game in self._watchers

    @property
    def sockets(self) -> int:
        """How many watch."""
        return sum(len(watchers) for watchers in self._watchers.values())

    @property
    def queued(self) -> int:
        """How many messages wait for slow watchers."""
        return sum(watcher.waiting for watchers in self._watchers.values() for watcher in watchers)

    @property
    def listening(self) -> bool:
        """Whether what other processes tell is heard; here nobody else tells anything."""
        return True

    def subscribe(self, game: str) -> HubSubscription:
        """Hear whatever is told from now on."""
        subscription = HubSubscription(self, game)
        self._watchers[game].add(subscription)
        return subscription

    def end(self, game: str) -> None:
        """Cut off everybody who watches the game."""
        for watcher in list(self._watchers.get(game, ())):
            watcher.cut()

    def remove(self, game: str, subscription: HubSubscription) -> None:
        """Forget a watcher; it may be forgotten already."""
        watchers = self._watchers.get(game)
        if watchers is not None:
            watchers.discard(subscription)
            if not watchers:
                del self._watchers[game]
