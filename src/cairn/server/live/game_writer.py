"""Commit a change: append its events, project the new state, broadcast it, and schedule the clock and the computer."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from collections.abc import Sequence
from typing import Final

from cairn.server.errors import StorageError
from cairn.server.game.events import ClockPaused, Event, keyed
from cairn.server.game.state import GameState
from cairn.server.live.attendance import Attendance
from cairn.server.live.clock_watch import ClockWatch
from cairn.server.live.computer_turns import ComputerTurns
from cairn.server.live.downtimes import Downtimes
from cairn.server.live.game_cache import GameCache
from cairn.server.messages.games import Update
from cairn.server.messages.views import update_view
from cairn.server.storage.engines.append import SLOW_COMMIT
from cairn.server.storage.games.repository import GameRepository
from cairn.server.transport.hub import Hub, Reply


class GameWriter:
    """Commits decisions. The caller must hold the game's lock."""

    def __init__(
        self,
        games: GameRepository,
        cache: GameCache,
        hub: Hub,
        attendance: Attendance,
        clock_watch: ClockWatch,
        computer_turns: ComputerTurns,
        downtimes: Downtimes,
    ) -> None:
        self._games: Final = games
        self._cache: Final = cache
        self._hub: Final = hub
        self._attendance: Final = attendance
        self._clock_watch: Final = clock_watch
        self._computer_turns: Final = computer_turns
        self._downtimes: Final = downtimes

    async def commit(
        self,
        state: GameState,
        events: Sequence[Event],
        kept: int,
        at: datetime.datetime,
        key: str | None = None,
        reply: Reply | None = None,
    ) -> Update:
        """Store the events that led to the state, then broadcast the update and schedule the clock and the computer.

        ``kept`` is the number of earlier steps that remain, and ``key`` is the idempotency key of the command.
        """
        game, base = state.header.id, state.revision
        log, projection = keyed(events, key), state.projection(len(events), at)
        clock = asyncio.get_running_loop().time
        began = clock()
        late = await self._games.append(game, base + 1, log, projection, clock)
        state.advance(events, at, key)
        if late:
            at, began = late.projection.changed, began + late.event.milliseconds / 1_000
            state.advance(state.pause(late.event, at), at)
        seconds = clock() - began
        try:
            over = state.game.is_over
            if over and state.header.online:
                with contextlib.suppress(StorageError):  # the result is stored; the new ratings will appear later
                    await self._attendance.load_players(state)
            present = await self._attendance.present(state) if over else ()
            update = update_view(state, base, kept, at, present)
            self._hub.broadcast_update(game, update, reply)
        except BaseException:
            self._cache.mark_watchers_behind(game, base)
            raise
        self.schedule(state)
        if seconds >= SLOW_COMMIT and not isinstance(events[0], ClockPaused):  # a pause must not cause another pause
            self.give_back(state, seconds)
        return update

    def schedule(self, state: GameState) -> None:
        """Watch the running clock, and let the computer think if it has to decide."""
        self._clock_watch.set(state.header.id, state.clock_check)
        if state.computer_level is not None:
            self._computer_turns.begin(state.header.id)

    def give_back(self, state: GameState, seconds: float) -> None:
        """Pause the running clock for the time during which nobody could see the game, if that was long enough."""
        if seconds >= SLOW_COMMIT and state.deadline is not None:
            self._downtimes.slow_commit(state, seconds)
            self._clock_watch.set(state.header.id, 0)  # the check first stores the pause

    def stop_computer(self, game: str) -> None:
        """Stop the computer, because the game changed while the computer was thinking."""
        self._computer_turns.stop(game)

    def watch_clock(self, state: GameState) -> None:
        """Watch the running clock."""
        self._clock_watch.set(state.header.id, state.clock_check)
