"""Where games are kept: the interface, and what goes through it.

A game is a head, which never changes, and a log of events, which only grows. Its *standing* says where that log leads,
so that lists need not replay anything; it is written together with the events and could be made anew from them.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Sequence
from typing import Literal, Protocol

from cairn.server.events import Event
from cairn.server.models import DeciderName, GameKind, Seats, TribeName, VariantName
from cairn.server.online_storage import Online, RatedResult


class StorageError(Exception):
    """Nothing was stored, and nothing that was stored before is lost. The text is a sentence for people."""


class StorageFullError(StorageError):
    """There is no room left."""


class ConnectionLostError(StorageError):
    """The database is away, or too busy. Nothing was stored; the next attempt may work."""


class OutcomeUnknownError(StorageError):
    """The database went away while it stored something, and whether it did is not known."""

    def __init__(self) -> None:
        super().__init__("The database went away. Whether the last change was stored is seen when it is back.")


class RevisionTakenError(Exception):
    """Somebody else continued the game first."""


@dataclasses.dataclass(frozen=True, slots=True)
class Head:
    """What a game is from its creation on."""

    id: str
    created: datetime.datetime
    variant: VariantName | None
    start: str
    """The position that it began with."""
    seats: Seats
    seed: bytes = dataclasses.field(repr=False)
    """The secret that tiles are drawn by. It leaves the server in no message before the end."""
    owner: str | None = None
    """The player who began a local game, if known."""
    online: Online | None = None
    """What a game between players elsewhere has beside."""


@dataclasses.dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands after all its events."""

    revision: int
    """How many events there are."""
    changed: datetime.datetime
    turns: int
    position: str
    decider: DeciderName | None
    winner: TribeName | None
    reason: str | None
    """Why it ended; ``None`` while it goes on."""
    waits_for_computer: bool
    deadline: int | None = None
    """When somebody's time is up, in milliseconds; ``None`` while nobody's runs."""
    result: RatedResult | None = dataclasses.field(default=None, compare=False)
    """What is to be rated, in the same transaction: only of the events that end a rated game."""


@dataclasses.dataclass(frozen=True, slots=True)
class StoredGame:
    """A whole game."""

    head: Head
    events: tuple[Event, ...]
    """In order: the first one has revision 1."""
    changed: datetime.datetime
    deleted: bool
    times: tuple[datetime.datetime, ...] = ()
    """When each event was."""


@dataclasses.dataclass(frozen=True, slots=True)
class LogPart:
    """The end of a log."""

    events: tuple[Event, ...]
    times: tuple[datetime.datetime, ...]
    """When each of them was stored."""


@dataclasses.dataclass(frozen=True, slots=True)
class GameQuery:
    """Which games to list."""

    search: str = ""
    """Words that all occur in names, levels and variant. ``a|b`` is either of them; ``level:3`` is exactly that level,
    and ``unnamed:sea`` a person without a name who plays Sea."""
    variant: VariantName | None = None
    state: Literal["running", "finished"] | None = None
    offset: int = 0
    limit: int = 50
    player: str | None = None
    """Who asks: of online games, and of local ones with ``own``, only theirs are listed."""
    own: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list: everything but its log and its secret."""

    id: str
    created: datetime.datetime
    variant: VariantName | None
    seats: Seats
    standing: Standing
    kind: GameKind = "local"
    rated: bool = False
    you: tuple[TribeName, ...] = ()
    """The tribes of an online game that whoever asked plays."""


class Storage(Protocol):
    """Keeps games. Whatever a method has returned from is safe from a crash; what it raised from did not happen.

    Every method may raise :class:`StorageError`.
    """

    async def create(self, head: Head, events: Sequence[Event], standing: Standing) -> None:
        """Keep a new game."""

    async def append(self, game: str, revision: int, events: Sequence[Event], standing: Standing) -> None:
        """Continue a log: the first of ``events`` gets that ``revision``, the others those after it.

        :class:`RevisionTakenError` if the log has that revision already, or does not reach up to it.
        """

    @property
    def shared(self) -> bool:
        """Whether other processes may write to it, too."""

    async def revisions(self, games: Collection[str]) -> dict[str, int]:
        """The last revision of each of these games that exists and is not deleted."""

    async def load_after(self, game: str, revision: int) -> LogPart:
        """What a log has after that revision."""

    async def load(self, game: str) -> StoredGame | None:
        """The game with that id, also a deleted one."""

    async def set_deleted(self, game: str, deleted: bool) -> bool:
        """Hide a game from lists, or show it again; its log stays. False if there is no such game."""

    async def list_games(self, query: GameQuery) -> tuple[list[ListedGame], int]:
        """The games that match, the last changed first, and how many there are on all pages."""

    async def waiting_for_computer(self, before: datetime.datetime | None = None) -> list[str]:
        """The ids of all games in which the computer is to decide, and was already at that time."""

    async def close(self) -> None:
        """Give back what is held."""
