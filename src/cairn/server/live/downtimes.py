"""Periods in which nobody could play: no server was alive, none could reach the database, or a commit was slow.

No clock runs during these periods.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final, NamedTuple

from cairn.server.game.events import ClockPaused
from cairn.server.game.state import GameState
from cairn.server.storage.presence import Downtime

SHORTEST_PAUSE: Final = 500
"""Milliseconds of downtime below which clocks are not corrected."""
SLOW_COMMIT: Final = 1.0
"""Seconds. A commit that takes this long counts as a downtime of its game."""


class SlowCommit(NamedTuple):
    """A commit during which nobody could see or change the game."""

    milliseconds: int
    board_revision: int
    """The game's board revision after the commit."""


class Downtimes:
    """All known downtimes, and the slow commits of this process for which no game was paused yet."""

    def __init__(self) -> None:
        self._known: Sequence[Downtime] = ()
        self.last_ended = datetime.datetime.min.replace(tzinfo=datetime.UTC)
        """When the last downtime ended. A game that has changed since then is owed no pause for it."""
        self.slow_commits: Final[dict[str, SlowCommit]] = {}
        """The last slow commit, by game."""

    def know(self, downtimes: Sequence[Downtime]) -> None:
        """Replace the known downtimes."""
        self._known = downtimes
        self.last_ended = max((each.ended for each in downtimes), default=self.last_ended)

    def slow_commit(self, state: GameState, seconds: float) -> None:
        """Record that a commit was slow. The clock is owed this time."""
        self.slow_commits[state.header.id] = SlowCommit(int(1_000 * seconds), state.game.board_revision)

    def pause_for(self, state: GameState) -> ClockPaused | None:
        """The pause that a game is still owed, if its last commit was slow or there was a downtime since."""
        slow = self.slow_commits.get(state.header.id)
        if slow and (slow.board_revision != state.game.board_revision or state.pause_revision > slow.board_revision):
            del self.slow_commits[state.header.id]  # the player has decided, or the game was paused
            slow = None
        if state.deadline is None or (slow is None and state.changed >= self.last_ended):
            return None
        down = self.since(state.changed) // datetime.timedelta(milliseconds=1)
        down = max(down, slow.milliseconds if slow else 0)
        return ClockPaused(down) if down >= SHORTEST_PAUSE else None

    def since(self, at: datetime.datetime) -> datetime.timedelta:
        """How long the server has been down since ``at``."""
        return sum((ended - max(began, at) for began, ended in self._known if ended > at), datetime.timedelta())
