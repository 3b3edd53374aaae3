"""A player who knows only the picks that the page marks, and prefers to move forward and off the field."""

from __future__ import annotations

import random
from typing import Final, Protocol

LONGEST_GAME: Final = 250
"""The maximum number of decisions by one player. Games against level 1 take a tenth of that."""


class PlayersTable(Protocol):
    """A table on the screen of any browser, as its player sees and uses it."""

    def marked(self) -> list[str]: ...
    def open(self) -> list[str]: ...
    def picked(self) -> list[str]: ...
    def shamans(self, tribe: str) -> list[str]: ...
    def shows(self, key: str) -> bool: ...
    def is_over(self) -> bool: ...
    def wait(self) -> None: ...
    def pick(self, *picks: str) -> None: ...
    def press(self, key: str) -> None: ...


class Newcomer:
    """Plays a tribe until the game is over."""

    def __init__(self, table: PlayersTable, tribe: str, seed: int) -> None:
        self._table: Final = table
        self._tribe: Final = tribe
        self._enemy: Final = "sea" if tribe == "forest" else "forest"
        self._random: Final = random.Random(seed)

    def play(self) -> int:
        """Play until the end and return the number of decisions."""
        for decisions in range(LONGEST_GAME):
            self._table.wait()
            if self._table.is_over():
                return decisions
            if self._table.shows("play.confirm"):
                self._table.press("play.confirm")
            else:
                self.decide()
        raise AssertionError(f"the game is not over after {LONGEST_GAME} decisions")

    def decide(self) -> None:
        """Make one decision."""
        marked = self._table.marked()
        mine = [space for space in self._table.shamans(self._tribe) if space in marked]
        buttons = [name for name in ("stop", "pass") if self._table.shows(f"play.{name}")]
        if "stop" in buttons:
            self._table.pick("button:stop")
        elif not marked and buttons:
            self._table.pick("button:pass")
        elif mine and f"village:{self._tribe}" in self._table.open() and self._random.random() < 0.1:
            self._complete([f"village:{self._tribe}"])
        elif mine:
            self._advance(mine)
        else:
            self._complete(marked)

    def _advance(self, mine: list[str]) -> None:
        """Of the three foremost shamans, or sometimes of three random ones, move the one that gains most ground."""
        mine.sort(key=self._progress, reverse=True)
        if self._random.random() < 0.2:
            self._random.shuffle(mine)
        best: tuple[float, str, str] | None = None
        for shaman in mine[:3]:
            if not self._table.picked() or shaman in self._table.open():
                self._table.pick(shaman)
            targets = [target for target in self._table.marked() if target != shaman]
            if not targets:  # picking the shaman completed the choice
                return
            for target in targets:
                gain = self._progress(target) - self._progress(shaman) + self._random.random()
                best = max(best or (gain, shaman, target), (gain, shaman, target))
        assert best is not None
        _, shaman, target = best
        if shaman not in self._table.picked():
            self._table.pick(shaman)
        self._complete([target])

    def _complete(self, picks: list[str]) -> None:
        """Pick one of ``picks``, then pick random marked places until the choice is complete."""
        self._table.pick(self._random.choice(picks))
        while self._table.picked() and (marked := self._table.marked()):
            self._table.pick(self._random.choice(marked))

    def _progress(self, pick: str) -> float:
        """How far across the field a pick leads; leaving the field is best."""
        if pick == f"village:{self._enemy}":
            return 10
        if len(pick) != 2:
            return 0
        row = int(pick[1])
        return row if self._tribe == "forest" else 6 - row
