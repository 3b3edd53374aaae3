"""Periods in which nobody could play: no server was alive, none could reach the database, or a commit was slow.

No clock runs during these periods. If a decision has to wait for its transaction to begin, the waiting time is stored
with the decision (``storage/engines/append.py``). In this module, a commit is slow if the transaction itself took
too long.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final, NamedTuple

from cairn.server.game.events import ClockPaused
from cairn.server.game.state import GameState
from cairn.server.storage.presence import Downtime

SHORTEST_PAUSE: Final = 500
"""The shortest downtime for which clocks are corrected, in milliseconds."""


class SlowCommit(NamedTuple):
    """A commit during which nobody could see or change the game."""

    milliseconds: int
    clock_revision: int
    """The game's :attr:`~GameState.clock_revision` after the commit. After the next decision, no time is owed."""
    paused: int
    """How long the clocks had been paused before the commit, in milliseconds. Later pauses reduce the time owed."""

    def owed_to(self, state: GameState) -> int:
        """How many milliseconds the running clock is still owed."""
        if self.clock_revision != state.clock_revision:
            return 0
        return self.milliseconds - (state.paused - self.paused)


class Downtimes:
    """All known downtimes, and the slow commits of this process for which the clocks have not been paused yet."""

    def __init__(self) -> None:
        self._known: Sequence[Downtime] = ()
        self.last_ended = datetime.datetime.min.replace(tzinfo=datetime.UTC)
        """When the last downtime ended. A game that has changed since then is not owed a pause."""
        self.slow_commits: Final[dict[str, SlowCommit]] = {}
        """The last slow commit, by game."""

    def know(self, downtimes: Sequence[Downtime]) -> None:
        """Replace the known downtimes."""
        self._known = downtimes
        self.last_ended = max((each.ended for each in downtimes), default=self.last_ended)

    def slow_commit(self, state: GameState, seconds: float) -> None:
        """Record that a commit was slow, so the running clock is owed this time."""
        self.slow_commits[state.header.id] = SlowCommit(int(1_000 * seconds), state.clock_revision, state.paused)

    def pause_for(self, state: GameState) -> ClockPaused | None:
        """The pause that a game is still owed, if its last commit was slow or there has been a downtime since then."""
        slow = self.slow_commits.get(state.header.id)
        owed = slow.owed_to(state) if slow else 0
        if slow and owed < SHORTEST_PAUSE:
            del self.slow_commits[state.header.id]  # the player has decided, or the game was paused
        if state.deadline is None:
            return None
        owed = max(owed, self.since(state.changed) // datetime.timedelta(milliseconds=1))
        return ClockPaused(owed) if owed >= SHORTEST_PAUSE else None

    def since(self, at: datetime.datetime) -> datetime.timedelta:
        """How long the server has been down since ``at``."""
        return sum((ended - max(began, at) for began, ended in self._known if ended > at), datetime.timedelta())
