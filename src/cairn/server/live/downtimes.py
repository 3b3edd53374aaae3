"""Periods in which nobody could play: no server was alive, none could reach the database, or a commit was slow.

No clock runs during them.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final

from cairn.server.game.events import ClockPaused
from cairn.server.game.state import GameState
from cairn.server.storage.presence import Downtime

SHORTEST_PAUSE: Final = 500
"""Milliseconds of downtime below which clocks are not corrected."""


class Downtimes:
    """All known downtimes."""

    def __init__(self) -> None:
        self._known: Sequence[Downtime] = ()
        self.last_ended = datetime.datetime.min.replace(tzinfo=datetime.UTC)
        """When the last one ended. A game that has changed since then is owed no pause for it."""

    def know(self, downtimes: Sequence[Downtime]) -> None:
        """Replace the known downtimes."""
        self._known = downtimes
        self.last_ended = max((each.ended for each in downtimes), default=self.last_ended)

    def pause_for(self, state: GameState) -> ClockPaused | None:
        """The pause that a game is still owed, if its last commit was slow or there was a downtime since."""
        if (state.changed >= self.last_ended and not state.commit_delay) or state.deadline is None:
            return None
        down = max(state.commit_delay, self.since(state.changed) // datetime.timedelta(milliseconds=1))
        return ClockPaused(down) if down >= SHORTEST_PAUSE else None

    def since(self, at: datetime.datetime) -> datetime.timedelta:
        """How long the server has been down since then."""
        return sum((ended - max(began, at) for began, ended in self._known if ended > at), datetime.timedelta())
