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

    async def tell(self, game: str, message: Message) -> None:
        """Tell everybody who watches the game. It never fails: who cannot be told is cut off."""

    def subscribe(self, game: str) -> Subscription:
        """Hear whatever is told from now on."""

    def end(self, game: str) -> None:
        """Cut off everybody who watches the game."""


class HubSubscription:
    """A queue between the hub and one watcher."""

    def __init__(self, hub: Hub, game: str) -> None:
        self._hub: Final = hub
        self._game: Final = game
        self._queue: Final[asyncio.Queue[str | None]] = asyncio.Queue()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Messages until the watcher is cut off."""
        while (message := await self._queue.get()) is not None:
            yield message

    def close(self) -> None:
        """Hear no more."""
        self._hub.remove(self._game, self)

    def put(self, message: str) -> None:
        """Queue a message, or cut off a watcher that does not keep up."""
        if self._queue.qsize() < LONGEST_QUEUE:
            self._queue.put_nowait(message)
        else:
            self.cut()

    def cut(self) -> None:
        """Let the watcher hear what is queued, and then no more."""
        self.close()
        self._queue.put_nowait(None)


class Hub:
    """Tells watchers in this process."""

    def __init__(self) -> None:
        self._watchers: Final[dict[str, set[HubSubscription]]] = collections.defaultdict(set)

    async def tell(self, game: str, message: Message) -> None:
        """Queue the message for everybody who watches the game."""
        if watchers := self._watchers.get(game):
            text = message.model_dump_json()
            for watcher in list(watchers):
                watcher.put(text)

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
