"""The damaged games that this process knows of, for the log, the metrics and the administrators."""

from __future__ import annotations

import dataclasses
import datetime
import logging
from collections.abc import Callable
from typing import Final

from cairn.server.errors import DamagedGameError

MOST_LISTED: Final = 1_000

_log: Final = logging.getLogger("cairn.server")


@dataclasses.dataclass(frozen=True, slots=True)
class DamagedGame:
    """A damaged game."""

    game: str
    damage: str
    """A description of the damage."""
    found: datetime.datetime


class DamagedGames:
    """Collects damaged games. Damage to a game is logged only if it was not known before."""

    def __init__(self, now: Callable[[], datetime.datetime]) -> None:
        self._now: Final = now
        self._known: Final[dict[str, DamagedGame]] = {}

    def __len__(self) -> int:
        return len(self._known)

    def report(self, error: DamagedGameError) -> None:
        """Record the damage."""
        known = self._known.get(error.game)
        if known and known.damage == error.damage:
            return
        _log.error("game %s is damaged: %s", error.game, error.damage, exc_info=error.__cause__)
        if known or len(self._known) < MOST_LISTED:
            self._known[error.game] = DamagedGame(error.game, error.damage, self._now())

    def repaired(self, game: str) -> None:
        """Record that a game has been verified and is not damaged."""
        self._known.pop(game, None)

    def listed(self) -> list[DamagedGame]:
        """All known damaged games, most recently found first."""
        return sorted(self._known.values(), key=lambda each: each.found, reverse=True)
