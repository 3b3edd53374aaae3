"""Tracks who is at which table, in any process, and loads the players."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import AsyncIterator, Callable, Collection
from typing import Final

from cairn.server.errors import StorageError
from cairn.server.game.state import GameState
from cairn.server.live.presence import Presence
from cairn.server.messages.sockets import PresenceMessage
from cairn.server.storage.presence import PresenceRepository
from cairn.server.transport.hub import Hub
from cairn.vocabulary import FOREST, SEA, Tribe


class Attendance:
    """Presence at the tables: the sockets of this process, and the presence that other processes have stored."""

    def __init__(self, storage: PresenceRepository, hub: Hub, now: Callable[[], datetime.datetime]) -> None:
        self._storage: Final = storage
        self._hub: Final = hub
        self._now: Final = now
        self.presence: Final = Presence(now)
        """The sockets of this process."""

    @contextlib.asynccontextmanager
    async def present_at(self, game: str, tribes: Collection[Tribe], *, announced: bool) -> AsyncIterator[None]:
        """Be present for these tribes, or as a watcher, while a socket is open. ``announced`` broadcasts changes."""
        if self.presence.enter(game, tribes) and announced:
            await self._announce(game)
        try:
            yield
        finally:
            if self.presence.leave(game, tribes) and announced:
                await self._announce(game)

    async def present(self, state: GameState) -> list[Tribe]:
        """The tribes of an online game whose players are at the table."""
        return await self._present(state.header.id) if state.header.online else []

    async def away_since(self, game: str, tribe: Tribe) -> datetime.datetime | None:
        """The time since which a player has been away from the table in all processes; ``None`` if present."""
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
            return here  # presence is only for display, so it is not worth a failure

    async def _announce(self, game: str) -> None:
        present = await self._present(game)
        watchers = self.presence.watchers(game) if self._hub.alone else None
        message = PresenceMessage(forest=FOREST in present, sea=SEA in present, watchers=watchers)
        await self._hub.broadcast(game, message)
