"""The window sizes, languages and themes in which every page must look right, and the check of one page in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser

from tests.e2e import looks
from tests.e2e.places import Place, go
from tests.e2e.visit import QUIET, visit
from tests.e2e.words import LANGUAGES

Size = tuple[int, int]

SIZES: Final[tuple[Size, ...]] = ((390, 844), (360, 640), (844, 390), (1024, 768), (1440, 900), (1920, 1080))
THEMES: Final[dict[str, dict[str, str]]] = {
    "light": {"theme": "light", "contrast": "normal"},
    "dark": {"theme": "dark", "contrast": "normal"},
    "contrast": {"theme": "light", "contrast": "more"},
}
LARGEST_SHIFT: Final = 0.02
"""The largest layout shift while a page loads. 0.1 is commonly called good."""

WATCH_SHIFTS: Final = """
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
            const what = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? 'a removed element'));
            if (!hadRecentInput) window.shifts.push([value, what.map((each) => each.slice(0, 90)).join(', ')]);
        }
    }).observe({ type: 'layout-shift', buffered: true });
"""
"""Collects the layout shifts of a page and their causes, except those that follow from input."""

SETTLED: Final = """async () => {
    await document.fonts.ready;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let still = 0, before = ''; still < 3;) {
        await frame();
        const now = `${document.body.scrollHeight} ${document.querySelectorAll('*').length}`;
        still = now === before ? still + 1 : 0;
        before = now;
    }
}"""
"""Waits until the page has stopped growing."""


def short_matrix(number: int) -> list[tuple[Size, str, str]]:
    """Every size once. Neighbouring pages get different languages and themes, so that all combinations occur."""
    themes = list(THEMES)
    return [
        (size, LANGUAGES[(index + number) % len(LANGUAGES)], themes[(index + number) % len(themes)])
        for index, size in enumerate(SIZES)
    ]


def full_matrix() -> list[tuple[Size, str, str]]:
    """Every size in every language and theme."""
    return [(size, language, theme) for size in SIZES for language in LANGUAGES for theme in THEMES]


def check(
    browser: Browser, address: str, place: Place, matrix: Iterable[tuple[Size, str, str]], pictures: Path | None = None
) -> Iterator[str]:
    """Open a page in each size, language and theme, and describe what overflows, overlaps or moves."""
    loaded: tuple[Size, str] | None = None
    visitor = None
    for size, language, theme in matrix:
        settings: dict[str, Any] = {**QUIET, "language": language, **THEMES[theme]}
        if loaded != (size, language) or visitor is None:
            if visitor is not None:
                visitor.context.close()
            visitor = visit(browser, address, size=size, touch=size[0] < 900, settings=settings)
            visitor.context.add_init_script(WATCH_SHIFTS)
            go(visitor, place)
            loaded = size, language
        else:
            visitor.choose(**settings)
        page = visitor.page
        page.evaluate(SETTLED)
        where = f"{place.name} {size[0]} x {size[1]} {language} {theme}"
        yield from (f"{where}: {fault}" for fault in looks.faults(page))
        shifts = page.evaluate("() => window.shifts.splice(0)")
        if sum(value for value, _ in shifts) > LARGEST_SHIFT:
            yield from (f"{where}: a shift of {value:.3f}: {what}" for value, what in shifts)
        if pictures is not None:
            page.screenshot(path=pictures / f"{where.replace(' ', '-')}.png", animations="disabled")
    if visitor is not None:
        visitor.context.close()
