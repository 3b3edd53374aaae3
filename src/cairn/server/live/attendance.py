"""Track who is at which table, across all processes, and load the players."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from collections.abc import AsyncIterator, Callable, Collection
from typing import Final

from cairn.server.errors import StorageError
from cairn.server.game.state import GameState
from cairn.server.live.presence import Presence
from cairn.server.messages.sockets import PresenceMessage
from cairn.server.storage.presence import PresenceRepository
from cairn.server.tasks import cancel_and_wait
from cairn.server.transport.hub import Hub
from cairn.vocabulary import FOREST, SEA, Tribe

PAUSE_SECONDS: Final = 0.5
"""The minimum time between presence messages for a table."""
SECONDS_PER_WATCHER: Final = 0.01
"""If only the number of watchers changes, the minimum time between messages grows by this much per watcher."""


class Attendance:
    """Presence at the tables: the sockets of this process, and the presence stored by other processes.

    Changes are announced to the table. Changes in quick succession are coalesced into one message.
    """

    def __init__(self, storage: PresenceRepository, hub: Hub, now: Callable[[], datetime.datetime]) -> None:
        self._storage: Final = storage
        self._hub: Final = hub
        self._now: Final = now
        self.presence: Final = Presence(now)
        """The sockets of this process."""
        self._changed: Final[set[str]] = set()
        """The games in which presence has changed since it was last announced."""
        self._arrived: Final[set[str]] = set()
        """The games with new arrivals who have not been sent the number of watchers yet."""
        self._announcing: Final[dict[str, asyncio.Task[None]]] = {}

    async def close(self) -> None:
        """Stop announcing changes."""
        await cancel_and_wait(self._announcing.values())

    @contextlib.asynccontextmanager
    async def present_at(self, game: str, tribes: Collection[Tribe], *, announced: bool) -> AsyncIterator[None]:
        """During the block, count a socket as present for these tribes, or as a watcher if there are none.

        With ``announced``, changes are broadcast.
        """
        if self.presence.enter(game, tribes) and announced:
            self._arrived.add(game)
            self._announce(game)
        try:
            yield
        finally:
            if self.presence.leave(game, tribes) and announced:
                self._announce(game)

    async def present(self, state: GameState) -> list[Tribe]:
        """The tribes of an online game whose players are at the table."""
        return await self._present(state.header.id) if state.header.online else []

    async def away_since(self, game: str, tribe: Tribe) -> datetime.datetime | None:
        """When the player's last connection in any process left the table; ``None`` if the player is present."""
        away = self.presence.away_since(game, tribe)
        seen = await self._storage.last_seen(game, tribe) if away else None
        return max(away, seen) if away and seen else away

    async def load_players(self, state: GameState) -> None:
        """Load the players of an online game with their current ratings."""
        if state.header.online:
            state.players = await self._storage.seat_players(state.header.online, self._now())

    async def _present(self, game: str) -> list[Tribe]:
        here = self.presence.present(game)
        try:
            return [*here, *await self._storage.present(game, self.presence.process, self._now())]
        except StorageError:
            return here  # presence is only for display, so the request must still succeed

    def _announce(self, game: str) -> None:
        self._changed.add(game)
        if game not in self._announcing:
            self._announcing[game] = asyncio.create_task(self._announce_changes(game), name=f"presence at {game}")

    async def _announce_changes(self, game: str) -> None:
        """Announce changes until there have been none for a while."""
        last, announced_at, clock = None, 0.0, asyncio.get_running_loop().time
        try:
            while game in self._changed:
                self._changed.discard(game)
                message = await self._message(game)
                only_watchers = last is not None and (message.forest, message.sea) == (last.forest, last.sea)
                if only_watchers and clock() - announced_at < SECONDS_PER_WATCHER * (message.watchers or 0):
                    self._changed.add(game)
                elif message != last or (game in self._arrived and message.watchers is not None):
                    self._arrived.discard(game)
                    await self._hub.broadcast(game, message)
                    last, announced_at = message, clock()
                await asyncio.sleep(PAUSE_SECONDS)
        finally:
            self._arrived.discard(game)
            del self._announcing[game]  # not in a done callback: changes made before it runs would be lost

    async def _message(self, game: str) -> PresenceMessage:
        present = await self._present(game)
        watchers = self.presence.watchers(game) if self._hub.alone else None
        return PresenceMessage(forest=FOREST in present, sea=SEA in present, watchers=watchers)
