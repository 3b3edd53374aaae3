"""The table of the play page, as a player sees and touches it: by mouse, by finger, by keyboard alone.

What can be picked is read from the page. Nothing here knows a rule.
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
    """How somebody picks something."""

    def pick(self, page: Page, pick: str) -> None: ...
    def press(self, button: Locator) -> None: ...


class Mouse:
    """Clicks."""

    def pick(self, page: Page, pick: str) -> None:
        self.press(place(page, pick))

    def press(self, button: Locator) -> None:
        button.click()


class Finger:
    """Taps."""

    def pick(self, page: Page, pick: str) -> None:
        self.press(place(page, pick))

    def press(self, button: Locator) -> None:
        button.tap()


class Keys:
    """The keyboard alone: Tab goes from one control to the next, arrow keys walk over the field."""

    def pick(self, page: Page, pick: str) -> None:
        if pick in ("button:pass", "button:stop"):
            page.keyboard.press("k")
            return
        stands = page.evaluate(WALK)
        on_board = pick in stands["places"] or pick in stands["villages"]
        for _ in range(80):
            here = stands["pick"]
            if here == pick:
                page.keyboard.press("Enter")
                return
            walks = on_board and (here in stands["places"] or here in stands["villages"])
            page.keyboard.press(self._step(stands, here, pick) if walks else "Tab")
            stands = page.evaluate(WALK)
        raise AssertionError(f"the keyboard does not reach {pick}")

    def press(self, button: Locator) -> None:
        page = button.page
        for _ in range(80):
            if button.evaluate("button => button === document.activeElement"):
                page.keyboard.press("Enter")
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {button}")

    def _step(self, stands: Any, here: str, wanted: str) -> str:
        """The arrow key that leads nearer."""
        places, villages = stands["places"], stands["villages"]
        if wanted in villages:
            return "ArrowUp" if wanted == villages[0] else "ArrowDown"
        if here in villages:
            return "ArrowDown" if here == villages[0] else "ArrowUp"
        (x, y), (to_x, to_y) = places[here], places[wanted]
        if x != to_x:
            return "ArrowRight" if x < to_x else "ArrowLeft"
        return "ArrowDown" if y < to_y else "ArrowUp"


def place(page: Page, pick: str) -> Locator:
    """Where a pick can be clicked."""
    if pick.startswith("button:"):
        return page.get_by_role("button", name=say(f"play.{pick.removeprefix('button:')}"), exact=True)
    return page.locator(f'.play [data-pick="{pick}"]')


class Table:
    """The table on the screen."""

    def __init__(self, page: Page, hand: Hand | None = None) -> None:
        self.page: Final = page
        self.hand: Final = hand or Mouse()

    # What is to be seen

    def marked(self) -> list[str]:
        """What is marked as a next pick."""
        return list(self.page.evaluate(MARKED))

    def open(self) -> list[str]:
        """Everything that a pick would do something with now."""
        return list(self.page.evaluate(OPEN))

    def picked(self) -> list[str]:
        return list(self.page.evaluate(PICKED))

    def shamans(self, tribe: str) -> list[str]:
        """Where shamans of a tribe stand, by what a screen reader is told."""
        whose = SHAMAN[tribe]
        return sorted(self.page.evaluate(SHAMANS, whose))

    def prompt(self) -> str:
        """The sentence that says what is asked."""
        return self.page.locator(".prompt p").inner_text()

    def button(self, key: str) -> Locator:
        """A button of the page, by its message."""
        return self.page.locator(".play").get_by_role("button", name=say(key), exact=True)

    @property
    def rematch(self) -> Locator:
        """Only the end of a game offers it."""
        return self.page.get_by_role("button", name=say("play.end.rematch"), exact=True)

    def is_over(self) -> bool:
        return self.rematch.is_visible()

    def wait(self, seconds: float = 30) -> None:
        """Until something is asked of a person, a turn is to be confirmed, or the game is over."""
        self.page.wait_for_function(
            """(ends) => {
                const places = [...document.querySelectorAll('.play [data-pick][aria-disabled="false"]')];
                const buttons = [...document.querySelectorAll('.play button')];
                return places.some((place) => place.dataset.pick !== 'deck')
                    || buttons.some((button) => ends.includes(button.textContent.trim()));
            }""",
            arg=[say("play.confirm"), say("play.end.rematch")],
            timeout=seconds * 1000,
        )

    # What is done

    def pick(self, *picks: str) -> None:
        """Pick one thing after another, each of which has to be on offer, or to be at once."""
        for pick in picks:
            if not pick.startswith("button:") and pick not in self.open():
                missed = f"{pick} is not on offer, but {self.open()}: {self.prompt()}"
                expect(place(self.page, pick), missed).to_have_attribute("aria-disabled", "false")
            self.hand.pick(self.page, pick)

    def play(self, *paths: Sequence[str] | str) -> None:
        """Choose one token after another, each by its picks, and wait for what comes of it."""
        for path in paths:
            self.pick(*(path.split() if isinstance(path, str) else path))
            self.wait()

    def press(self, key: str) -> None:
        """Press a button of the page."""
        self.hand.press(self.button(key))
