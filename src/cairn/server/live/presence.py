"""Track who is at which table through the sockets and requests of this process."""

from __future__ import annotations

import collections
import datetime
import secrets
from collections.abc import Callable, Collection
from typing import Final

from cairn.vocabulary import TRIBES, Tribe

MOST_REMEMBERED: Final = 10_000
"""How many departures are remembered."""


class Presence:
    """Counts the sockets per seat. A player whom this process has never seen counts as away since the process began."""

    def __init__(self, now: Callable[[], datetime.datetime]) -> None:
        self._now: Final = now
        self.process: Final = secrets.token_hex(8)
        """A name that identifies this process among those that share a database."""
        self._began: Final = now()
        self._sockets: Final[collections.Counter[tuple[str, Tribe | None]]] = collections.Counter()
        self._left: Final[collections.OrderedDict[tuple[str, Tribe], datetime.datetime]] = collections.OrderedDict()
        self._changes: dict[tuple[str, Tribe], datetime.datetime | None] = {}

    def enter(self, game: str, tribes: Collection[Tribe]) -> bool:
        """Count a socket for these tribes, or for a watcher if there are none. Returns whether presence changed."""
        changed = False
        for place in _places(tribes):
            self._sockets[game, place] += 1
            changed |= place is None or self._sockets[game, place] == 1
            if place is not None:
                self._changes[game, place] = None
        return changed

    def leave(self, game: str, tribes: Collection[Tribe]) -> bool:
        """Stop counting a socket that has closed. Returns whether presence changed."""
        changed = False
        for place in _places(tribes):
            self._sockets[game, place] -= 1
            gone = self._sockets[game, place] <= 0
            if gone:
                del self._sockets[game, place]
            changed |= place is None or gone
            if place is not None and gone:
                self._remember_departure(game, place)
        return changed

    def seen(self, game: str, tribe: Tribe) -> None:
        """Record a request by a player. A player without a socket counts as away only since the last request."""
        if self._sockets[game, tribe] == 0:
            self._remember_departure(game, tribe)

    def _remember_departure(self, game: str, tribe: Tribe) -> None:
        self._left[game, tribe] = self._changes[game, tribe] = self._now()
        self._left.move_to_end((game, tribe))
        if len(self._left) > MOST_REMEMBERED:
            self._left.popitem(last=False)

    def take_changes(self) -> dict[tuple[str, Tribe], datetime.datetime | None]:
        """Take the arrivals since the last call, and the departures with their times."""
        changes, self._changes = self._changes, {}
        return changes

    def present(self, game: str) -> list[Tribe]:
        """The tribes whose players are at the table."""
        return [tribe for tribe in TRIBES if self._sockets[game, tribe] > 0]

    def watchers(self, game: str) -> int:
        """How many sockets are watching without a seat."""
        return self._sockets[game, None]

    def away_since(self, game: str, tribe: Tribe) -> datetime.datetime | None:
        """When a player left the table; ``None`` if the player is present."""
        if self._sockets[game, tribe] > 0:
            return None
        return self._left.get((game, tribe), self._began)


def _places(tribes: Collection[Tribe]) -> list[Tribe | None]:
    places: list[Tribe | None] = [*tribes]
    return places or [None]
