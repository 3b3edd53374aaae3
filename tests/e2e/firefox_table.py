"""The table on the play page in Firefox. ``table.py`` is its counterpart for Chromium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from harness.bidi import Page
from tests.e2e.table import ASKED, MARKED, OPEN, PICKED, SHAMANS
from tests.e2e.words import SHAMAN, say

IS_OPEN: Final = f"(pick) => ({OPEN})().includes(pick)"


class FirefoxTable:
    """The table on the screen, used with the mouse."""

    def __init__(self, page: Page) -> None:
        self.page: Final = page

    # State

    def marked(self) -> list[str]:
        """The places marked as possible next picks."""
        return list(self.page.call(MARKED))

    def open(self) -> list[str]:
        """All places that can be picked now."""
        return list(self.page.call(OPEN))

    def picked(self) -> list[str]:
        return list(self.page.call(PICKED))

    def shamans(self, tribe: str) -> list[str]:
        """The spaces with shamans of a tribe, according to their accessible names."""
        return sorted(self.page.call(SHAMANS, SHAMAN[tribe]))

    def prompt(self) -> str:
        """The prompt above the board."""
        return str(self.page.call("() => document.querySelector('.prompt p').innerText"))

    def shows(self, key: str) -> bool:
        """Whether the button whose text is the message with this key is visible."""
        return self.page.shows(".play button", say(key))

    def is_over(self) -> bool:
        return self.page.shows("button", say("play.end.rematch"))

    def wait(self) -> None:
        """Wait until a person has to decide or to confirm a turn, or the game is over."""
        self.page.wait(ASKED, [say("play.confirm"), say("play.end.rematch")])

    # Actions

    def pick(self, *picks: str) -> None:
        """Make these picks in order, waiting until each is possible."""
        for pick in picks:
            if pick.startswith("button:"):
                self.press(f"play.{pick.removeprefix('button:')}")
            else:
                self.page.wait(IS_OPEN, pick)
                self.page.click(f'.play [data-pick="{pick}"]')

    def play(self, *paths: Sequence[str] | str) -> None:
        """Play tokens in order, given the picks for each. Wait for the next decision after each token."""
        for path in paths:
            self.pick(*(path.split() if isinstance(path, str) else path))
            self.wait()

    def press(self, key: str) -> None:
        """Press the button whose text is the message with this key."""
        self.page.click(".play button", say(key))
