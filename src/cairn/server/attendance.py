"""Who sits at the tables: names and ratings of the players, and whether they are there, in whichever process."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import AsyncIterator, Callable, Collection
from typing import Final

from cairn.server.live import LiveGame
from cairn.server.online_models import PresenceMessage
from cairn.server.online_presence import Presence
from cairn.server.online_storage import OnlineStorage
from cairn.server.storage import StorageError
from cairn.server.transport import Transport
from cairn.vocabulary import FOREST, SEA, Tribe


class Attendance:
    """Knows who is there. Without a storage for online games, only by the sockets of this process."""

    def __init__(
        self, online: OnlineStorage | None, transport: Transport, now: Callable[[], datetime.datetime]
    ) -> None:
        self._online: Final = online
        self._transport: Final = transport
        self._now: Final = now
        self.presence: Final = Presence(now)
        """The sockets of this process."""

    @contextlib.asynccontextmanager
    async def sitting(self, game: str, tribes: Collection[Tribe], *, told: bool) -> AsyncIterator[None]:
        """Somebody has a socket: they are there for these tribes, or watch. Others are ``told``."""
        if self.presence.enter(game, tribes) and told:
            await self._tell(game)
        try:
            yield
        finally:
            if self.presence.leave(game, tribes) and told:
                await self._tell(game)

    async def present(self, live: LiveGame) -> list[Tribe]:
        """The tribes of an online game whose players are at the table."""
        return await self._present(live.head.id) if live.head.online else []

    async def away_since(self, game: str, tribe: Tribe) -> datetime.datetime | None:
        """Since when a player is at the table in no process; ``None`` while they are."""
        away = self.presence.away_since(game, tribe)
        seen = await self._online.last_seen(game, tribe) if away and self._online else None
        return max(away, seen) if away and seen else away

    async def look_up(self, live: LiveGame) -> None:
        """Find out who plays an online game, and how strong they are now."""
        if live.head.online and self._online:
            live.people = await self._online.people(live.head.online, self._now())

    async def _present(self, game: str) -> list[Tribe]:
        here = self.presence.present(game)
        if self._online is None:
            return here
        try:
            return [*here, *await self._online.present(game, self.presence.process, self._now())]
        except StorageError:
            return here  # it is only shown

    async def _tell(self, game: str) -> None:
        there = await self._present(game)
        watchers = self.presence.watchers(game) if self._transport.alone else None
        message = PresenceMessage(forest=FOREST in there, sea=SEA in there, watchers=watchers)
        await self._transport.tell(game, message)
