"""What an online game has beside what every game has: players, clocks, a proof of its draws."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol

from cairn.server.clocks import TimeControl
from cairn.server.models import GameKind as GameKind
from cairn.server.models import SeatPlayer, TribeName
from cairn.vocabulary import Tribe

SHORTEST_DOWNTIME: Final = datetime.timedelta(seconds=1)
"""Heartbeats come four times a second; a longer silence means that nobody was there."""


class ChallengeGoneError(Exception):
    """The challenge that a game was to come from was accepted or withdrawn meanwhile. The game was not created."""


@dataclasses.dataclass(frozen=True, slots=True)
class OnlineSeat:
    """Who holds a seat: the player, and whoever has its token."""

    player: str
    """The id of a player; that of a level for a computer's seat."""
    token_hash: str | None = dataclasses.field(default=None, repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Online:
    """The part of a head that only online games have."""

    control: TimeControl
    rated: bool
    commitment: bytes
    forest_number: bytes
    sea_number: bytes
    first: TribeName | None
    """Who begins, where that was chosen."""
    seats: Mapping[TribeName, OnlineSeat]
    tossed: TribeName | None = None
    """The tribe that the toss gave to whoever made the challenge; ``None`` where the tribes were chosen."""
    challenge: str | None = dataclasses.field(default=None, compare=False)
    """The challenge that it comes from, which is accepted with the creation; not kept."""


@dataclasses.dataclass(frozen=True, slots=True)
class RatedResult:
    """The end of a rated game."""

    game: str
    variant: str
    forest: str
    """The player who had that tribe."""
    sea: str
    score: float
    """Forest's: 1, 0.5 or 0."""


class OnlineStorage(Protocol):
    """Keeps what online games need beside their logs.

    Every method may raise :class:`~cairn.server.storage.StorageError`.
    """

    async def people(self, online: Online, at: datetime.datetime) -> dict[TribeName, SeatPlayer]:
        """The players of a game, with the ratings that they have now."""

    async def deadlines(self, before: int | None = None) -> list[tuple[str, int]]:
        """The running games in which somebody's time runs, and when it is up, in milliseconds."""

    async def begin(self, process: str, at: datetime.datetime) -> list[tuple[datetime.datetime, datetime.datetime]]:
        """A process of the server begins. All times in which none was alive, this one's beginning included."""

    async def beat(
        self,
        process: str,
        at: datetime.datetime,
        noted: Mapping[tuple[str, Tribe], datetime.datetime | None] = MappingProxyType({}),
    ) -> list[tuple[datetime.datetime, datetime.datetime]]:
        """A process is alive. In it players came to tables, or left them at those times.

        If its last beat is long ago, and other processes may have been away, too: all times in which none was alive.
        """

    async def present(self, game: str, besides: str, at: datetime.datetime) -> list[Tribe]:
        """The tribes whose players are at a table by sockets of other processes than that one."""

    async def last_seen(self, game: str, tribe: Tribe) -> datetime.datetime | None:
        """When a player was last at the table, in whichever process; ``None`` if nobody noted it."""
