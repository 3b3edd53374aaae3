"""The games in memory: loaded when somebody needs them, up to date with the log, forgotten when over or too many.

One at a time holds a game. What other processes stored is followed here, and told to whoever watches.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import datetime
from collections.abc import AsyncIterator, Callable
from typing import Final, Protocol

from cairn.server import decisions, views
from cairn.server.attendance import Attendance
from cairn.server.errors import Refusal
from cairn.server.live import LiveGame
from cairn.server.models import UpdateMessage
from cairn.server.storage import RevisionTakenError, Storage
from cairn.server.transport import Transport


@dataclasses.dataclass(eq=False, slots=True)
class Entry:
    """A game that somebody uses, or used not long ago."""

    lock: asyncio.Lock = dataclasses.field(default_factory=asyncio.Lock)
    live: LiveGame | None = None
    users: int = 0


class Watchful(Protocol):
    """Whoever has to know when a game comes into memory, or moves without their doing. The game is locked then."""

    def game_loaded(self, live: LiveGame) -> None:
        """A game was loaded."""

    async def game_stood(self, live: LiveGame) -> None:
        """Nothing has happened in a game since a downtime."""

    def game_followed(self, live: LiveGame) -> None:
        """Another process continued a game."""


class LiveGames:
    """Holds games. Whatever is not sure to be what the log says is forgotten: the log is what counts."""

    def __init__(
        self,
        storage: Storage,
        transport: Transport,
        attendance: Attendance,
        watchful: Watchful,
        *,
        most: int,
        now: Callable[[], datetime.datetime],
    ) -> None:
        self._storage: Final = storage
        self._transport: Final = transport
        self._attendance: Final = attendance
        self._watchful: Final = watchful
        self._most: Final = most
        self._now: Final = now
        self._entries: Final[collections.OrderedDict[str, Entry]] = collections.OrderedDict()
        self._behind: Final[dict[str, int]] = {}
        """Games that had to be forgotten while somebody watched, and up to which revision the watchers have heard."""
        self.last_downtime: datetime.datetime = datetime.datetime.min.replace(tzinfo=datetime.UTC)
        """When there was a server again, after there was none."""

    def __len__(self) -> int:
        return len(self._entries)

    def in_memory(self) -> list[str]:
        """The games that are here now."""
        return list(self._entries)

    def find(self, game: str) -> LiveGame | None:
        """A game, if it is in memory; to be looked at only."""
        entry = self._entries.get(game)
        return entry.live if entry else None

    def open(self, game: str, *, retry: bool = False, fresh: bool = False) -> Opened:
        """The game, while nobody else can change it.

        Whatever is raised but a refusal may leave the state in memory ahead of the log, so the state is then forgotten.
        Who wants to ``retry`` hears that somebody else continued it first. Who wants it ``fresh`` gets it with
        everything that other processes have stored.
        """
        return Opened(self, game, retry, fresh)

    @contextlib.asynccontextmanager
    async def place(self, game: str) -> AsyncIterator[Entry]:
        """The place of a game among those in memory, locked."""
        entry = await self.enter(game)
        try:
            yield entry
        finally:
            self.leave(game, entry)

    async def enter(self, game: str) -> Entry:
        """Lock the place of a game; :meth:`leave` has to follow."""
        entry = self._entries.get(game) or self._entries.setdefault(game, Entry())
        self._entries.move_to_end(game)
        entry.users += 1
        try:
            await entry.lock.acquire()
        except BaseException:
            self._left(game, entry)
            raise
        return entry

    def leave(self, game: str, entry: Entry) -> None:
        """Unlock it."""
        entry.lock.release()
        self._left(game, entry)

    async def bring_in(self, game: str, entry: Entry, *, fresh: bool) -> LiveGame:
        """The game of a locked place, from memory or from the log."""
        if fresh and entry.live is not None:
            await self._refresh(game, entry, entry.live)
        live = entry.live or await self._loaded(game, entry)
        if live.changed < self.last_downtime:
            try:
                await self._watchful.game_stood(live)
            except RevisionTakenError:  # another process has seen it, too, and was quicker
                self.drop(game, entry)
                live = await self._loaded(game, entry)
        return live

    def drop(self, game: str, entry: Entry) -> None:
        """Forget a state that may be ahead of the log. Watchers have heard as much as was stored before.

        Where they have not, :meth:`untold` comes first.
        """
        if entry.live is not None:
            self.untold(game, entry.live.revision)
        entry.live = None

    def untold(self, game: str, revision: int) -> None:
        """Those who watch have heard up to that revision only: they hear the rest when the game is loaded again."""
        if self._transport.watched(game):
            self._behind.setdefault(game, revision)

    def let_go(self, game: str) -> None:
        """Forget a game that nobody needs: it is over, and nobody watches."""
        if not self._transport.watched(game):
            self._behind.pop(game, None)
        entry = self._entries.get(game)
        if entry is None or entry.users:
            return
        if entry.live is None or (entry.live.game.outcome is not None and not self._transport.watched(game)):
            del self._entries[game]

    # --- What other processes do

    async def catch_up(self, game: str, revision: int) -> None:
        """Another process continued a game up to that revision: tell whoever watches it here."""
        async with self.place(game) as entry:
            if entry.live is None:
                if game in self._behind:
                    await self._loaded(game, entry)
                else:
                    self._transport.end(game)  # who watches comes back for the whole game
            elif entry.live.revision < revision:
                await self._follow(entry, entry.live)

    async def outdated(self) -> dict[str, int | None]:
        """The games in memory, with the last revisions that are stored; ``None`` for those that are no more."""
        games = {*self._entries, *self._behind}
        stored = await self._storage.revisions(games)
        return {game: stored.get(game) for game in games}

    async def _refresh(self, game: str, entry: Entry, live: LiveGame) -> None:
        """Bring a game in memory up to date, or forget it if it was deleted."""
        if self._storage.shared:
            revision = (await self._storage.revisions([game])).get(game)
            if revision is None:
                entry.live = None
            elif revision > live.revision:
                await self._follow(entry, live)

    async def _follow(self, entry: Entry, live: LiveGame) -> None:
        """Let happen what other processes have stored, and tell whoever watches; they wake the computer themselves."""
        game, base = live.head.id, live.revision
        try:
            part = await self._storage.load_after(game, base)
            kept = live.follow(part.events, part.times)
            if live.game.outcome is not None:
                await self._attendance.look_up(live)
            message = await self._update(live, base, kept)
        except BaseException:
            entry.live = None
            self._transport.end(game)
            raise
        self._watchful.game_followed(live)
        self._transport.tell_update(game, message)

    # --- Inside

    def _left(self, game: str, entry: Entry) -> None:
        entry.users -= 1
        self.let_go(game)
        self._forget_oldest()

    async def _loaded(self, game: str, entry: Entry) -> LiveGame:
        live = entry.live = await self._load(game)
        self._watchful.game_loaded(live)
        return live

    async def _load(self, game: str) -> LiveGame:
        stored = await self._storage.load(game)
        if stored is None:
            raise unknown_game()
        if stored.deleted:
            raise Refusal(404, "deleted-game", "This game was deleted. It can be restored.")
        live = await asyncio.to_thread(LiveGame.replay, stored)
        await self._attendance.look_up(live)
        base = self._behind.pop(game, live.revision)
        if base < live.revision:
            self._transport.tell_update(game, await self._update(live, base, 0))
        return live

    async def _update(self, live: LiveGame, base: int, kept: int) -> UpdateMessage:
        present = await self._attendance.present(live)
        return UpdateMessage(update=views.update(live, base, kept, self._now(), present))

    def _forget_oldest(self) -> None:
        surplus = len(self._entries) - self._most
        if surplus > 0:
            unused = [
                game
                for game, entry in self._entries.items()
                if not entry.users and not (self._storage.shared and self._transport.watched(game))
            ]
            for game in unused[:surplus]:
                del self._entries[game]


class Opened:
    """A game that is open: see :meth:`LiveGames.open`. Every token needs one, and a generator would cost more."""

    def __init__(self, games: LiveGames, game: str, retry: bool, fresh: bool) -> None:
        self._games: Final = games
        self._game: Final = game
        self._retry: Final = retry
        self._fresh: Final = fresh
        self._entry: Entry | None = None

    async def __aenter__(self) -> LiveGame:
        entry = self._entry = await self._games.enter(self._game)
        try:
            return await self._games.bring_in(self._game, entry, fresh=self._fresh)
        except BaseException as error:
            self._close(entry, error)
            raise

    async def __aexit__(self, _: object, error: BaseException | None, __: object) -> None:
        assert self._entry is not None  # noqa: S101  # it was entered
        self._close(self._entry, error)

    def _close(self, entry: Entry, error: BaseException | None) -> None:
        if error is not None and not isinstance(error, Refusal):
            self._games.drop(self._game, entry)
        self._games.leave(self._game, entry)
        if isinstance(error, RevisionTakenError) and not self._retry:
            raise decisions.stale() from None


def unknown_game() -> Refusal:
    """The refusal of whoever asks for a game that never was."""
    return Refusal(404, "unknown-game", "There is no such game.")
