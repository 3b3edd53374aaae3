"""The table on the play page, as a player uses it: with the mouse, by touch, or with the keyboard alone.

The possible picks are read from the page. No code here depends on the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from playwright.sync_api import Locator, Page, expect

from tests.e2e.words import SHAMAN, say

MARKED: Final = """() => [...new Set([
    ...[...document.querySelectorAll('[data-target]')].map((mark) => mark.dataset.target),
    ...[...document.querySelectorAll('.target[data-pick]')].map((tile) => tile.dataset.pick),
])].sort()"""
OPEN: Final = """() => [...document.querySelectorAll('.play [data-pick][aria-disabled="false"]')]
    .map((place) => place.dataset.pick).filter((pick) => pick !== 'deck').sort()"""
PICKED: Final = """() => [...document.querySelectorAll('.play [data-pick]')]
    .filter((place) => place.ariaSelected === 'true' || place.ariaPressed === 'true')
    .map((place) => place.dataset.pick)"""
SHAMANS: Final = """(label) => Object.fromEntries([...document.querySelectorAll('.play [role="gridcell"]')]
    .map((cell) => [cell.dataset.pick, cell.getAttribute('aria-label')]).filter(([, text]) => text.includes(label)))"""
ASKED: Final = """(ends) => {
    const places = [...document.querySelectorAll('.play [data-pick][aria-disabled="false"]')];
    const buttons = [...document.querySelectorAll('.play button')];
    return places.some((place) => place.dataset.pick !== 'deck')
        || buttons.some((button) => ends.includes(button.textContent.trim()));
}"""
"""Whether a person has to decide, or one of the buttons with these texts exists."""
WALK: Final = """() => {
    const pick = document.activeElement?.dataset?.pick ?? null;
    const rows = [...document.querySelectorAll('.play [role="row"]')];
    const places = {};
    rows.forEach((row, y) => [...row.querySelectorAll('[role="gridcell"]')].forEach((cell, x) => {
        places[cell.dataset.pick] = [x, y];
    }));
    const villages = [...document.querySelectorAll('.play svg [role="button"]')].map((village) => village.dataset.pick);
    return { pick, places, villages };
}"""


class Hand(Protocol):
    """A way to pick places and press buttons."""

    def pick(self, page: Page, pick: str) -> None: ...
    def press(self, button: Locator) -> None: ...


class Mouse:
    """Clicks with the mouse."""

    def pick(self, page: Page, pick: str) -> None:
        self.press(place(page, pick))

    def press(self, button: Locator) -> None:
        button.click()


class Finger:
    """Taps on a touch screen."""

    def pick(self, page: Page, pick: str) -> None:
        self.press(place(page, pick))

    def press(self, button: Locator) -> None:
        button.tap()


class Keys:
    """Uses the keyboard alone: Tab moves between controls, arrow keys move across the field.

    From the first pick on, the focus must never be lost: somebody who cannot see it would have to start again at the
    top of the page.
    """

    def __init__(self) -> None:
        self._playing = False

    def pick(self, page: Page, pick: str) -> None:
        if self._playing:
            assert page.evaluate("() => document.activeElement !== document.body"), f"no focus before {pick}"
        self._playing = True
        if pick in ("button:pass", "button:stop"):
            page.keyboard.press("k")
            return
        focus = page.evaluate(WALK)
        on_board = {*focus["places"], *focus["villages"]}
        for _ in range(80):
            here = focus["pick"]
            if here == pick:
                page.keyboard.press("Enter")
                return
            for key in self._way(focus, here, pick) if on_board >= {here, pick} else ["Tab"]:
                page.keyboard.press(key)
            focus = page.evaluate(WALK)
        raise AssertionError(f"{pick} cannot be reached with the keyboard")

    def press(self, button: Locator) -> None:
        page = button.page
        for _ in range(80):
            if button.evaluate("button => button === document.activeElement"):
                page.keyboard.press("Enter")
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{button} cannot be reached with the keyboard")

    def _way(self, focus: Any, here: str, wanted: str) -> list[str]:
        """The arrow keys that move the focus closer: from a village onto the field, or straight across the field."""
        places, villages = focus["places"], focus["villages"]
        if wanted in villages:
            return ["ArrowUp" if wanted == villages[0] else "ArrowDown"]
        if here in villages:
            return ["ArrowDown" if here == villages[0] else "ArrowUp"]
        (x, y), (to_x, to_y) = places[here], places[wanted]
        across = ["ArrowRight" if x < to_x else "ArrowLeft"] * abs(to_x - x)
        return across + ["ArrowDown" if y < to_y else "ArrowUp"] * abs(to_y - y)


def place(page: Page, pick: str) -> Locator:
    """The element to click for a pick."""
    if pick.startswith("button:"):
        return page.get_by_role("button", name=say(f"play.{pick.removeprefix('button:')}"), exact=True)
    if pick.startswith("slot:"):  # on a small screen, cards with buttons cover the supply while a player chooses
        return page.locator(f'.play :is([data-pick="{pick}"], [data-option="{pick}"]):visible').first
    return page.locator(f'.play [data-pick="{pick}"]')


class Table:
    """The table on the screen."""

    def __init__(self, page: Page, hand: Hand | None = None) -> None:
        self.page: Final = page
        self.hand: Final = hand or Mouse()

    # State

    def marked(self) -> list[str]:
        """The places marked as possible next picks."""
        return list(self.page.evaluate(MARKED))

    def open(self) -> list[str]:
        """All places that can be picked now."""
        return list(self.page.evaluate(OPEN))

    def picked(self) -> list[str]:
        return list(self.page.evaluate(PICKED))

    def shamans(self, tribe: str) -> list[str]:
        """The spaces with shamans of a tribe, according to their accessible names."""
        whose = SHAMAN[tribe]
        return sorted(self.page.evaluate(SHAMANS, whose))

    def prompt(self) -> str:
        """The prompt above the board."""
        return self.page.locator(".prompt p").inner_text()

    def button(self, key: str) -> Locator:
        """The button whose text is the message with this key."""
        return self.page.locator(".play").get_by_role("button", name=say(key), exact=True)

    def shows(self, key: str) -> bool:
        """Whether the button whose text is the message with this key is visible."""
        return self.button(key).is_visible()

    @property
    def rematch(self) -> Locator:
        """The rematch button, which exists only after the end of a game."""
        return self.page.get_by_role("button", name=say("play.end.rematch"), exact=True)

    def is_over(self) -> bool:
        return self.rematch.is_visible()

    def wait(self, seconds: float = 30) -> None:
        """Wait until a person has to decide or to confirm a turn, or the game is over."""
        ends = [say("play.confirm"), say("play.end.rematch")]
        self.page.wait_for_function(ASKED, arg=ends, timeout=seconds * 1000)

    # Actions

    def pick(self, *picks: str) -> None:
        """Make these picks in order, waiting until each is possible."""
        for pick in picks:
            if not pick.startswith("button:") and pick not in self.open():
                missed = f"{pick} cannot be picked, only {self.open()}: {self.prompt()}"
                expect(place(self.page, pick), missed).to_have_attribute("aria-disabled", "false")
            self.hand.pick(self.page, pick)

    def play(self, *paths: Sequence[str] | str) -> None:
        """Play tokens in order, given the picks for each. Wait for the next decision after each token."""
        for path in paths:
            self.pick(*(path.split() if isinstance(path, str) else path))
            self.wait()

    def press(self, key: str) -> None:
        """Press the button whose text is the message with this key."""
        self.hand.press(self.button(key))
