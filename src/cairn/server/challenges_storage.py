"""Where challenges are kept: the interface, and what goes through it."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Literal, Protocol, TypeAlias

from cairn.server.clocks import TimeControl
from cairn.server.models import SeatPlayer, TribeName, VariantName

ChallengeState: TypeAlias = Literal["open", "accepted", "withdrawn"]


@dataclasses.dataclass(frozen=True, slots=True)
class Challenge:
    """An offer to play."""

    id: str
    """The game will have the same."""
    created: datetime.datetime
    creator: str
    invite_hash: str = dataclasses.field(repr=False)
    seat_hash: str = dataclasses.field(repr=False)
    open: bool
    variant: VariantName
    tribe: TribeName | None
    first: TribeName | None
    control: TimeControl
    rated: bool
    seed: bytes = dataclasses.field(repr=False)
    commitment: bytes
    number: bytes | None = None
    """What the creator adds to the draws."""
    level: int | None = None
    opponent: str | None = None
    """The only player who may accept."""
    rematch_of: str | None = None
    state: ChallengeState = "open"
    game: str | None = None


class ChallengeStorage(Protocol):
    """Keeps challenges. Every method may raise :class:`~cairn.server.storage.StorageError`."""

    async def add(self, challenge: Challenge) -> None:
        """Keep a new one."""

    async def find(self, name: str, invite_hash: str) -> Challenge | None:
        """The challenge with that id, or with that invitation."""

    async def set_number(self, challenge: str, number: bytes) -> bool:
        """Keep the creator's number. False if there is one already, or the challenge is no longer open."""

    async def withdraw(self, challenge: str) -> bool:
        """End an open challenge. False if it is no longer open."""

    async def lobby(self, since: datetime.datetime, limit: int) -> list[Challenge]:
        """The challenges that everybody can accept, the newest first."""

    async def rematch_of(self, game: str) -> list[Challenge]:
        """The open challenges to play again after a game."""

    async def count_open(self, creator: str) -> int:
        """How many open challenges a player has."""

    async def players(self, ids: set[str], at: datetime.datetime) -> dict[str, SeatPlayer]:
        """Who these players are."""

    async def accounts_behind(self, ids: set[str]) -> dict[str, str | None]:
        """The account that answers for each player: a bot's owner, an account and a level itself, nobody for guests."""
