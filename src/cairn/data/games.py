"""An exported game. Unless names are asked for, it only says what kind of player leads each tribe."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence

from cairn.game import Game
from cairn.record import Record


@dataclasses.dataclass(frozen=True, slots=True)
class Names:
    """What identifies a game and its players on a server."""

    id: str
    forest: str | None
    sea: str | None


@dataclasses.dataclass(frozen=True, slots=True)
class ExportedGame:
    """A finished game."""

    game: Game
    source: str
    """Where it comes from: ``server``, ``self-play`` or ``record``."""
    variant: str | None
    """``None`` if the game began from a position that somebody set up."""
    forest: str
    """What plays Forest: ``person``, ``level 4``, or the name of an engine."""
    sea: str
    date: datetime.date | None = None
    rated: bool | None = None
    scores: Sequence[int | None] = ()
    """For each token, the score that the search gave it, for its decider; empty if there was no search."""
    names: Names | None = None
    """``None`` unless names were asked for."""
    note: str = ""
    """Anything else about the game, for its record."""

    def record(self) -> Record:
        """The game as a record."""
        names = self.names
        headers = {
            "Variant": self.variant,
            "Forest": (names.forest if names else None) or self.forest,
            "Sea": (names.sea if names else None) or self.sea,
            "Date": f"{self.date:%Y.%m.%d}" if self.date else None,
            "Source": self.source,
            "Game": names.id if names else None,
            "Note": self.note,
        }
        return Record(self.game, {name: value for name, value in headers.items() if value})
