"""The games in memory: an LRU cache with one slot and one lock per game.

Nothing is loaded or stored here. The log is authoritative, so a state that may differ from it is dropped.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
from collections.abc import AsyncIterator, Callable
from typing import Final

from cairn.server.game.state import GameState


@dataclasses.dataclass(eq=False, slots=True)
class Slot:
    """The cache entry for one game."""

    game: str
    lock: asyncio.Lock = dataclasses.field(default_factory=asyncio.Lock)
    state: GameState | None = None
    """``None`` until the game is loaded, and after it has been dropped."""
    users: int = 0
    """How many tasks hold or wait for the lock."""


class GameCache:
    """The slots of all games that are or were recently in use."""

    def __init__(self, most: int, is_watched: Callable[[str], bool], *, keep_watched: bool) -> None:
        self._most: Final = most
        self._is_watched: Final = is_watched
        self._keep_watched: Final = keep_watched
        """Whether to keep watched games in memory, because other processes may continue them."""
        self._slots: Final[collections.OrderedDict[str, Slot]] = collections.OrderedDict()
        self._behind: Final[dict[str, int]] = {}
        """The last revision that the watchers received, for each game that was dropped while it was being watched."""

    def __len__(self) -> int:
        return len(self._slots)

    def games(self) -> list[str]:
        """The games that have a slot or watchers who are behind."""
        return [*dict.fromkeys([*self._slots, *self._behind])]  # the order of a set would differ between runs

    @contextlib.asynccontextmanager
    async def lock(self, game: str) -> AsyncIterator[Slot]:
        """Lock a game's slot during the block."""
        slot = await self.acquire(game)
        try:
            yield slot
        finally:
            self.release(slot)

    async def acquire(self, game: str) -> Slot:
        """Lock a game's slot. The caller must release it."""
        slot = self._slots.get(game) or self._slots.setdefault(game, Slot(game))
        self._slots.move_to_end(game)
        slot.users += 1
        try:
            await slot.lock.acquire()
        except BaseException:
            slot.users -= 1
            self._evict(slot.game)
            raise
        return slot

    def release(self, slot: Slot) -> None:
        """Unlock a slot. Evict it if it is no longer needed, and evict others if there are too many."""
        slot.lock.release()
        slot.users -= 1
        state = slot.state
        is_running = state is not None and not state.game.is_over and slot.game not in self._behind
        if not is_running or len(self._slots) > self._most:
            self._evict(slot.game)

    def drop(self, slot: Slot) -> None:
        """Drop a state that may be ahead of the log. Watchers are updated when the game is loaded again."""
        if slot.state is not None:
            self.mark_watchers_behind(slot.game, slot.state.revision)
        slot.state = None

    def mark_watchers_behind(self, game: str, revision: int) -> None:
        """Record that the watchers of a game have received nothing after this revision."""
        if self._is_watched(game):
            self._behind.setdefault(game, revision)

    def watchers_are_behind(self, game: str) -> bool:
        """Whether the watchers of a game have missed something."""
        return game in self._behind

    def take_watchers_revision(self, game: str) -> int | None:
        """Take the last revision that the watchers received, if they are behind, and count them as up to date."""
        return self._behind.pop(game, None)

    def forget_if_unused(self, game: str) -> None:
        """Evict a game that is over and not watched."""
        if not self._is_watched(game):
            self._behind.pop(game, None)
        slot = self._slots.get(game)
        if slot is None or slot.users:
            return
        if slot.state is None or (slot.state.game.is_over and not self._is_watched(game)):
            del self._slots[game]

    def _evict(self, game: str) -> None:
        """Evict a game if it is over and not watched. Evict other games if there are too many."""
        self.forget_if_unused(game)
        surplus = len(self._slots) - self._most
        if surplus > 0:
            unused = [slot.game for slot in self._slots.values() if self._can_evict(slot)]
            for each in unused[:surplus]:
                del self._slots[each]

    def _can_evict(self, slot: Slot) -> bool:
        return not slot.users and not (self._keep_watched and self._is_watched(slot.game))
