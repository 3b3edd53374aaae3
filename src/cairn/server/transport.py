"""How whoever watches a game hears of it: the interface, and the hub for watchers in this process."""

from __future__ import annotations

import asyncio
import collections
import json
from collections.abc import AsyncIterator
from typing import Final, NamedTuple, Protocol

from cairn.server.frames import Write, framed
from cairn.server.models import Message, UpdateMessage

LONGEST_QUEUE: Final = 256
"""A watcher that is so many messages behind is cut off, and may come back for the whole game."""
_UNANSWERED: Final = '"done":null}'


class Subscription(Protocol):
    """What one watcher hears of one game."""

    def __aiter__(self) -> AsyncIterator[str]:
        """Messages as JSON text, until the watcher is cut off."""

    def write_by(self, write: Write) -> None:
        """There is a shorter way to the watcher, for whatever need not wait."""

    def close(self) -> None:
        """Hear no more."""


class Answer(NamedTuple):
    """An update, which is told to everybody, answers a command of one of them."""

    to: Subscription
    command: str
    """Its id."""


class Transport(Protocol):
    """Tells watchers."""

    @property
    def alone(self) -> bool:
        """Whether everybody who watches does so through this process."""

    async def tell(self, game: str, message: Message) -> None:
        """Tell everybody who watches the game. It never fails: who cannot be told is cut off."""

    def tell_update(self, game: str, update: UpdateMessage, answer: Answer | None = None) -> None:
        """Tell everybody who watches the game through this process; others hear of it by what was stored."""

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


class Told:
    """A message that is JSON already, for many."""

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self._frame: bytes | None = None

    @property
    def frame(self) -> bytes:
        """As it goes over the wire; made once."""
        if self._frame is None:
            self._frame = framed(self.text)
        return self._frame


class HubSubscription:
    """What waits between the hub and one watcher: a queue with one reader, which costs less than asyncio's."""

    def __init__(self, hub: Hub, game: str) -> None:
        self._hub: Final = hub
        self._game: Final = game
        self._messages: Final[collections.deque[str]] = collections.deque()
        self._is_cut = False
        self._reader: asyncio.Future[None] | None = None
        """Waits for the next message."""
        self._write: Write | None = None

    async def __aiter__(self) -> AsyncIterator[str]:
        """Messages until the watcher is cut off."""
        while True:
            while self._messages:
                yield self._messages.popleft()
            if self._is_cut:
                return
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader

    def write_by(self, write: Write) -> None:
        """There is a shorter way to the watcher, for whatever need not wait."""
        self._write = write

    def close(self) -> None:
        """Hear no more."""
        self._hub.remove(self._game, self)

    @property
    def waiting(self) -> int:
        """How many messages wait."""
        return len(self._messages)

    def put(self, told: Told) -> None:
        """Let the watcher hear a message at once or after others, or cut off one that does not keep up."""
        if self._write and self._is_heard and self._write(told.frame):
            return
        if len(self._messages) < LONGEST_QUEUE:
            self._messages.append(told.text)
            self._wake()
        else:
            self.cut()

    def cut(self) -> None:
        """Let the watcher hear what is queued, and then no more."""
        self.close()
        self._is_cut = True
        self._wake()

    @property
    def _is_heard(self) -> bool:
        """Whether everything before has been sent, and the next is waited for."""
        return not self._messages and self._reader is not None and not self._reader.done()

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
        """Tell everybody who watches the game."""
        if game in self._watchers:
            self.pass_on(game, message.model_dump_json())

    def tell_update(self, game: str, update: UpdateMessage, answer: Answer | None = None) -> None:
        """Tell everybody who watches the game; one of them with an answer."""
        watchers = list(self._watchers.get(game, ()))
        if not watchers:
            return
        told = Told(update.model_dump_json())
        for watcher in watchers:
            watcher.put(Told(_answering(told.text, answer.command)) if answer and watcher is answer.to else told)

    def pass_on(self, game: str, text: str) -> None:
        """Tell everybody who watches the game what is JSON already."""
        told = Told(text)
        for watcher in list(self._watchers.get(game, ())):
            watcher.put(told)

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


def _answering(update: str, command: str) -> str:
    """An update that is JSON already, as the answer to a command: its last field says to which.

    >>> _answering('{"type":"update","update":{},"done":null}', "7")
    '{"type":"update","update":{},"done":"7"}'
    """
    return f'{update.removesuffix(_UNANSWERED)}"done":{json.dumps(command)}}}'
