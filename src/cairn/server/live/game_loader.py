"""Load games into memory, and keep them up to date with the changes that other processes store."""

from __future__ import annotations

import dataclasses
from types import TracebackType
from typing import Final

from cairn.server.errors import DamagedGameError, Refusal, RevisionTakenError
from cairn.server.game.clocks import milliseconds
from cairn.server.game.log import StoredGame
from cairn.server.game.state import GameState
from cairn.server.live.attendance import Attendance
from cairn.server.live.downtimes import Downtimes
from cairn.server.live.game_cache import GameCache, Slot
from cairn.server.live.game_writer import GameWriter
from cairn.server.live.server_time import ServerTime
from cairn.server.messages.views import update_view
from cairn.server.meter import in_thread
from cairn.server.storage.games.repository import GameRepository
from cairn.server.transport.hub import Hub


class GameLoader:
    """Loads games and applies the events that other processes store."""

    def __init__(
        self,
        games: GameRepository,
        cache: GameCache,
        hub: Hub,
        attendance: Attendance,
        writer: GameWriter,
        downtimes: Downtimes,
        time: ServerTime,
    ) -> None:
        self._games: Final = games
        self.cache: Final = cache
        self._hub: Final = hub
        self._attendance: Final = attendance
        self._writer: Final = writer
        self.downtimes: Final = downtimes
        self._time: Final = time

    def open(self, game: str, *, fresh: bool = False, seen: int | None = None) -> Lease:
        """Get exclusive access to a game.

        If ``fresh`` is set, or if the caller has ``seen`` a revision that is not in memory here, events stored by other
        processes are read first.
        """
        return Lease(self, game, fresh, seen or 0)

    async def current(self, slot: Slot, *, fresh: bool, seen: int) -> GameState:
        """The state in a locked slot, loaded if necessary, with clocks corrected after a downtime."""
        if slot.state is not None and (fresh or seen > slot.state.revision):
            await self._refresh(slot, slot.state)
        state = slot.state or await self._load(slot)
        while pause := self.downtimes.pause_for(state):
            await self._time.ensure_running()
            at = self._time()
            try:
                await self._writer.commit(state, state.pause(pause, at), len(state.steps), at)
            except RevisionTakenError:  # another process committed first; it may have stored the pause or a token
                self.cache.drop(slot)
                state = await self._load(slot)
        return state

    async def catch_up(self, game: str, revision: int) -> None:
        """Apply the events that another process has stored, up to ``revision``, and update the watchers here."""
        async with self.cache.lock(game) as slot:
            if slot.state is None:
                if self.cache.watchers_are_behind(game):
                    await self._load(slot)
                else:
                    self._hub.disconnect(game)  # the watchers reconnect and get the whole game
            elif slot.state.revision < revision:
                await self._follow(slot, slot.state)

    async def outdated(self) -> dict[str, int | None]:
        """The games in memory and their stored revisions; ``None`` for games that were deleted."""
        games = self.cache.games()
        stored = await self._games.revisions(games)
        return {game: stored.get(game) for game in games}

    async def _load(self, slot: Slot) -> GameState:
        stored = await self._games.load(slot.game)
        if stored is None:
            raise unknown_game()
        if stored.deleted:
            raise Refusal(404, "deleted-game", "This game was deleted. It can be restored.")
        state = await self._replay(stored)
        await self._attendance.load_players(state)
        base = self.cache.take_watchers_revision(slot.game)
        if base is not None and base < state.revision:
            await self._broadcast(state, base, 0)
        slot.state = state
        self._writer.watch_clock(state)
        return state

    async def _replay(self, stored: StoredGame) -> GameState:
        with self._games.reporting_damage():
            try:
                return await in_thread(GameState.replay, stored)
            except Exception as error:
                raise DamagedGameError(stored.header.id, f"the log cannot be replayed: {error!r}") from error

    async def _refresh(self, slot: Slot, state: GameState) -> None:
        """Bring a state up to date, or drop it if the game was deleted."""
        if self._games.multi_process:
            revision = (await self._games.revisions([slot.game])).get(slot.game)
            if revision is None:
                slot.state = None
            elif revision > state.revision:
                await self._follow(slot, state)

    async def _follow(self, slot: Slot, state: GameState) -> None:
        """Apply the events that other processes have stored. Those processes also play the computer's turns."""
        base = state.revision
        try:
            kept = state.follow(await self._games.load_after(slot.game, base))
            if state.game.is_over:
                await self._attendance.load_players(state)
            await self._broadcast(state, base, kept)
        except BaseException:
            slot.state = None
            self._hub.disconnect(slot.game)
            raise
        self._writer.stop_computer(slot.game)
        self._writer.watch_clock(state)
        if state.clock_revision > base and state.clock and state.clock.since is not None:
            # Players who are connected to this process could not see the decision earlier.
            self._writer.give_back(state, (milliseconds(self._time.running()) - state.clock.since) / 1_000)

    async def _broadcast(self, state: GameState, base: int, kept: int) -> None:
        over = state.game.is_over  # only the update at the end of a game shows who is present
        present = await self._attendance.present(state) if over else ()
        self._hub.broadcast_update(state.header.id, update_view(state, base, kept, self._time(), present))


@dataclasses.dataclass(eq=False, slots=True)
class Lease:
    """Exclusive access to a game in an ``async with`` block.

    After any error except a refusal, the state may be ahead of the log, so it is dropped. This is a class and not a
    generator with ``@asynccontextmanager``, because every token opens a lease, and a class is cheaper.
    """

    loader: GameLoader
    game: str
    fresh: bool
    seen: int
    slot: Slot | None = None

    async def __aenter__(self) -> GameState:
        slot = self.slot = await self.loader.cache.acquire(self.game)
        state, downtimes = slot.state, self.loader.downtimes
        paused = state is not None and downtimes.last_ended <= state.changed and self.game not in downtimes.slow_commits
        if state is not None and paused and not self.fresh and self.seen <= state.revision:
            return state
        try:
            return await self.loader.current(slot, fresh=self.fresh, seen=self.seen)
        except BaseException as error:
            await self.__aexit__(type(error), error, None)
            raise

    async def __aexit__(
        self, _type: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self.slot:
            if error is not None and not isinstance(error, Refusal):
                self.loader.cache.drop(self.slot)
            self.loader.cache.release(self.slot)


def unknown_game() -> Refusal:
    """The refusal for an unknown game id."""
    return Refusal(404, "unknown-game", "There is no such game.")
